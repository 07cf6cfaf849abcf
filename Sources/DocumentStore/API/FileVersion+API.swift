internal import DocumentFiles
public import Foundation

/// Apple's `NSFileVersion`, call by call. Where Apple raises an exception or fails silently, these throw.
extension FileVersion {
  /// How ``add(to:contentsOf:options:store:)`` takes the contents.
  public struct AddingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The contents are moved into the store: the source is gone afterwards.
    public static let byMoving = AddingOptions(rawValue: 1)
  }

  /// How ``replaceItem(at:options:)`` puts a version in place.
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
  /// - Returns: nil if there is no such document, or no version of it was saved yet.
  public static func current(
    of document: URL, store: VersionStore = VersionStore()
  ) throws -> FileVersion? {
    try SavedHistory(store.environment).ifPresent(document)?.current
  }

  /// All versions on this device except the current one: history and conflict versions
  /// (`otherVersionsOfItemAtURL:`), newest first.
  ///
  /// - Returns: nil if there is no such document; empty if it has no other version.
  public static func others(
    of document: URL, store: VersionStore = VersionStore()
  ) throws -> [FileVersion]? {
    let saved = SavedHistory(store.environment)
    guard try saved.isPresent(document) else { return nil }
    return try saved.ifSaved(document)?.versions
      .filter { !$0.isCurrent && $0.hasLocalContents } ?? []
  }

  /// The unresolved conflict versions (`unresolvedConflictVersionsOfItemAtURL:`).
  ///
  /// - Returns: nil if there is no such document; empty if it is in no conflict.
  public static func unresolvedConflicts(
    of document: URL, store: VersionStore = VersionStore()
  ) throws -> [FileVersion]? {
    let saved = SavedHistory(store.environment)
    guard try saved.isPresent(document) else { return nil }
    return try saved.ifSaved(document)?.unresolvedConflicts ?? []
  }

  /// The version with an identifier (`versionOfItemAtURL:forPersistentIdentifier:`).
  ///
  /// - Parameters:
  ///   - document: the document, on disk or not: its versions outlast it.
  ///   - identifier: the version's identity.
  ///   - store: who asks.
  /// - Returns: nil if that version no longer exists.
  public static func version(
    of document: URL, identifier: PersistentIdentifier, store: VersionStore = VersionStore()
  ) throws -> FileVersion? {
    try SavedHistory(store.environment).ifSaved(document)?.versions
      .first { $0.persistentIdentifier == identifier }
  }

  /// Adds a version with contents from a file or folder (`addVersionOfItemAtURL:withContentsOfURL:`).
  ///
  /// Contents of the document itself make a new current version, as saving does. Contents from elsewhere
  /// become one of the other versions; the document and its current version stay as they are.
  ///
  /// - Parameters:
  ///   - document: the document; it must exist.
  ///   - contents: where the version's contents are.
  ///   - options: whether the contents are copied or moved.
  ///   - store: who adds, and when.
  public static func add(
    to document: URL, contentsOf contents: URL, options: AddingOptions = [],
    store: VersionStore = VersionStore()
  ) throws -> FileVersion {
    try Importing(store.environment).add(
      to: document, contentsOf: contents, moving: options.contains(.byMoving))
  }

  /// A new, empty folder to build contents in for ``add(to:contentsOf:options:store:)`` with
  /// `byMoving` (`temporaryDirectoryURLForNewVersionOfItemAtURL:`).
  ///
  /// The caller removes it.
  public static func temporaryDirectoryForNewVersion(
    of document: URL, store: VersionStore = VersionStore()
  ) throws -> URL {
    try Importing(store.environment).temporaryDirectory(for: document)
  }

  /// Puts this version's contents in place of an item (`replaceItemAtURL:options:`).
  ///
  /// In the document's own place that is ``VersionStore/restore(_:of:)``: edits that were not saved become a
  /// version first. Anywhere else, the contents are written there as a file of their own. The item
  /// keeps its name; only its extension becomes the version's, where the two differ.
  ///
  /// - Parameters:
  ///   - url: the item to replace; it need not exist.
  ///   - options: whether the version leaves the store.
  /// - Returns: where the contents are now.
  @discardableResult
  public func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
    try Exporting(environment).replaceItem(
      at: url, with: self, moving: options.contains(.byMoving))
  }

  /// Removes the version's contents from this device (`removeAndReturnError:`).
  ///
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` for those: the
  ///   current version goes with its document, a conflict version is marked as resolved first, a pinned one unpinned.
  public func remove() throws {
    try Removing(environment).remove([self], of: documentURL)
  }

  /// Leaves the current version as the only one (`removeOtherVersionsOfItemAtURL:`): conflicts are
  /// settled in its favour, and all other contents removed from this device.
  ///
  /// A document that shows the current version, or was edited, is untouched; one that shows another version as that was
  /// saved is brought to the current one. Of one that was never saved there is nothing to remove.
  public static func removeOthers(
    of document: URL, store: VersionStore = VersionStore()
  ) throws {
    do {
      try store.removeOthers(of: document)
    } catch let error as VersionError where error.code == .noVersions {
      // There are no others, as was asked for.
    }
  }

  /// Marks a conflict version as resolved (`resolved = YES`): it stays among the other versions
  /// until it is removed.
  ///
  /// On any other version, and a second time, this changes nothing.
  public func markResolved() throws {
    _ = try Resolving(environment).markResolved([self], of: documentURL)
  }

  /// Sets whether the version is resolved.
  ///
  /// - Throws: ``VersionError`` with code `cannotUnset` for false, where Apple raises an exception.
  public func setResolved(_ isResolved: Bool) throws {
    guard isResolved else { throw cannotUnset("resolved") }
    try markResolved()
  }

  /// Sets whether the system may drop the version's contents when space is needed.
  ///
  /// - Throws: ``VersionError`` with code `cannotUnset` for false, and `currentVersion` for the
  ///   current version, where Apple raises exceptions.
  public func setDiscardable(_ isDiscardable: Bool) throws {
    guard isDiscardable else { throw cannotUnset("discardable") }
    try Removing(environment).makeDiscardable(self)
  }

  /// Sets whether the contents are kept on this device whatever is thinned, until this is taken back.
  ///
  /// Other devices learn nothing of it.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when there is nothing here to keep.
  public func setPinned(_ isPinned: Bool) throws {
    try Removing(environment).setPinned(isPinned, [self], of: documentURL)
  }

  /// A read-only copy of the version's contents, made on first use (`URL`).
  ///
  /// Its place is no concern of users. It goes when the contents were removed and are collected.
  ///
  /// - Returns: nil when the contents are not on this device any more.
  public var url: URL? {
    get throws { try Exporting(environment).checkout(self) }
  }

  /// The contents of a document that is a file.
  public func contents() throws -> Data {
    try ReadingContents(environment).contents(of: self, member: nil)
  }

  /// The contents of one member of a package.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders.
  public func contents(ofMember member: String) throws -> Data {
    try ReadingContents(environment).contents(of: self, member: member)
  }

  private func cannotUnset(_ flag: String) -> VersionError {
    VersionError(
      .cannotUnset, document: localizedName,
      message: """
        Version \(persistentIdentifier.short) of “\(Printable.text(localizedName))” can become \(flag), but not cease \
        to be.
        """)
  }
}
