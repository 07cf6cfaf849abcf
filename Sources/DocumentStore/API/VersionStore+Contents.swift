package import Foundation

/// The contents of versions.
extension VersionStore {
  /// Writes a version's contents to a place of their own.
  ///
  /// Where another document is replaced, unsaved edits of it become a version of it first.
  ///
  /// - Parameters:
  ///   - version: a version whose contents are on this device.
  ///   - url: where to.
  ///   - member: only this member of a package.
  ///   - replacing: allows to replace an item that is there by one of its kind: a folder only by a folder with the
  ///     same name, or the same extension.
  /// - Throws: ``FileError`` with code `exists` where something is there that may not be replaced, and with `wrongKind`
  ///   where it is of another kind.
  package func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) async throws {
    try await perform { try $0.export(version, to: url, member: member, replacing: replacing) }
  }
}
