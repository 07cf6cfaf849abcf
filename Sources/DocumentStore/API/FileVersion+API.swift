public import Foundation

/// Apple's `NSFileVersion`, call by call. Where Apple raises an exception or fails silently, these throw.
extension FileVersion {
  /// The ways in which ``add(to:contentsOf:options:store:)`` takes the contents.
  public struct AddingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The contents are moved into the store: the source is gone afterwards.
    public static let byMoving = AddingOptions(rawValue: 1)
  }

  /// The ways in which ``replaceItem(at:options:)`` puts a version in place.
  public struct ReplacingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The version leaves the store: it becomes the file, and is no version any more.
    public static let byMoving = ReplacingOptions(rawValue: 1)
  }

  /// The document's current version, the same one on every device
  /// (`currentVersionOfItemAtURL:`).
  ///
  /// Apple's function returns a version for every file that exists, also for one without a saved version: it stands for
  /// the present contents, whatever they are. Here a version is something that was saved: its identifier is the hash of
  /// what it holds, and its contents never change. So a document that was never saved has no current version, and that
  /// of an edited one has the contents from before the edits. ``VersionStore/state(of:)`` distinguishes these, and
  /// saving makes a version of the present contents.
  ///
  /// - Returns: nil if there is no such document, or no version of it was saved yet.
  public static func current(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try current(of: document, store: $0) }
  }

  /// All versions on this device except the current one: history and conflict versions
  /// (`otherVersionsOfItemAtURL:`), newest first.
  ///
  /// - Returns: nil if there is no such document; empty if it has no other version.
  public static func others(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try others(of: document, store: $0) }
  }

  /// The unresolved conflict versions (`unresolvedConflictVersionsOfItemAtURL:`).
  ///
  /// - Returns: nil if there is no such document; empty if it is in no conflict.
  public static func unresolvedConflicts(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try unresolvedConflicts(of: document, store: $0) }
  }

  /// The version with an identifier (`versionOfItemAtURL:forPersistentIdentifier:`).
  ///
  /// - Parameters:
  ///   - document: the document, on disk or not: its versions outlast it.
  ///   - identifier: the version's identity.
  ///   - store: the store that has the version.
  /// - Returns: nil if that version no longer exists.
  public static func version(
    of document: URL, identifier: PersistentIdentifier, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try version(of: document, identifier: identifier, store: $0) }
  }

  /// Adds a version with contents from a file or folder (`addVersionOfItemAtURL:withContentsOfURL:`).
  ///
  /// Contents of the document itself make a new current version, as saving does. Contents from elsewhere
  /// become one of the other versions; the document and its current version stay as they are.
  ///
  /// - Parameters:
  ///   - document: the document; it must exist.
  ///   - contents: the file or folder with the version's contents.
  ///   - options: whether the contents are copied or moved.
  ///   - store: the store, which knows the person who adds and the time.
  public static func add(
    to document: URL, contentsOf contents: URL, options: AddingOptions = [],
    store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform {
      try add(to: document, contentsOf: contents, options: options, store: $0)
    }
  }

  /// Makes a new, empty folder to build contents in for ``add(to:contentsOf:options:store:)`` with
  /// `byMoving` (`temporaryDirectoryURLForNewVersionOfItemAtURL:`).
  ///
  /// The caller removes it.
  public static func temporaryDirectoryForNewVersion(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> URL {
    try await store.perform { try temporaryDirectoryForNewVersion(of: document, store: $0) }
  }

  /// Puts this version's contents in place of an item (`replaceItemAtURL:options:`).
  ///
  /// In the document's own place that is ``VersionStore/restore(_:of:)``: unsaved edits become a
  /// version first. Anywhere else, the contents are written there as a file of their own. The item
  /// keeps its name; only its extension becomes the version's, where the two differ.
  ///
  /// - Parameters:
  ///   - url: the item to replace; it need not exist.
  ///   - options: whether the version leaves the store.
  /// - Returns: where the contents are now.
  @discardableResult
  public func replaceItem(at url: URL, options: ReplacingOptions = []) async throws -> URL {
    try await perform { try $0.replaceItem(at: url, options: options) }
  }

  /// Removes the version's contents from this device (`removeAndReturnError:`).
  ///
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` for those: the
  ///   current version goes with its document, a conflict version is marked as resolved first, a pinned one unpinned.
  public func remove() async throws {
    try await perform { try $0.remove() }
  }

  /// Leaves the current version as the only one (`removeOtherVersionsOfItemAtURL:`): conflicts are
  /// settled in its favour, and all other contents removed from this device.
  ///
  /// A document that shows the current version, or was edited, is untouched; one that shows another version as that was
  /// saved is brought to the current one. Of one that was never saved there is nothing to remove.
  public static func removeOthers(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws {
    try await store.perform { try removeOthers(of: document, store: $0) }
  }

  /// Marks a conflict version as resolved (`resolved = YES`): it stays among the other versions
  /// until it is removed.
  ///
  /// On any other version, and a second time, this changes nothing.
  public func markResolved() async throws {
    try await perform { try $0.markResolved() }
  }

  /// Sets whether the system may drop the version's contents when space is needed.
  ///
  /// - Throws: ``VersionError`` with code `cannotUnset` for false, and `currentVersion` for the
  ///   current version, where Apple raises exceptions.
  public func setDiscardable(_ isDiscardable: Bool) async throws {
    try await perform { try $0.setDiscardable(isDiscardable) }
  }

  /// Sets whether the contents are kept on this device when others are thinned, until this is taken back.
  ///
  /// Other devices learn nothing of it.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when there is nothing here to keep.
  public func setPinned(_ isPinned: Bool) async throws {
    try await perform { try $0.setPinned(isPinned) }
  }

  /// A read-only copy of the version's contents, made on first use (`URL`).
  ///
  /// Its place is no concern of users. It goes when the contents were removed and are collected.
  ///
  /// - Returns: nil when the contents are not on this device any more.
  public var url: URL? {
    get async throws { try await perform { try $0.checkedOutURL() } }
  }

  // MARK: Moving

  /// Moves a document to another folder, and its versions with it; unsaved edits become a version first.
  ///
  /// The folder may be in another container, also on another disk (`setUbiquitous(_:itemAt:destinationURL:)`). Then all
  /// versions are copied, and the document is deleted where it was, on every device that has that container. Where this
  /// fails, nothing has changed there.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - destination: its new place, in a folder that is there; nothing may be at the place itself.
  ///   - store: the store that has the document.
  /// - Returns: the version that stands for the move, whose `documentURL` is the new place.
  /// - Throws: ``FileError`` with code `exists` where something is at the place, and with `notFound` where its folder
  ///   is not there.
  @discardableResult
  public static func move(
    _ document: URL, to destination: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform { try $0.move(document, to: destination) }
  }

  // MARK: Contents

  /// The version that brought each line of this version's text.
  ///
  /// Lines are followed through merges, and of a package through members that were renamed.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; nil for the document.
  /// - Throws: ``VersionError`` with code `invalidArgument` for what is no text, or too large, and with `noSuchMember`
  ///   or `contentsNotLocal`.
  public func lineOrigins(ofMember member: String? = nil) async throws -> [LineOrigin] {
    try await perform { try $0.lineOrigins(ofMember: member) }
  }

  /// The contents of a document that is a file, or of one member of a package.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; nil for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func contents(ofMember member: String? = nil) async throws -> Data {
    try await perform { try $0.contents(ofMember: member) }
  }

  /// The members of a version that is a package, folder by folder; empty for a file.
  ///
  /// - Parameter folder: lists only what is in this folder of the package; empty for another member.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func members(in folder: String? = nil) async throws -> [PackageMemberInfo] {
    try await perform { try ReadingContents($0.environment).members(of: $0, in: folder) }
  }

  /// The member of the version at a path, as listings show it.
  ///
  /// - Parameter path: the member's path in the package, with "/" between folders; as it is, or as listings show it.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  package func member(_ path: String) async throws -> PackageMemberInfo {
    try await perform { try ReadingContents($0.environment).member(path, of: $0) }
  }

  /// Runs work with this version in the pool for blocking work; when the task is cancelled, it stops.
  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (FileVersion) throws -> Result
  ) async throws -> Result {
    try await VersionStore(SynchronousStore(environment)).perform {
      try work(inEnvironment($0.environment))
    }
  }
}
