public import Foundation

/// Keeping versions and letting go of them.
extension VersionStore {
  /// Removes the contents of versions from this device, or from every one.
  ///
  /// The versions leave every list; what came after them keeps its identity.
  ///
  /// - Parameter everywhere: whether every other device drops them, too, when it exchanges next: a version of kind
  ///   ``VersionKind/remove`` says so. They can't be brought back then. It does not reach backups, clones of a remote, and
  ///   what others have copied.
  /// - Throws: ``VersionError`` with code `currentVersion`, `unresolvedConflict` or `pinnedVersion` if one
  ///   of them is; then none is removed.
  public func remove(
    _ versions: [FileVersion], of document: URL, everywhere: Bool = false
  ) async throws {
    try await perform { try $0.remove(versions, of: document, everywhere: everywhere) }
  }

  /// Leaves the current version as the only one: open conflicts are settled in its favour, and all
  /// other contents removed from this device.
  ///
  /// - Returns: the current version afterwards.
  /// - Throws: ``VersionError`` with code `pinnedVersion` if one of the others is pinned; in a conflict the current one
  ///   is one of these, because the version that settles it follows.
  @discardableResult
  package func removeOthers(of document: URL) async throws -> FileVersion {
    try await perform { try $0.removeOthers(of: document) }
  }

  /// The versions that were removed or thinned on this device, and whose contents can still be brought back,
  /// newest first.
  public func removedVersions(of document: URL) async throws -> [FileVersion] {
    try await perform { try $0.removedVersions(of: document) }
  }

  /// Brings the contents of removed versions back; they are listed again as they were.
  ///
  /// That works until the store is collected after the removal's grace time.
  ///
  /// - Parameters:
  ///   - versions: some of ``removedVersions(of:)``; nil for all. Those that are there are passed over.
  ///   - document: the document.
  /// - Returns: the versions that are back.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` for one that cannot be brought back; then none
  ///   is.
  @discardableResult
  public func undelete(
    _ versions: [FileVersion]? = nil, of document: URL
  ) async throws -> [FileVersion] {
    try await perform { try $0.undelete(versions, of: document) }
  }

  /// Pins versions, or takes their pins back; other devices learn nothing of them.
  ///
  /// The contents of a pinned version are never thinned, and removing it is refused.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when the contents of one of them are not on
  ///   this device; then nothing is changed.
  package func setPinned(
    _ isPinned: Bool = true, _ versions: [FileVersion], of document: URL
  ) async throws {
    try await perform { try $0.setPinned(isPinned, versions, of: document) }
  }

  /// Removes the contents of old versions from this device, as a policy says.
  ///
  /// The dates are those on which the versions were made. Under every policy these stay:
  /// the current version, unresolved conflict versions and what merging them needs, pinned versions, the version that
  /// the document on disk shows, and, once the document was exchanged, the versions that no other
  /// device can have yet and the one that was published last. Versions whose contents are elsewhere are not
  /// counted, and other devices keep what they have.
  ///
  /// A version that is discardable is kept by no rule, whether or not it was exchanged.
  ///
  /// Until the store is collected, thinning can be undone.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - policy: what to keep.
  ///   - timeZone: where days and the other periods begin; by default where the system is.
  /// - Returns: what became of each version, and why.
  /// - Throws: ``VersionError`` with code `invalidArgument` for a policy that keeps nothing.
  @discardableResult
  package func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil
  ) async throws -> ThinOutcome {
    try await perform { try $0.thin(document, keeping: policy, timeZone: timeZone) }
  }
}
