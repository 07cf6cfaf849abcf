internal import DocumentMerge
internal import DocumentStore

/// Finds the versions that changes come from, after several versions were merged.
///
/// A change in their common result is usually the change of one of them. Merging each version separately with the next
/// one shows which changes are its own.
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
  ///   - done: the versions that are already merged.
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

  /// Returns the versions that have our side of a clash by themselves; all versions if none has.
  func owners(of clash: MergeClash) -> [FileVersion] {
    let owners = each.filter { own in
      own.clashes.contains { $0.isSame(as: clash) }
    }
    return owners.isEmpty ? done : owners.map(\.version)
  }

  /// Returns the decisions, with the names of the versions that made the changes.
  ///
  /// Decisions about a change that only some of the versions have are left out, because the merge of these
  /// versions reported them.
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
