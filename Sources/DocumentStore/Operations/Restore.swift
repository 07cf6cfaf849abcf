internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// What restoring did.
  public struct RestoreOutcome: Sendable {
    /// The new current version, with the restored contents.
    public let version: FileVersion
    /// False when the current version had these contents already: then no version was made.
    public let isNew: Bool
    /// The version that the document's unsaved edits became first; nil where there were none.
    public let keptEdits: FileVersion?
  }

  /// Puts a version's contents in the document's place, as a new version.
  ///
  /// Edits that were not saved become a version first. A conflict stays: other devices' versions
  /// are not touched by restoring.
  ///
  /// - Parameters:
  ///   - version: the version whose contents are wanted.
  ///   - document: the document, where it was renamed since the version was listed.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when they are not on this device.
  @discardableResult
  public func restore(_ version: FileVersion, of document: URL? = nil) throws -> RestoreOutcome {
    try changing(document ?? version.documentURL) { store in
      let wanted = try store.localRecord(version)
      _ = try store.item(of: wanted)
      let present = try store.workingCopy()
      if isDryRun { return RestoreOutcome(version: version, isNew: false, keptEdits: nil) }
      let kept = try store.keepEdits(present)
      let staged = try store.stage(wanted, replacing: present)
      let current = try store.current()
      let former = try store.referenceState()
      var record = current
      if wanted.content != current.content {
        var facts = try store.facts(
          .restore, following: current, content: wanted.content, modified: wanted.facts.modified)
        facts.from = wanted.id.description
        record = try store.append(facts, to: current)
      }
      try store.show(record, replacing: present, staged: staged, orElse: former)
      return RestoreOutcome(
        version: try store.version(record.id, for: self), isNew: record.id != current.id,
        keptEdits: try kept.map { try store.version($0.id, for: self) })
    }
  }

  /// Deletes the document on every device; its versions stay, and any of them can be restored.
  ///
  /// Edits that were not saved become a version first.
  ///
  /// - Returns: the version that stands for the deletion.
  @discardableResult
  public func delete(_ document: URL) throws -> FileVersion {
    try changing(document) { store in
      let present = try store.workingCopy()
      if isDryRun { return try store.currentVersion(for: self) }
      if present != nil {
        // Before it is told of: nobody shall find it deleted later that could not be now.
        try DocumentWriter.checkNames(
          around: store.location.document, mark: store.documentIdentifier)
      }
      try store.keepEdits(present)
      let base = try store.base() ?? store.current()
      let former = try store.referenceState()
      let record =
        base.content == nil
        ? base : try store.append(store.facts(.delete, following: base, content: nil), to: base)
      try store.show(record, replacing: present, orElse: former)
      return try store.version(record.id, for: self)
    }
  }

  /// Renames the document, and its versions with it; edits that were not saved become a version first.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - name: its new name, in the same folder.
  /// - Returns: the version that stands for the rename, whose `documentURL` is the new place.
  @discardableResult
  public func rename(_ document: URL, to name: String) throws -> FileVersion {
    // Its store may be under the new name already, where this was begun before and failed half-way.
    let location = try followingRename(DocumentLocation(of: document), movingStore: true)
    _ = try existing(location)
    try ContainerPath.checkName(name, of: location.document)
    let target = try DocumentLocation(
      of: location.document.parentFolder.appending(bytes: Array(name.utf8)))
    try checkRename(of: location, to: target)
    if isDryRun { return try changing(document) { try $0.currentVersion(for: self) } }
    // The record comes last: a crash before it is a rename behind our back, which is followed.
    let former = try changing(document) { store in
      try store.keepEdits(store.workingCopy())
      try Folder.create(target.store.parentFolder)
      try store.location.move(to: target)
      return store.location
    }
    do {
      return try save(target.url, asPackage: true).version
    } catch {
      // What is told as failed was not done. Should this fail too, it was renamed behind our back.
      do { try target.move(to: former) } catch {}
      throw error
    }
  }

  /// Refuses a name that another document has or had.
  func checkRename(of location: DocumentLocation, to target: DocumentLocation) throws {
    guard target.container == location.container, try FileStatus.of(target.document) == nil else {
      throw FileError(
        .exists, path: target.document, message: "There is a “\(target.printable)” already.")
    }
    guard try !target.hasStore else {
      throw FileError(
        .exists, path: target.document,
        message: """
          There are versions of a “\(target.printable)” that was deleted or moved away; choose another name.
          """)
    }
    try target.checkSpelling(besides: location)
  }

  /// Marks conflict versions as resolved in favour of the current one; they stay among the other
  /// versions.
  ///
  /// Versions that are in no conflict are passed over.
  ///
  /// - Returns: the current version afterwards.
  @discardableResult
  public func markResolved(_ versions: [FileVersion], of document: URL) throws -> FileVersion {
    try changing(document) { store in
      let ids = Set(try versions.map { try store.knownRecord($0).id })
      let heads = try store.divergentHeads()
      let settled = heads.dropFirst().filter { ids.contains($0.record.id) }
      if settled.isEmpty || isDryRun { return try store.currentVersion(for: self) }
      let present = try store.workingCopy()
      let shown = try store.shownVersion(present)
      let record = try store.settle(
        settled.map(\.record), under: heads[0].record, kind: .resolve,
        content: heads[0].record.content)
      try store.showIfClean(
        record, shown: shown, settling: settled + [heads[0]], replacing: present)
      return try store.currentVersion(for: self)
    }
  }

  /// Removes the contents of versions from this device.
  ///
  /// The versions leave every list; what came after them keeps its identity.
  ///
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` if one
  ///   of them is; then none is removed.
  public func remove(_ versions: [FileVersion], of document: URL) throws {
    try changing(document) { store in
      let ids = try removable(versions, in: store)
      if isDryRun { return }
      var plan = try store.railPlan()
      plan.kept.subtract(ids)
      plan.removed.formUnion(ids)
      try store.rewriteRail(plan)
    }
  }

  /// Leaves the current version as the only one: open conflicts are settled in its favour, and all
  /// other contents removed from this device.
  ///
  /// - Returns: the current version afterwards.
  /// - Throws: ``VersionError`` with code `pinnedVersion` if one of the others is pinned; in a conflict the current one
  ///   is one of these, because the version that settles it follows.
  @discardableResult
  public func removeOthers(of document: URL) throws -> FileVersion {
    try changing(document) { store in
      let heads = try store.divergentHeads()
      guard let current = heads.first?.record else { return try store.currentVersion(for: self) }
      // A conflict is settled by a version that follows the current one, which then is one of the others.
      let staying = heads.count == 1 ? [current.id] : []
      try store.refuseIfPinned(Set(store.rail().keys).subtracting(staying))
      if isDryRun { return try store.currentVersion(for: self) }
      let present = try store.workingCopy()
      let shown = try store.shownVersion(present)
      if heads.count == 1 {
        try store.removeAll(but: current)
      } else {
        let record = try store.settle(
          heads.dropFirst().map(\.record), under: current, kind: .resolve, content: current.content,
          removingOthers: true)
        try store.showIfClean(record, shown: shown, settling: heads, replacing: present)
      }
      return try store.currentVersion(for: self)
    }
  }

  /// Throws what ``remove(_:of:)`` would throw.
  func checkRemovable(_ versions: [FileVersion], of document: URL) throws {
    try reading(document) { _ = try removable(versions, in: $0) }
  }

  private func removable(_ versions: [FileVersion], in store: OpenStore) throws -> Set<ObjectID> {
    let ids = Set(try versions.map { try store.knownRecord($0).id })
    for head in try store.divergentHeads() where ids.contains(head.record.id) {
      throw try refusalToRemove(head, in: store)
    }
    try store.refuseIfPinned(ids)
    return ids
  }

  private func refusalToRemove(_ head: Head, in store: OpenStore) throws -> VersionError {
    let name = store.location.printable
    let identifier = FileVersion.PersistentIdentifier(head.record.id)
    let short = identifier.short
    if try store.divergentHeads().first?.record.id == head.record.id {
      return VersionError(
        .currentVersion, document: name,
        message: "Version \(short) is the current version of “\(name)” and can’t be removed.")
    }
    return VersionError(
      .unresolvedConflict, document: name,
      message: "Version \(short) of “\(name)” is in an unresolved conflict.",
      recovery: .markResolved(version: identifier.description))
  }
}
