internal import DocumentFiles
internal import DocumentGit
public import Foundation

/// The result of thinning a document, done or planned.
public struct ThinOutcome: Sendable {
  /// The decision on one version.
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

/// Removes the contents of old versions from this device, as a policy says.
struct Thinning {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Thins a document; see ``VersionStore/thin(_:keeping:timeZone:)``.
  func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil
  ) throws -> ThinOutcome {
    try environment.changing(document) { reader in
      guard !policy.isEmpty else {
        throw VersionError(
          .invalidArgument, document: reader.location.printable,
          message: "Thinning “\(reader.location.printable)” needs a rule that says what to keep.",
          recovery: .nameRetentionRule)
      }
      let versions = try VersionList(reader).history().versions
        .filter { $0.hasLocalContents && !$0.isDeletion }
      let pins = try retentionPins(in: reader)
      let rules = policy.reasons(
        for: versions.map(\.savingDate), calendar: LocalCalendar(timeZone),
        now: environment.clock())
      let decisions = zip(versions, rules).map { version, rules in
        let id = version.persistentIdentifier.objectID
        return ThinOutcome.Decision(version: version, reasons: (pins[id] ?? []) + rules)
      }
      let outcome = ThinOutcome(document: reader.location.url, decisions: decisions)
      let dropped = Set(outcome.removed.map(\.persistentIdentifier.objectID))
      if dropped.isEmpty { return StorePlan(nothingBut: outcome) }
      return StorePlan(preview: outcome) { writer in
        var plan = try reader.chain.plan()
        plan.remove(dropped)
        try writer.rewriteChain(plan)
        return outcome
      }
    }
  }

  /// The records whose contents no policy may remove, and why.
  private func retentionPins(in reader: StoreReader) throws -> [ObjectID: [RetentionReason]] {
    var pins: [ObjectID: [RetentionReason]] = [:]
    func pin(_ ids: some Sequence<ObjectID>, _ reason: RetentionReason) {
      for id in ids { pins[id, default: []].append(reason) }
    }
    let heads = try reader.heads.divergent()
    let contents = try reader.chain.contents()
    pin(heads.prefix(1).map(\.record.id), .current)
    pin(heads.dropFirst().map(\.record.id), .unresolvedConflict)
    pin(try reader.merging.conflictBases(heads), .conflictBase)
    pin(contents.values.filter(\.marks.isPinned).map(\.record), .pinned)
    if let shown = try reader.heads.base() { pin([shown.id], .shown) }
    if let published = try PublishedHeads(in: reader.location.store) {
      let known = try published.heads.filter { try reader.objects.repository.contains($0) }
      pin(known, .lastExchanged)
      let exchanged = try reader.objects.ancestry(of: known)
      pin(contents.keys.filter { exchanged[$0] == nil }, .notExchanged)
    }
    return pins
  }
}
