package import Foundation

/// The contents of versions.
extension VersionStore {
  /// Writes a version's contents to a separate location.
  ///
  /// If this replaces another document, its unsaved edits become a version first.
  ///
  /// - Parameters:
  ///   - version: a version whose contents are on this device.
  ///   - url: the destination.
  ///   - member: a member of a package, to write only this member.
  ///   - replacing: whether an existing item may be replaced by one of its kind: a folder only by a folder with the
  ///     same name or the same extension.
  /// - Throws: ``FileError`` with code `exists` if an item exists that may not be replaced, and with `wrongKind` if it
  ///   is of another kind.
  package func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) async throws {
    try await perform { try $0.export(version, to: url, member: member, replacing: replacing) }
  }
}
