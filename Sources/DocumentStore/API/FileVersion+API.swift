public import Foundation

/// The calls of Apple's `NSFileVersion`; they throw where Apple's raise an exception or fail silently.
extension FileVersion {
  /// Returns the document's current version, which is the same on every device (`currentVersionOfItemAtURL:`).
  ///
  /// Apple's function returns a version for every existing file, even without a saved version; it represents the
  /// present contents. Here, a version is always saved: its identifier is the hash of its record, and its contents
  /// never change. So a document that was never saved has no current version, and the current version of an edited
  /// document has the contents from before the edits. ``VersionStore/state(of:)`` distinguishes these cases, and saving
  /// makes a version of the present contents.
  ///
  /// - Returns: the version; `nil` if there is no such document, or it has no saved version.
  public static func current(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try current(of: document, store: $0) }
  }

  /// Returns all versions on this device except the current one, newest first (`otherVersionsOfItemAtURL:`).
  ///
  /// - Returns: history and conflict versions; `nil` if there is no such document.
  public static func others(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try others(of: document, store: $0) }
  }

  /// Returns the unresolved conflict versions (`unresolvedConflictVersionsOfItemAtURL:`).
  ///
  /// - Returns: the versions; empty if the document isn't in conflict; `nil` if there is no such document.
  public static func unresolvedConflicts(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try unresolvedConflicts(of: document, store: $0) }
  }

  /// Returns the version with an identifier (`versionOfItemAtURL:forPersistentIdentifier:`).
  ///
  /// - Parameters:
  ///   - document: the document, on disk or not; its versions outlast it.
  ///   - identifier: the version's identity.
  ///   - store: the store that has the version.
  /// - Returns: the version; `nil` if it no longer exists.
  public static func version(
    of document: URL, identifier: PersistentIdentifier, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try version(of: document, identifier: identifier, store: $0) }
  }

  /// Adds a version with contents from a file or folder (`addVersionOfItemAtURL:withContentsOfURL:`).
  ///
  /// If the contents are the document itself, they become the new current version, as with saving. Contents from
  /// elsewhere become one of the other versions; the document and its current version stay unchanged.
  ///
  /// - Parameters:
  ///   - document: the document; it must exist.
  ///   - contents: the file or folder with the version's contents.
  ///   - isMoving: whether the contents are moved into the store; otherwise they are copied.
  ///   - store: the store, which provides the author and the time.
  public static func add(
    to document: URL, contentsOf contents: URL, byMoving isMoving: Bool = false,
    store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform {
      try add(to: document, contentsOf: contents, byMoving: isMoving, store: $0)
    }
  }

  /// Replaces an item with this version's contents (`replaceItemAtURL:options:`).
  ///
  /// If the item is the document itself, this is the same as ``VersionStore/restore(_:of:)``: unsaved edits become a
  /// version first. Elsewhere, the contents are written as a separate file. The item keeps its name; only its extension
  /// changes to the version's, if the two differ.
  ///
  /// - Parameters:
  ///   - url: the item to replace, which need not exist.
  ///   - isMoving: whether the version's contents leave the store.
  /// - Returns: the location of the contents.
  @discardableResult
  public func replaceItem(at url: URL, byMoving isMoving: Bool = false) async throws -> URL {
    try await perform { try $0.replaceItem(at: url, byMoving: isMoving) }
  }

  /// Removes the version's contents from this device (`removeAndReturnError:`).
  ///
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` for such versions:
  ///   delete the document to remove its current version, mark a conflict version as resolved first, and unpin a pinned
  ///   version first.
  public func remove() async throws {
    try await perform { try $0.remove() }
  }

  /// Leaves the current version as the only one (`removeOtherVersionsOfItemAtURL:`).
  ///
  /// This resolves conflicts in favor of the current version, and removes all other contents from this device. A
  /// document that shows the current version, or was edited, stays untouched; a document that shows another version,
  /// unedited, is updated to the current one. For a document that was never saved, this does nothing.
  public static func removeOthers(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws {
    try await store.perform { try removeOthers(of: document, store: $0) }
  }

  /// Marks a conflict version as resolved (`resolved = YES`); it stays among the other versions until it is removed.
  ///
  /// On any other version, and on a resolved one, this does nothing.
  public func markResolved() async throws {
    try await perform { try $0.markResolved() }
  }

  /// A read-only copy of the version's contents, created on first use (`URL`).
  ///
  /// Don't rely on its location. It is removed when the contents have been removed and the store is collected.
  ///
  /// It is `nil` if the contents are no longer on this device.
  public var url: URL? {
    get async throws { try await perform { try $0.checkedOutURL() } }
  }

  // MARK: Moving

  /// Moves a document to another folder, and its versions with it; unsaved edits become a version first.
  ///
  /// The folder may be in another container, also on another disk (`setUbiquitous(_:itemAt:destinationURL:)`). In that
  /// case, all versions are copied, and the document is deleted at its old location, on every device that has that
  /// container. If the move fails, nothing changes at the old location.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - destination: the new location, in an existing folder; no item may exist there.
  ///   - store: the store that has the document.
  /// - Returns: the version that represents the move; its `documentURL` is the new location.
  /// - Throws: ``FileError`` with code `exists` if an item exists at the destination, and with `notFound` if its folder
  ///   doesn't exist.
  @discardableResult
  public static func move(
    _ document: URL, to destination: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform { try $0.move(document, to: destination) }
  }

  // MARK: Contents

  /// Returns the contents of a document that is a file, or of one member of a package.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func contents(ofMember member: String? = nil) async throws -> Data {
    try await perform { try $0.contents(ofMember: member) }
  }

  /// Returns the members of a version that is a package, folder by folder; empty for a file.
  ///
  /// - Parameter folder: a folder of the package, to list only its members; for a member that isn't a folder, the list
  ///   is empty.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func members(in folder: String? = nil) async throws -> [PackageMemberInfo] {
    try await perform { try ReadingContents($0.environment).members(of: $0, in: folder) }
  }

  /// Runs work with this version in the pool for blocking work; when the task is canceled, it stops.
  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (FileVersion) throws -> Result
  ) async throws -> Result {
    try await VersionStore(SynchronousStore(environment)).perform {
      try work(inEnvironment($0.environment))
    }
  }
}
