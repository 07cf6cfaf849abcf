internal import DocumentFiles
internal import DocumentGit
package import Foundation

/// The result of thinning a document, done or planned.
package struct ThinOutcome: Sendable {
  /// The decision about one version.
  package struct Decision: Sendable {
    /// The version.
    package let version: FileVersion
    /// The reasons why its contents are kept; empty if they were removed.
    package let reasons: [RetentionReason]

    /// True if its contents were kept.
    package var isKept: Bool { !reasons.isEmpty }
  }

  /// The document.
  package let document: URL
  /// The versions whose contents were on this device, newest first.
  package let decisions: [Decision]

  /// The versions whose contents were kept.
  package var kept: [FileVersion] { decisions.filter(\.isKept).map(\.version) }
  /// The versions whose contents were removed.
  package var removed: [FileVersion] { decisions.filter { !$0.isKept }.map(\.version) }
}

/// Removes the contents of old versions from this device according to a policy.
struct Thinning {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Thins a document; see ``SynchronousStore/thin(_:keeping:timeZone:sparingDiscardable:)``.
  ///
  /// - Parameter sparesDiscardable: whether the policy keeps discardable versions, too.
  func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil,
    sparingDiscardable sparesDiscardable: Bool = false
  ) throws -> ThinOutcome {
    try environment.changing(document) { reader in
      guard !policy.isEmpty else {
        throw VersionError(
          .invalidArgument, document: reader.location.printable,
          message: "Thinning “\(reader.location.printable)” needs a rule for what to keep.",
          recovery: .nameRetentionRule)
      }
      let versions = try VersionList(reader).history().versions
        .filter { $0.hasLocalContents && !$0.isDeletion }
      let pins = try reader.retentionPins()
      // A discardable version doesn't count for a rule.
      let ruled = versions.filter { sparesDiscardable || !$0.isDiscardable }
      let rules = Dictionary(
        zip(
          ruled,
          policy.reasons(
            for: ruled.map(\.savingDate), calendar: LocalCalendar(timeZone),
            now: environment.clock())), uniquingKeysWith: { first, _ in first })
      let decisions = versions.map { version in
        let id = version.persistentIdentifier.objectID
        let pins = (pins[id] ?? []).filter { !version.isDiscardable || $0 != .notExchanged }
        return ThinOutcome.Decision(version: version, reasons: pins + (rules[version] ?? []))
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
}

extension StoreReader {
  /// Returns the records whose contents no policy may remove, with the reasons.
  func retentionPins() throws -> [ObjectID: [RetentionReason]] {
    var pins: [ObjectID: [RetentionReason]] = [:]
    func pin(_ ids: some Sequence<ObjectID>, _ reason: RetentionReason) {
      for id in ids { pins[id, default: []].append(reason) }
    }
    let divergent = try heads.divergent()
    let contents = try chain.contents()
    pin(divergent.prefix(1).map(\.record.id), .current)
    pin(divergent.dropFirst().map(\.record.id), .unresolvedConflict)
    pin(try merging.conflictBases(divergent), .conflictBase)
    pin(contents.values.filter(\.marks.isPinned).map(\.record), .pinned)
    if let shown = try heads.base() { pin([shown.id], .shown) }
    if let published = try PublishedHeads(in: location.store) {
      let known = try published.heads.filter { try objects.repository.contains($0) }
      pin(known, .lastExchanged)
      let exchanged = try objects.ancestry(of: known)
      pin(contents.keys.filter { exchanged[$0] == nil }, .notExchanged)
    }
    return pins
  }

  /// Returns the discardable versions with contents on this device that nothing needs.
  ///
  /// No rule keeps them, collecting drops their contents, and they are not published to other devices.
  func disposableVersions() throws -> Set<ObjectID> {
    let discardable = try chain.contents().values.filter {
      try $0.marks.isDiscardable || record($0.record).facts.discardable == true
    }
    guard !discardable.isEmpty else { return [] }
    let pins = try retentionPins().filter { !$0.value.allSatisfy { $0 == .notExchanged } }
    return Set(discardable.map(\.record)).subtracting(pins.keys)
  }
}
