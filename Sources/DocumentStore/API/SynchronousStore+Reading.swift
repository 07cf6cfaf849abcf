internal import DocumentFiles
package import DocumentTypes
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

  /// The document's state and its newest versions, read in one session; nil where it has no versions.
  package func stateAndHistory(
    of document: URL, newest most: Int
  ) throws -> (state: EditState, history: DocumentHistory)? {
    try environment.readingIfSaved(document) { reader in
      (try reader.document.state(), try VersionList(reader).history(newest: most))
    }
  }

  /// Returns whether other devices can get every head of a document since the last exchange; nil where it was in none.
  ///
  /// Two small files of the store say so; it is not opened.
  package func isExchanged(_ document: URL) throws -> Bool? {
    let location = try DocumentLocation(of: document).followingRename(by: environment.fileClock)
    guard let published = try PublishedHeads(in: location.store)?.heads else { return nil }
    // A store without a ledger gets one with its next change, and is exchanged then.
    guard let heads = try HeadLedger(in: location.store).tail()?.heads else { return true }
    return heads.allSatisfy { published.contains($0.record) }
  }

  /// The change counts of a document's versions that earlier calls have computed.
  package func knownChangeCounts(of document: URL) -> KnownChangeCounts {
    do {
      let location = try DocumentLocation(of: document).followingRename(by: environment.fileClock)
      return KnownChangeCounts(CountedChanges(in: location.store))
    } catch {
      // It was moved away just now.
      return KnownChangeCounts(CountedChanges(in: nil))
    }
  }

  /// What an app remembers of a document on this device; nil where that is nothing.
  ///
  /// - Throws: ``FileError`` with code `too-large` for more than ``mostPrivateState``.
  package func privateState(of document: URL) throws -> [UInt8]? {
    try privateStateFile(of: document).flatMap {
      try SmallFile.read($0, limit: Self.mostPrivateState)
    }
  }

  /// Sets what an app remembers of a document on this device: no version, and nothing that other devices get.
  ///
  /// - Parameter bytes: nil for nothing.
  /// - Returns: false where the document has no versions yet, and so no place for it.
  package func setPrivateState(_ bytes: [UInt8]?, of document: URL) throws -> Bool {
    guard let file = try privateStateFile(of: document) else { return false }
    guard let bytes else {
      try Folder.removeTree(file)
      return true
    }
    guard bytes.count <= Self.mostPrivateState else {
      throw FileError(
        .tooLarge, path: file,
        message:
          "A private state of \(bytes.count) bytes is more than the \(Self.mostPrivateState) it may have."
      )
    }
    try SmallFile.replaceCache(file, bytes, isPrivate: true)
    return true
  }

  private static var mostPrivateState: Int { 1 << 20 }

  private func privateStateFile(of document: URL) throws -> FilePath? {
    let location = try DocumentLocation(of: document).followingRename(by: environment.fileClock)
    return try location.hasStore ? StoreFile.privateState.path(in: location.store) : nil
  }

  /// The synchronous form of ``VersionStore/removedVersions(of:)``.
  package func removedVersions(of document: URL) throws -> [FileVersion] {
    try Removing(environment).removedVersions(of: document)
  }

  // MARK: Containers

  /// The synchronous form of ``VersionStore/documents(below:)``.
  package func documents(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    return try Layout.storedDocuments(in: container).below(folder, in: container)
      .map { $0.location(in: container).url }
  }

  /// The documents below a folder, and which of them are certainly unchanged; nil when the folder is in no container.
  package func unchangedDocuments(below folder: URL) throws -> UnchangedDocuments? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    return try UnchangedDocuments(
      below: folder, in: container, readSince: environment.fileClock.now)
  }

  /// The new places of documents that were renamed outside docversions, as by `mv`, and were not saved since.
  ///
  /// Only the folders that they were in are read. All other operations find a document's versions under its new name.
  ///
  /// - Parameter documents: where documents with versions are or were.
  /// - Returns: the new places by the former ones; nothing of a document that is at its place, in another folder, or
  ///   nowhere.
  /// - Throws: ``FileError`` where a folder can't be listed.
  package func renamedDocuments(among documents: [URL]) throws -> [URL: URL] {
    try MissingDocuments(among: documents).renamed()
  }

  /// The synchronous form of ``VersionStore/movedDocuments(among:)``.
  package func movedDocuments(among documents: [URL]) throws -> [URL: URL] {
    try MissingDocuments(among: documents).moved(by: environment.fileClock)
  }

  /// The place of the document with an identifier in the container of another place; nil where none is there.
  package func document(_ identifier: String, inContainerOf place: URL) throws -> URL? {
    let container = try DocumentLocation(of: place).container
    return try Layout.storedDocuments(in: container).lazy.map { $0.location(in: container) }
      .first { $0.documentIdentity?.contains(identifier) == true }?.url
  }

  /// The types that a container declares, file by file in the order of their names.
  ///
  /// - Throws: ``FileError`` that names the file with which something is wrong.
  package func declaredTypes(in container: URL) throws -> [TypeDeclarations] {
    try DeclaredTypes(environment).declarations(in: container)
  }

  /// The synchronous form of ``VersionStore/types(for:)``.
  package func types(for document: URL) throws -> DocumentTypes {
    try DeclaredTypes(environment).types(in: DocumentLocation(of: document).container)
  }

  /// Returns whether a save without options takes a folder as one document: because of its name, or because the last
  /// version there is a package.
  package func isPackage(_ document: URL) throws -> Bool {
    try Saving(environment).isPackage(DocumentLocation(of: document))
  }

  // MARK: Conflicts

  /// The synchronous form of ``VersionStore/documentsInConflict(below:)``.
  package func documentsInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).documents(below: folder, watchedBy: store.conflictWatch)
  }

  /// The documents below a folder that may be in a conflict, in the order of their paths: for a caller that opens each
  /// anyway.
  ///
  /// - Returns: nil when the folder is in no container.
  package func documentsMaybeInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).candidates(below: folder)
  }

  /// Reads a document's conflict as it is now, without its unsaved edits.
  ///
  /// - Returns: nil when the document is in no conflict.
  package func readingConflict<Result>(
    of document: URL, _ body: (ConflictState, VersionReader) throws -> Result
  ) throws -> Result? {
    try Resolving(environment).readingConflict(of: document, body)
  }

  // MARK: Contents

  /// The bytes of a version that is a file, or of one member of a package.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; nil for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  package func contents(of version: FileVersion, member: String?) throws -> Data {
    try ReadingContents(environment).contents(of: version, member: member)
  }

  /// Hands out the bytes of a version that is a file, or of one member of a package, piece by piece: for
  /// documents larger than memory.
  ///
  /// The whole version is checked before the first piece.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  ///   - body: called for one piece after the other, on a thread of its own; an error that it throws ends the reading.
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

  /// The synchronous form of ``FileVersion/member(_:)``.
  package func member(_ path: String, of version: FileVersion) throws -> PackageMemberInfo {
    try ReadingContents(environment).member(path, of: version)
  }

  /// The synchronous form of ``VersionStore/export(_:to:member:replacing:)``.
  package func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) throws {
    try Exporting(environment).export(version, to: url, member: member, replacing: replacing)
  }

  /// The members that differ between two versions of a package, in byte order of their paths.
  ///
  /// A removed and an added file with the same bytes are one renamed member, and so are two files that have at
  /// least half of their bytes in common; a folder that was renamed with all it holds is one change. Contents that are
  /// equal are not read, so it costs what has changed, not what there is. Of documents that are files in both
  /// versions there is one change at most, with an empty path; the same where a file became a package.
  ///
  /// - Parameters:
  ///   - old: the version before; nil for nothing, so that every member is an added one.
  ///   - new: the version afterwards, of the same document. A deletion is without members.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when the contents of one are not on this device.
  package func memberChanges(
    from old: FileVersion?, to new: FileVersion
  ) throws -> [MemberChange] {
    try comparing(new) {
      try $0.differences(from: old.map { .version($0) } ?? .nothing, to: .version(new))
    }.map(\.change)
  }

  /// The members that differ between a version and the document on disk, in byte order of their paths.
  ///
  /// As ``memberChanges(from:to:)``; the document on disk is read whole. Without it every member is a removed
  /// one.
  ///
  /// - Parameter version: the version before.
  package func memberChangesOnDisk(since version: FileVersion) throws -> [MemberChange] {
    try comparing(version) { try $0.differences(from: .version(version), to: .disk) }
      .map(\.change)
  }

  /// Compares contents of a document, with its store opened once.
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

  /// Verifies a document's store: every byte that is kept, and that all of it fits together.
  ///
  /// Changes nothing, and no other operation waits for it. Reads every content and compares it with the digest that was
  /// taken when it was saved, so this takes as long as reading the store.
  ///
  /// - Returns: the findings; damage is no error here.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error where the store cannot be read:
  ///   permissions, another owner, a failing disk. `CancellationError` once ``progress`` is cancelled.
  package func verify(_ document: URL) throws -> Verification {
    try StoreVerification(environment).verify(document)
  }

  /// Tries out, in a scratch folder inside a folder, that damage is found and that the file system keeps what a store
  /// relies on.
  ///
  /// - Parameter folder: a folder on the file system in question.
  package func selfTest(in folder: URL) throws -> SelfTest {
    try SelfTesting(environment).run(in: folder)
  }
}
