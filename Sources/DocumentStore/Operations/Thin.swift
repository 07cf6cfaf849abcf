internal import DocumentFiles
internal import DocumentGit
public import Foundation

/// What thinning a document did, or would do.
public struct ThinOutcome: Sendable {
  /// What became of one version.
  public struct Decision: Sendable {
    /// The version.
    public let version: FileVersion
    /// Why its contents are kept; empty where they were removed.
    public let reasons: [RetentionReason]

    /// Whether its contents are still on this device.
    public var isKept: Bool { !reasons.isEmpty }
  }

  /// The document.
  public let document: URL
  /// The versions whose contents were on this device, newest first.
  public let decisions: [Decision]

  /// The versions whose contents were kept.
  public var kept: [FileVersion] { decisions.filter(\.isKept).map(\.version) }
  /// The versions whose contents were removed.
  public var removed: [FileVersion] { decisions.filter { !$0.isKept }.map(\.version) }
}

extension VersionStore {
  /// Removes the contents of old versions from this device, as a policy says.
  ///
  /// The dates are those on which the versions were made. Whatever the policy says, these stay:
  /// the current version, unresolved conflict versions and what merging them needs, pinned versions, the version that
  /// the document on disk shows, and, once the document was exchanged, the versions that no other
  /// device can have yet and the one that was published last. Versions whose contents are elsewhere are not
  /// counted, and other devices keep what they have.
  ///
  /// Until the store is collected, thinning can be undone.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - policy: what to keep.
  ///   - timeZone: where days and the other periods begin; by default where the system is.
  /// - Returns: what became of each version, and why.
  /// - Throws: ``VersionError`` with code `invalidArgument` for a policy that keeps nothing.
  @discardableResult
  public func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil
  ) throws -> ThinOutcome {
    try changing(document) { store in
      guard !policy.isEmpty else {
        throw VersionError(
          .invalidArgument, document: store.location.printable,
          message: "Thinning “\(store.location.printable)” needs a rule that says what to keep.",
          recovery: .nameRetentionRule)
      }
      let versions = try store.history(for: self).versions
        .filter { $0.hasLocalContents && !$0.isDeletion }
      let pins = try store.retentionPins()
      let rules = policy.reasons(
        for: versions.map(\.savingDate), calendar: LocalCalendar(timeZone), now: clock())
      let decisions = zip(versions, rules).map { version, rules in
        let id = version.persistentIdentifier.objectID
        return ThinOutcome.Decision(version: version, reasons: (pins[id] ?? []) + rules)
      }
      let dropped = Set(
        decisions.filter { !$0.isKept }.map { $0.version.persistentIdentifier.objectID })
      if !dropped.isEmpty && !isDryRun {
        var plan = try store.railPlan()
        plan.kept.subtract(dropped)
        plan.removed.formUnion(dropped)
        try store.rewriteRail(plan)
      }
      return ThinOutcome(document: store.location.url, decisions: decisions)
    }
  }
}

extension OpenStore {
  /// The records whose contents no policy may remove, and why.
  fileprivate func retentionPins() throws -> [ObjectID: [RetentionReason]] {
    var pins: [ObjectID: [RetentionReason]] = [:]
    func pin(_ ids: some Sequence<ObjectID>, _ reason: RetentionReason) {
      for id in ids { pins[id, default: []].append(reason) }
    }
    let heads = try divergentHeads()
    let rail = try rail()
    pin(heads.prefix(1).map(\.record.id), .current)
    pin(heads.dropFirst().map(\.record.id), .unresolvedConflict)
    pin(try conflictBases(heads), .conflictBase)
    pin(rail.values.filter(\.marks.isPinned).map(\.record), .pinned)
    if let shown = try base() { pin([shown.id], .shown) }
    if let noted = try PublishedHeads(in: location.store) {
      let published = try noted.heads.filter { try repository.contains($0) }
      pin(published, .lastExchanged)
      let exchanged = try ancestry(of: published)
      pin(rail.keys.filter { exchanged[$0] == nil }, .notExchanged)
    }
    return pins
  }

  /// Every version that merging the heads, in whatever order, can need as a base.
  private func conflictBases(_ heads: [Head]) throws -> Set<ObjectID> {
    var found = Set(try conflictBase(heads).map { [$0.id] } ?? [])
    var pending = [heads.map(\.record.id)]
    while let sides = pending.popLast() {
      for (index, ours) in sides.enumerated() {
        for theirs in sides.dropFirst(index + 1) {
          let bases = try mergeBases(of: [ours], and: theirs).joined().map(\.id)
          let new = bases.filter { found.insert($0).inserted }
          // Several, after a criss-cross, are merged first.
          if bases.count > 1 && !new.isEmpty { pending.append(bases) }
        }
      }
    }
    return found
  }
}
