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

  /// Returns the versions that were removed or thinned on this device and can still be restored, newest
  /// first.
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
}
