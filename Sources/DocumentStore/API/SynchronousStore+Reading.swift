internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// The operations that change nothing.
extension SynchronousStore {
  // MARK: Histories

  /// The synchronous form of ``VersionStore/history(of:newest:)``.
  package func history(of document: URL, newest most: Int? = nil) throws -> DocumentHistory {
    try environment.reading(document) { reader in
      guard let most else { return try VersionList(reader).history() }
      var history = try VersionList(reader).history(newest: max(1, most))
      if most < 1 { history.versions = [] }
      return history
    }
  }

  /// The synchronous form of ``VersionStore/version(_:of:timeZone:)``.
  package func version(
    _ selector: VersionSelector, of document: URL, timeZone: TimeZone? = nil
  ) throws -> FileVersion {
    let now = environment.clock()
    if let place = selector.place(now: now, timeZone: timeZone),
      let found = try environment.reading(document, { try VersionList($0).version(at: place) })
    {
      return found
    }
    return try selector.version(in: history(of: document), now: now, timeZone: timeZone)
  }

  /// The synchronous form of ``VersionStore/state(of:)``.
  package func state(of document: URL) throws -> EditState {
    try environment.readingIfSaved(document) { try $0.document.state() } ?? .unsaved
  }

  /// Returns the document's state and its newest versions, read in one session; `nil` if it has no versions.
  package func stateAndHistory(
    of document: URL, newest most: Int
  ) throws -> (state: EditState, history: DocumentHistory)? {
    try environment.readingIfSaved(document) { reader in
      (try reader.document.state(), try VersionList(reader).history(newest: most))
    }
  }

  /// Returns whether other devices can receive every head of a document since the last exchange; `nil` without an
  /// exchange.
  ///
  /// This reads two small files and doesn't open the store.
  package func isExchanged(_ document: URL) throws -> Bool? {
    let location = try DocumentLocation(of: document).followingRename(by: environment.fileClock)
    guard let published = try PublishedHeads(in: location.store)?.heads else {
      // An unchanged store usually came from another device.
      return try RestingDocuments.document(of: location)?.isPublished == true ? true : nil
    }
    // A store without a ledger gets one with its next change, and counts as exchanged until then.
    guard let heads = try HeadLedger(in: location.store).tail()?.heads else { return true }
    return heads.allSatisfy { published.contains($0.record) }
  }

  /// Returns the change counts of a document's versions that earlier calls computed.
  package func knownChangeCounts(of document: URL) -> CountedChanges {
    do {
      let location = try DocumentLocation(of: document).followingRename(by: environment.fileClock)
      return CountedChanges(in: location.store)
    } catch {
      // It has just been moved away.
      return CountedChanges(in: nil)
    }
  }

  /// The synchronous form of ``VersionStore/removedVersions(of:)``.
  package func removedVersions(of document: URL) throws -> [FileVersion] {
    try Removing(environment).removedVersions(of: document)
  }

  // MARK: Containers

  /// The synchronous form of ``VersionStore/documents(below:)``.
  package func documents(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try ContainerFolder.holding(folder, orGone: true) else {
      return nil
    }
    return try Layout.documents(in: container).below(folder, in: container)
      .map { $0.url(in: container) }
  }

  /// Returns the place of the document with an identifier in the container of an item; `nil` if there is none.
  package func document(_ identifier: String, inContainerOf place: URL) throws -> URL? {
    let container = try DocumentLocation(of: place).container
    return try Layout.documents(in: container).lazy.map { $0.location(in: container) }
      .first { $0.documentIdentity?.contains(identifier) == true }?.url
  }

  // MARK: Conflicts

