internal import DocumentFiles
package import Foundation

/// The synchronous forms of the operations, which wait for the disk on the caller's thread.
extension FileVersion {
  /// The synchronous form of `current(of:store:)`.
  package static func current(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> FileVersion? {
    try SavedHistory(store.environment).ifPresent(document)?.current
  }

  /// The synchronous form of `others(of:store:)`.
  package static func others(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> [FileVersion]? {
    let saved = SavedHistory(store.environment)
    guard try saved.isPresent(document) else { return nil }
    return try saved.ifSaved(document)?.versions
      .filter { !$0.isCurrent && $0.hasLocalContents } ?? []
  }

  /// The synchronous form of `unresolvedConflicts(of:store:)`.
  package static func unresolvedConflicts(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> [FileVersion]? {
    let saved = SavedHistory(store.environment)
    guard try saved.isPresent(document) else { return nil }
    return try saved.ifSaved(document)?.unresolvedConflicts ?? []
  }

  /// The synchronous form of `version(of:identifier:store:)`.
  package static func version(
    of document: URL, identifier: PersistentIdentifier,
    store: SynchronousStore = SynchronousStore()
  ) throws -> FileVersion? {
    try SavedHistory(store.environment).ifSaved(document)?.versions
      .first { $0.persistentIdentifier == identifier }
  }

  /// The synchronous form of `add(to:contentsOf:byMoving:store:)`.
  package static func add(
    to document: URL, contentsOf contents: URL, byMoving isMoving: Bool = false,
    store: SynchronousStore = SynchronousStore()
  ) throws -> FileVersion {
    try Importing(store.environment).add(
      to: document, contentsOf: contents, moving: isMoving)
  }

  /// Creates an empty folder in which to build the contents of a new version
  /// (`temporaryDirectoryURLForNewVersionOfItemAtURL:`).
  ///
  /// Use it for `add(to:contentsOf:byMoving:store:)`. The caller removes the folder.
  package static func temporaryDirectoryForNewVersion(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> URL {
    try Importing(store.environment).temporaryDirectory(for: document)
  }

  /// The synchronous form of `replaceItem(at:byMoving:)`.
  @discardableResult
  package func replaceItem(at url: URL, byMoving isMoving: Bool = false) throws -> URL {
    try Exporting(environment).replaceItem(
      at: url, with: self, moving: isMoving)
  }

  /// The synchronous form of `remove()`.
  package func remove() throws {
    try Removing(environment).remove([self], of: documentURL)
  }

  /// The synchronous form of `removeOthers(of:store:)`.
  package static func removeOthers(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws {
    do {
      try store.removeOthers(of: document)
    } catch let error as VersionError where error.code == .noVersions {
      // There are no others, as was asked for.
    }
  }

  /// The synchronous form of `markResolved()`.
  package func markResolved() throws {
    _ = try Resolving(environment).markResolved([self], of: documentURL)
  }

  /// Sets whether the system may drop the version's contents when space is needed.
  ///
  /// - Throws: ``VersionError`` with code `cannotUnset` for `false`, and `currentVersion` for the current version;
  ///   Apple's property raises exceptions in these cases.
  package func setDiscardable(_ isDiscardable: Bool) throws {
    guard isDiscardable else { throw cannotUnset("discardable") }
    try Removing(environment).makeDiscardable(self)
  }

  /// Sets whether this device keeps the contents when it thins versions.
  ///
  /// Other devices don't receive this setting.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents aren't on this device.
  package func setPinned(_ isPinned: Bool) throws {
    try Removing(environment).setPinned(isPinned, [self], of: documentURL)
  }

  /// The synchronous form of ``url``.
  package func checkedOutURL() throws -> URL? {
    try Exporting(environment).checkout(self)
  }

  /// The synchronous form of `contents(ofMember:)`.
  package func contents(ofMember member: String? = nil) throws -> Data {
    try ReadingContents(environment).contents(of: self, member: member)
  }

  /// Returns the version that added each value of this version, which is JSON, YAML, TOML, settings, or a table.
  ///
  /// Values are traced as ``lineOrigins(ofMember:)`` traces lines: also if they moved with their list, row or layout.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `invalidArgument` if the contents have no such structure, or are too large, and
  ///   with `noSuchMember` or `contentsNotLocal`.
  package func valueOrigins(ofMember member: String? = nil) throws -> [ValueOrigin] {
    try environment.valueOrigins(of: self, member: member)
  }

  /// Returns the version that added each line of this version's text.
  ///
  /// Lines are traced through merges and, in a package, through renamed members.
  ///
  /// - Parameter member: the member's path in the package, with "/" between folders; `nil` for the document.
  /// - Throws: ``VersionError`` with code `invalidArgument` if the contents aren't text, or are too large, and with
  ///   `noSuchMember` or `contentsNotLocal`.
  package func lineOrigins(ofMember member: String? = nil) throws -> [LineOrigin] {
    try environment.lineOrigins(of: self, member: member)
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
