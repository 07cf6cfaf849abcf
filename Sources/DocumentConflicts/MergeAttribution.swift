internal import DocumentMerge
internal import DocumentStore

/// The versions that changes come from, where several were merged before the next one is.
///
/// What their common result has is mostly a change of one of them. Merged by itself with the next version, each shows
/// which changes are its own.
struct MergeAttribution {
  private struct Own {
    let version: FileVersion
    let clashes: [MergeClash]
    let decisions: [MergeDecision]
  }

  private let done: [FileVersion]
  private let each: [Own]
  private let label: ([FileVersion]) -> String

  /// - Parameters:
  ///   - done: the versions that were merged before.
  ///   - label: the name of versions in explanations.
  ///   - step: merges one of them with the next version.
  init(
    of done: [FileVersion], label: @escaping ([FileVersion]) -> String,
    _ step: (FileVersion) throws -> VersionMergeStep
  ) throws {
    self.done = done
    self.label = label
    guard done.count > 1 else {
      each = []
      return
    }
    each = try done.map { version in
      let step = try step(version)
      return Own(
        version: version, clashes: step.clashes.map(\.clash),
        decisions: try step.result().decisions)
    }
  }

  /// The versions that have our side of a clash by themselves; all where none has.
  func owners(of clash: MergeClash) -> [FileVersion] {
    let owners = each.filter { own in
      own.clashes.contains { $0.isSame(as: clash) }
    }
    return owners.isEmpty ? done : owners.map(\.version)
  }

  /// The decisions with the names of those whose changes they are about.
  ///
  /// Those about a change that not all of the versions have are left out: the merge of these versions reported them.
  func decisions(_ decisions: [MergeDecision]) -> [MergeDecision] {
    guard !each.isEmpty else { return decisions }
    return decisions.compactMap { decision in
      let owners = each.filter { own in own.decisions.contains { $0.isSame(as: decision) } }
      if decision.kind == .ours, owners.count < each.count { return nil }
      guard !owners.isEmpty, owners.count < each.count else { return decision }
      return decision.renaming(label(done), to: label(owners.map(\.version)))
    }
  }
}

extension MergeClash {
  fileprivate func isSame(as other: MergeClash) -> Bool {
    base == other.base && ours == other.ours && theirs == other.theirs
      && decision.place.member == other.decision.place.member
  }
}

extension MergeDecision {
  fileprivate func isSame(as other: MergeDecision) -> Bool {
    kind == other.kind && base == other.base && ours == other.ours && theirs == other.theirs
      && place.member == other.place.member && place.path == other.place.path
  }

  fileprivate func renaming(_ name: String, to other: String) -> MergeDecision {
    MergeDecision(
      kind: kind, place: place, base: base, ours: ours, theirs: theirs,
      explanation: explanation.replacing(name, with: other))
  }
}