  /// The synchronous form of ``VersionStore/documentsInConflict(below:)``.
  package func documentsInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).documents(below: folder, watchedBy: store.conflictWatch)
  }

  /// Returns the documents below a folder that may be in conflict, in the order of their paths, for a caller
  /// that opens each of them anyway.
  ///
  /// - Returns: the documents; `nil` if the folder isn't in a container.
  package func documentsMaybeInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).candidates(below: folder)
  }

  /// Reads a document's present conflict, without unsaved edits.
  ///
  /// - Returns: the result; `nil` if the document isn't in conflict.
  package func readingConflict<Result>(
    of document: URL, _ body: (ConflictState, VersionReader) throws -> Result
  ) throws -> Result? {
    try Resolving(environment).readingConflict(of: document, body)
  }

  // MARK: Contents

  /// Returns the bytes of a version that is a file, or of one member of a package.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  package func contents(of version: FileVersion, member: String?) throws -> Data {
    try ReadingContents(environment).contents(of: version, member: member)
  }

  /// Reads the bytes of a version that is a file, or of one member of a package, in pieces, for documents larger than
  /// memory.
  ///
  /// The whole version is checked before the first piece.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; `nil` for the document.
  ///   - body: a closure that receives the pieces in order, on a separate thread; an error that it throws ends the
  ///     reading.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  package func read(
    _ version: FileVersion, member: String? = nil, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try ReadingContents(environment).read(version, member: member, body)
  }

  /// The synchronous form of ``FileVersion/members(in:)``.
  package func members(
    of version: FileVersion, in folder: String? = nil
  ) throws -> [PackageMemberInfo] {
    try ReadingContents(environment).members(of: version, in: folder)
  }

  /// Returns the member of the version at a path, as listings show it.
  ///
  /// - Parameter path: the member's path in the package, with "/" between folders; literally, or as listings show it.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  package func member(_ path: String, of version: FileVersion) throws -> PackageMemberInfo {
    try ReadingContents(environment).member(path, of: version)
  }

  /// Writes a version's contents to a separate location.
  ///
  /// If this replaces another document, its unsaved edits become a version first.
  ///
  /// - Parameters:
  ///   - version: a version whose contents are on this device.
  ///   - url: the destination.
  ///   - member: a member of a package, to write only this member.
  ///   - replacing: whether an existing item may be replaced by one of its kind: a folder only by a folder with the
  ///     same name or the same extension.
  /// - Throws: ``FileError`` with code `exists` if an item exists that may not be replaced, and with `wrongKind` if it
  ///   is of another kind.
  package func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) throws {
    try Exporting(environment).export(version, to: url, member: member, replacing: replacing)
  }

  /// Returns the members that differ between two versions of a package, in byte order of their paths.
  ///
  /// A removed and an added file with the same bytes, or with at least half of their bytes in common, are one renamed
  /// member; a folder that was renamed with its contents is one change. Equal contents aren't read, so the cost depends
  /// on the changes, not on the size of the package. Between two versions that are files, and between a file and a
  /// package, there is at most one change, with an empty path.
  ///
  /// - Parameters:
  ///   - old: the older version; `nil` to report every member as added.
  ///   - new: the newer version of the same document. A deletion has no members.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents of a version aren't on this device.
  package func memberChanges(
    from old: FileVersion?, to new: FileVersion
  ) throws -> [MemberChange] {
    try comparing(new) {
      try $0.differences(from: old.map { .version($0) } ?? .nothing, to: .version(new))
    }.map(\.change)
  }

  /// Returns the members that differ between a version and the document on disk, in byte order of their paths.
  ///
  /// This works like ``memberChanges(from:to:)``, and reads the whole document on disk. If the document is missing,
  /// every member is reported as removed.
  ///
  /// - Parameter version: the older version.
  package func memberChangesOnDisk(since version: FileVersion) throws -> [MemberChange] {
    try comparing(version) { try $0.differences(from: .version(version), to: .disk) }
      .map(\.change)
  }

  /// Compares contents of a document, opening its store once.
  package func comparing<Result>(
    _ document: FileVersion, _ body: (ContentComparison) throws -> Result
  ) throws -> Result {
    try environment.reading(document.documentURL) { try body(ContentComparison(reader: $0)) }
  }

  /// Opens a document's store to read several versions.
  package func readingVersions<Result>(
    of document: URL, _ body: (VersionReader) throws -> Result
  ) throws -> Result {
    try environment.reading(document) { try body(VersionReader($0)) }
  }

  // MARK: Health

  /// Verifies every byte in a document's store, and its consistency.
  ///
  /// This changes nothing, and no other operation waits for it. It reads every content and compares it with
  /// the digest that was recorded with the save, so it takes as long as reading the store.
  ///
  /// - Returns: the findings; damage doesn't throw an error.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error if the store can't be read because of permissions,
  ///   another owner, or a failing disk. `CancellationError` after ``progress`` is canceled.
  package func verify(_ document: URL) throws -> Verification {
    try StoreVerification(environment).verify(document)
  }

  /// Tests, in a temporary folder, that damage is found and that the file system provides what a store relies on.
  ///
  /// - Parameter folder: a folder on the file system to test.
  package func selfTest(in folder: URL) throws -> SelfTest {
    try SelfTesting(environment).run(in: folder)
  }
}
