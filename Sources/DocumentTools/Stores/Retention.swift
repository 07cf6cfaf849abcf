public import DocumentStore
public import Foundation

/// The versions that thinning keeps, in addition to those that it always keeps; each rule keeps more.
public struct RetentionRules: Sendable {
  /// The number of newest versions.
  public var last = 0
  /// The number of hours of which to keep the newest version.
  public var hourly = 0
  /// The number of days of which to keep the newest version.
  public var daily = 0
  /// The number of weeks of which to keep the newest version.
  public var weekly = 0
  /// The number of months of which to keep the newest version.
  public var monthly = 0
  /// The number of years of which to keep the newest version.
  public var yearly = 0

  /// Creates rules that keep nothing.
  public init() {}

  fileprivate var policy: RetentionPolicy {
    RetentionPolicy(
      last: last, hourly: hourly, daily: daily, weekly: weekly, monthly: monthly, yearly: yearly)
  }
}

/// Controlling which contents this device keeps.
extension VersionStore {
  /// Removes the contents of versions from this device, or from every device.
  ///
  /// The versions disappear from every list; later versions keep their identity.
  ///
  /// - Parameter everywhere: whether every other device also drops them at its next exchange, which a version of kind
  ///   ``VersionKind/remove`` tells it. They can't be restored then. Backups, clones of a remote, and copies that others made
  ///   are out of reach.
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` if one of them is
  ///   the current version, in an unresolved conflict, or pinned; then none is removed.
  public func remove(
    _ versions: [FileVersion], of document: URL, everywhere: Bool = false
  ) async throws {
    try await perform { try $0.remove(versions, of: document, everywhere: everywhere) }
  }

  /// The versions that were removed or thinned on this device and can still be restored, newest first.
  public func removedVersions(of document: URL) async throws -> [FileVersion] {
    try await perform { try $0.removedVersions(of: document) }
  }

  /// Restores the contents of removed versions; they are listed again as before.
  ///
  /// That works until the store is collected after the removal's grace period.
  ///
  /// - Parameters:
  ///   - versions: some of ``removedVersions(of:)``; `nil` for all. Versions that are present are ignored.
  ///   - document: the document.
  /// - Returns: the restored versions.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if one of them can't be restored; then none is.
  @discardableResult
  public func undelete(
    _ versions: [FileVersion]? = nil, of document: URL
  ) async throws -> [FileVersion] {
    try await perform { try $0.undelete(versions, of: document) }
  }

  /// Removes the contents of old versions from this device, except those that rules keep.
  ///
  /// The current version, unresolved conflict versions, pinned versions, the version that the document on disk shows,
  /// and versions that no other device can have yet always stay. Until the store is collected, thinning can be undone
  /// with ``undelete(_:of:)``.
  ///
  /// - Returns: the versions whose contents were removed.
  /// - Throws: ``VersionError`` with code `invalidArgument` for rules that keep nothing.
  @discardableResult
  public func thin(_ document: URL, keeping rules: RetentionRules) async throws -> [FileVersion] {
    try await perform { try $0.thin(document, keeping: rules.policy).removed }
  }

  /// Stores a document's versions as compactly as possible, and drops contents that were removed long enough ago.
  ///
  /// All kept contents are read and checked before anything is removed, so a damaged store stays as it is.
  ///
  /// - Parameters:
  ///   - document: a document with versions.
  ///   - grace: how long removed contents are kept; by default 14 days.
  /// - Returns: the number of bytes by which the store got smaller.
  /// - Throws: ``VersionError`` with code `damaged` if something that a version needs is missing.
  @discardableResult
  public func collect(
    _ document: URL, grace: Duration = .seconds(14 * 86_400)
  ) async throws -> Int {
    try await perform {
      let outcome = try $0.collect(document, grace: grace)
      return outcome.bytesBefore - outcome.bytesAfter
    }
  }

  /// Pins or unpins versions; a pinned version is never thinned, and can't be removed.
  ///
  /// Other devices don't receive the pins.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents of one of them aren't on this device; then
  ///   nothing is changed.
  public func setPinned(
    _ isPinned: Bool, _ versions: [FileVersion], of document: URL
  ) async throws {
    try await perform { try $0.setPinned(isPinned, versions, of: document) }
  }
}
