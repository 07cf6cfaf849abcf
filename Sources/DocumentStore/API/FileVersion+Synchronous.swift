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
    try SavedHistory(store.environment).versions(of: document) {
      $0.versions.filter { !$0.isCurrent && $0.hasLocalContents }
    }
  }

  /// The synchronous form of `unresolvedConflicts(of:store:)`.
  package static func unresolvedConflicts(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> [FileVersion]? {
    try SavedHistory(store.environment).versions(of: document, \.unresolvedConflicts)
  }

  /// The synchronous form of `nonlocal(of:store:)`.
  package static func nonlocal(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> [FileVersion]? {
    try SavedHistory(store.environment).versions(of: document) {
      $0.versions.filter { !$0.hasLocalContents && !$0.isDeletion }
    }
  }

  /// The synchronous form of `version(of:identifier:store:)`.
  package static func version(
    of document: URL, identifier: PersistentIdentifier,
    store: SynchronousStore = SynchronousStore()
  ) throws -> FileVersion? {
    try SavedHistory(store.environment).ifSaved(document)?.versions
      .first { $0.persistentIdentifier == identifier }
  }

  /// The synchronous form of `add(to:contentsOf:options:store:)`.
  package static func add(
    to document: URL, contentsOf contents: URL, options: AddingOptions = [],
    store: SynchronousStore = SynchronousStore()
  ) throws -> FileVersion {
    try Importing(store.environment).add(
      to: document, contentsOf: contents, moving: options.contains(.byMoving))
  }

  /// The synchronous form of `temporaryDirectoryForNewVersion(of:store:)`.
  package static func temporaryDirectoryForNewVersion(
    of document: URL, store: SynchronousStore = SynchronousStore()
  ) throws -> URL {
    try Importing(store.environment).temporaryDirectory(for: document)
  }

  /// The synchronous form of `replaceItem(at:options:)`.
  @discardableResult
  package func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
    try Exporting(environment).replaceItem(
      at: url, with: self, moving: options.contains(.byMoving))
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

  /// The synchronous form of `setDiscardable(_:)`.
  package func setDiscardable(_ isDiscardable: Bool) throws {
    guard isDiscardable else { throw cannotUnset("discardable") }
    try Removing(environment).makeDiscardable(self)
  }

  /// The synchronous form of `setPinned(_:)`.
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

  /// The synchronous form of `valueOrigins(ofMember:)`.
  package func valueOrigins(ofMember member: String? = nil) throws -> [ValueOrigin] {
    try environment.valueOrigins(of: self, member: member)
  }

  /// The synchronous form of `lineOrigins(ofMember:)`.
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
