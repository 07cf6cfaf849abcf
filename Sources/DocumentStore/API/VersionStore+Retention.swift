public import Foundation

/// Keeping and removing versions.
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

  /// Leaves the current version as the only one: resolves open conflicts in its favor, and removes all other contents
  /// from this device.
  ///
  /// - Returns: the current version afterward.
  /// - Throws: ``VersionError`` with code `pinnedVersion` if another version is pinned. In a conflict, that includes
  ///   the current version, because the version that resolves the conflict follows it.
  @discardableResult
  package func removeOthers(of document: URL) async throws -> FileVersion {
    try await perform { try $0.removeOthers(of: document) }
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

  /// Pins or unpins versions; other devices don't receive the pins.
  ///
  /// A pinned version is never thinned, and can't be removed.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents of one of them aren't on this device; then
  ///   nothing is changed.
  package func setPinned(
    _ isPinned: Bool = true, _ versions: [FileVersion], of document: URL
  ) async throws {
    try await perform { try $0.setPinned(isPinned, versions, of: document) }
  }

  /// Removes the contents of old versions from this device, according to a policy.
  ///
  /// The policy uses the dates on which the versions were made. Under every policy, the following stay: the current
  /// version, unresolved conflict versions and their bases, pinned versions, the version that the document on disk
  /// shows, and, once the document was exchanged, the version that was published last and the versions that no other
  /// device can have yet. Versions whose contents are elsewhere don't count, and other devices keep what they have.
  ///
  /// No rule keeps a discardable version, whether or not it was exchanged.
  ///
  /// Until the store is collected, thinning can be undone.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - policy: what to keep.
  ///   - timeZone: the time zone in which days and other periods begin; by default the system's.
  /// - Returns: the outcome for each version, and the reason.
  /// - Throws: ``VersionError`` with code `invalidArgument` for a policy that keeps nothing.
  @discardableResult
  package func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil
  ) async throws -> ThinOutcome {
    try await perform { try $0.thin(document, keeping: policy, timeZone: timeZone) }
  }
}
