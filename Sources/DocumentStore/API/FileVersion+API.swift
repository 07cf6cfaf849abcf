public import Foundation

/// The calls of Apple's `NSFileVersion`; they throw where Apple's raise an exception or fail silently.
extension FileVersion {
  /// Options for adding a version with ``add(to:contentsOf:options:store:)``.
  public struct AddingOptions: OptionSet, Sendable {
    /// The options as a bit mask.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Moves the contents into the store, and removes the source.
    public static let byMoving = AddingOptions(rawValue: 1)
  }

  /// Options for replacing an item with ``replaceItem(at:options:)``.
  public struct ReplacingOptions: OptionSet, Sendable {
    /// The options as a bit mask.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Removes the version from the store when it becomes the file.
    public static let byMoving = ReplacingOptions(rawValue: 1)
  }

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

  /// Returns the versions whose contents are not on this device (`getNonlocalVersionsOfItemAtURL:completionHandler:`),
  /// newest first.
  ///
  /// Their authors and dates are known, as of any version; ``hasLocalContents`` is `false` for them. Their contents are on
  /// other devices, or were removed from all of them. The deletion of a document has no contents, and is not among them.
  ///
  /// - Returns: the versions; empty if the contents of all versions are here, `nil` if there is no such document.
  public static func nonlocal(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try nonlocal(of: document, store: $0) }
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
  ///   - options: whether the contents are copied or moved.
  ///   - store: the store, which provides the author and the time.
  public static func add(
    to document: URL, contentsOf contents: URL, options: AddingOptions = [],
    store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform {
      try add(to: document, contentsOf: contents, options: options, store: $0)
    }
  }

  /// Creates an empty folder in which to build the contents of a new version
  /// (`temporaryDirectoryURLForNewVersionOfItemAtURL:`).
  ///
  /// Use it for ``add(to:contentsOf:options:store:)`` with `byMoving`. The caller removes the folder.
  public static func temporaryDirectoryForNewVersion(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> URL {
    try await store.perform { try temporaryDirectoryForNewVersion(of: document, store: $0) }
  }

  /// Replaces an item with this version's contents (`replaceItemAtURL:options:`).
  ///
  /// If the item is the document itself, this is the same as ``VersionStore/restore(_:of:)``: unsaved edits become a
  /// version first. Elsewhere, the contents are written as a separate file. The item keeps its name; only its extension
  /// changes to the version's, if the two differ.
  ///
  /// - Parameters:
  ///   - url: the item to replace, which need not exist.
  ///   - options: whether the version leaves the store.
  /// - Returns: the location of the contents.
  @discardableResult
  public func replaceItem(at url: URL, options: ReplacingOptions = []) async throws -> URL {
    try await perform { try $0.replaceItem(at: url, options: options) }
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

  /// Sets whether the system may drop the version's contents when space is needed.
  ///
  /// - Throws: ``VersionError`` with code `cannotUnset` for `false`, and `currentVersion` for the current version;
  ///   Apple's property raises exceptions in these cases.
  public func setDiscardable(_ isDiscardable: Bool) async throws {
    try await perform { try $0.setDiscardable(isDiscardable) }
  }

  /// Sets whether this device keeps the contents when it thins versions.
  ///
  /// Other devices don't receive this setting.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents aren't on this device.
  public func setPinned(_ isPinned: Bool) async throws {
    try await perform { try $0.setPinned(isPinned) }
  }

  /// A read-only copy of the version's contents, created on first use (`URL`).
  ///
  /// Don't rely on its location. It is removed when the contents have been removed and the store is collected.
  ///
  /// It is `nil` if the contents are no longer on this device.
  public var url: URL? {
    get async throws { try await perform { try $0.checkedOutURL() } }
  }

  // MARK: Contents

  /// Returns the version that added each line of this version's text.
  ///
  /// Lines are traced through merges and, in a package, through renamed members.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `invalidArgument` if the contents aren't text, or are too large, and with
  ///   `noSuchMember` or `contentsNotLocal`.
  public func lineOrigins(ofMember member: String? = nil) async throws -> [LineOrigin] {
    try await perform { try $0.lineOrigins(ofMember: member) }
  }

  /// Returns the version that added each value of this version, which is JSON, YAML, TOML, settings, or a table.
  ///
  /// Values are traced as ``lineOrigins(ofMember:)`` traces lines: also if they moved with their list, row or layout.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `invalidArgument` if the contents have no such structure, or are too large, and
  ///   with `noSuchMember` or `contentsNotLocal`.
  public func valueOrigins(ofMember member: String? = nil) async throws -> [ValueOrigin] {
    try await perform { try $0.valueOrigins(ofMember: member) }
  }

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
