internal import DocumentFiles
package import DocumentGit
internal import Foundation

/// Removes the contents of versions from this device, protects them from removal, and restores them.
struct Removing {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  // MARK: Removing

  /// Removes versions; see ``VersionStore/remove(_:of:everywhere:)``.
  func remove(_ versions: [FileVersion], of document: URL, everywhere: Bool = false) throws {
    try environment.changing(document) { reader in
      let ids = try removable(versions, in: reader)
      return StorePlan(preview: ()) { writer in
        if everywhere { try withdraw(ids, by: writer) }
        var plan = try reader.chain.plan()
        plan.remove(ids)
        try writer.rewriteChain(plan, keepingTrash: !everywhere)
      }
    }
  }

  /// Makes a version that takes the removal to every device.
  ///
  /// Each device drops the contents when the version arrives, and none of them can be restored.
  private func withdraw(_ ids: Set<ObjectID>, by writer: borrowing StoreWriter) throws {
    let reader = writer.reader
    let current = try reader.heads.current()
    let isShown = try reader.heads.base()?.id == current.id
    var facts = try reader.facts(
      .remove, following: current, content: current.content, modified: current.facts.modified)
    facts.note = ids.map { FileVersion.PersistentIdentifier($0).short }.sorted()
      .joined(separator: ", ")
    facts.withdrawn = ids.map(\.description).sorted()
    facts.permissions = current.facts.permissions
    let record = try writer.append(facts, to: current, isShown: isShown)
    if isShown { try writer.setBase(record) }
  }

  /// Leaves the current version as the only one; see ``SynchronousStore/removeOthers(of:)``.
  func removeOthers(of document: URL) throws -> FileVersion {
    try environment.changing(document) { reader in
      let heads = try reader.heads.divergent()
      guard let current = heads.first?.record else {
        return StorePlan(nothingBut: try reader.currentVersion())
      }
      // A conflict is settled by a version that follows the current one, which then is one of the others.
      let staying = heads.count == 1 ? [current.id] : []
      try refuseIfPinned(Set(reader.chain.contents().keys).subtracting(staying), in: reader)
      return StorePlan(preview: try reader.currentVersion()) { writer in
        let present = try reader.document.copy()
        let shown = try reader.document.shownVersion(present)
        if heads.count == 1 {
          try writer.removeAll(but: current)
        } else {
          let record = try writer.settle(
            heads.map(\.record), kind: .resolve, content: current.content, removingOthers: true)
          try writer.showIfClean(record, shown: shown, settling: heads, replacing: present)
        }
        return try reader.currentVersion()
      }
    }
  }

  /// Throws the errors that ``remove(_:of:)`` would throw.
  func checkRemovable(_ versions: [FileVersion], of document: URL) throws {
    try environment.reading(document) { _ = try removable(versions, in: $0) }
  }

  private func removable(
    _ versions: [FileVersion], in reader: StoreReader
  ) throws -> Set<ObjectID> {
    let ids = Set(try versions.map { try reader.knownRecord($0).id })
    for head in try reader.heads.divergent() where ids.contains(head.record.id) {
      throw try refusalToRemove(head, in: reader)
    }
    try refuseIfPinned(ids, in: reader)
    return ids
  }

  private func refusalToRemove(_ head: Head, in reader: StoreReader) throws -> VersionError {
    let name = reader.location.printable
    let identifier = FileVersion.PersistentIdentifier(head.record.id)
    let short = identifier.short
    if try reader.heads.divergent().first?.record.id == head.record.id {
      return VersionError(
        .currentVersion, document: name,
        message: "Version \(short) is the current version of “\(name)” and can’t be removed.")
    }
    return VersionError(
      .unresolvedConflict, document: name,
      message: "Version \(short) of “\(name)” is in an unresolved conflict.",
      recovery: .markResolved(version: identifier.description))
  }

  // MARK: Marks

  /// Pins or unpins versions; see ``SynchronousStore/setPinned(_:_:of:)``.
  func setPinned(_ isPinned: Bool, _ versions: [FileVersion], of document: URL) throws {
    try environment.changing(document) { reader in
      let ids = try versions.map { try reader.localRecord($0).id }
      var plan = try reader.chain.plan()
      let changed = ids.filter { (plan.marks[$0]?.isPinned ?? false) != isPinned }
      guard !changed.isEmpty else { return StorePlan(nothingBut: ()) }
      for id in changed { plan.marks[id, default: ContentCommit.Marks()].isPinned = isPinned }
      return StorePlan(preview: ()) { [plan] writer in
        try writer.rewriteChain(plan, keepingTrash: false)
      }
    }
  }

  /// Lets the system drop the contents of a version when space is needed.
  func makeDiscardable(_ version: FileVersion) throws {
    try makeDiscardable(version.persistentIdentifier, of: version.documentURL) {
      _ = try $0.knownRecord(version)
    }
  }

  /// Lets the system drop the contents of a version when space is needed; does nothing if they are no longer
  /// here.
  func makeDiscardable(
    _ identifier: FileVersion.PersistentIdentifier, of document: URL,
    checking check: (StoreReader) throws -> Void = { _ in }
  ) throws {
    try environment.changing(document) { reader in
      try check(reader)
      let id = identifier.objectID
      guard try reader.heads.divergent().first?.record.id != id else {
        throw VersionError(
          .currentVersion, document: reader.location.printable,
          message: "The current version of “\(reader.location.printable)” can’t be discardable.")
      }
      var plan = try reader.chain.plan()
      guard plan.kept.contains(id) else { return StorePlan(nothingBut: ()) }
      plan.marks[id, default: ContentCommit.Marks()].isDiscardable = true
      return StorePlan(preview: ()) { [plan] writer in
        try writer.rewriteChain(plan, keepingTrash: false)
      }
    }
  }

  /// Throws an error for removing contents if some of them are pinned.
  private func refuseIfPinned(_ ids: Set<ObjectID>, in reader: StoreReader) throws {
    let contents = try reader.chain.contents()
    let pinned = ids.filter { contents[$0]?.marks.isPinned == true }.sorted()
    guard !pinned.isEmpty else { return }
    let name = reader.location.printable
    let identifiers = pinned.map { FileVersion.PersistentIdentifier($0) }
    let names = identifiers.map(\.short).joined(separator: " ")
    throw VersionError(
      .pinnedVersion, document: name,
      message: pinned.count == 1
        ? "Version \(names) of “\(name)” is pinned and can’t be removed."
        : "Versions \(names) of “\(name)” are pinned and can’t be removed.",
      recovery: .unpin(versions: identifiers.map(\.description)))
  }

  // MARK: Restoring

  /// Returns the versions that can be restored; see ``VersionStore/removedVersions(of:)``.
  func removedVersions(of document: URL) throws -> [FileVersion] {
    try environment.reading(document) { reader in
      let withdrawn = try reader.withdrawnVersions()
      return try reader.trash.removedContents().keys.filter { !withdrawn.contains($0) }
        .map { try reader.version($0) }
        .filter { !$0.isDeletion }
        .sorted { ($0.savingDate, $0.id.description) > ($1.savingDate, $1.id.description) }
    }
  }

  /// Restores removed versions; see ``VersionStore/undelete(_:of:)``.
  func undelete(_ versions: [FileVersion]?, of document: URL) throws -> [FileVersion] {
    try environment.changing(document) { reader in
      let withdrawn = try reader.withdrawnVersions()
      let removed = try reader.trash.removedContents().filter { !withdrawn.contains($0.key) }
      let present = try reader.chain.contents()
      let ids = try versions?.map { try reader.knownRecord($0).id } ?? Array(removed.keys)
      let wanted = Set(ids).filter { present[$0] == nil }
      let name = reader.location.printable
      if let lost = wanted.first(where: { removed[$0] == nil }) {
        throw VersionError(
          .contentsNotLocal, document: name,
          message: """
            The contents of \(try reader.record(lost).shortName) of “\(name)” can’t be \
            brought back: they are not on this device any more.
            """)
      }
      if wanted.isEmpty { return StorePlan(nothingBut: []) }
      let plan = try reader.trash.plan(bringingBack: wanted)
      if let stray = try reader.trash.unreachable(wanted, by: plan).min() {
        throw VersionError(
          .contentsNotLocal, document: name,
          message: """
            \(try reader.record(stray).shortName) of “\(name)” was not removed: what followed it \
            is lost, and nothing leads to it any more.
            """,
          recovery: .repairFindingLost)
      }
      return StorePlan(preview: try reader.versions(wanted)) { writer in
        try writer.rewriteChain(plan, keepingTrash: false)
        return try reader.versions(wanted)
      }
    }
  }
}

extension ContentChain.Plan {
  /// Takes the contents of records off the chain.
  package mutating func remove(_ ids: Set<ObjectID>) {
    kept.subtract(ids)
    removed.formUnion(ids)
  }
}

extension StoreReader {
  /// Returns the versions that were removed from every device, according to the versions on this device.
  package func withdrawnVersions() throws -> Set<ObjectID> {
    Set(try objects.ancestry(of: heads.all().map(\.record.id)).values.flatMap(\.withdrawn))
  }
}
