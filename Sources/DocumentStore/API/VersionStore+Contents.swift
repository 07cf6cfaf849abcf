public import Foundation

/// The contents of versions.
extension VersionStore {
  /// Hands out the bytes of a version that is a file, or of one member of a package, piece by piece: for
  /// documents larger than memory.
  ///
  /// The whole version is checked before the first piece.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  ///   - body: called for one piece after the other, on a thread of its own; an error that it throws ends the reading.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func read(
    _ version: FileVersion, member: String? = nil,
    _ body: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void
  ) async throws {
    try await perform { try $0.read(version, member: member, body) }
  }

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
  public func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) async throws {
    try await perform { try $0.export(version, to: url, member: member, replacing: replacing) }
  }

  /// The members that differ between two versions of a package, in byte order of their paths.
  ///
  /// A removed and an added file with the same bytes are one renamed member, and so are two files that have at
  /// least half of their bytes in common; a folder that was renamed with all it holds is one change. Contents that are
  /// equal are not read, so it costs what has changed, not what there is. Of documents that are files in both
  /// versions there is one change at most, with an empty path; the same where a file became a package.
  ///
  /// - Parameters:
  ///   - old: the version before; nil for nothing, so that every member is an added one.
  ///   - new: the version afterwards, of the same document. A deletion is without members.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when the contents of one are not on this device.
  public func memberChanges(
    from old: FileVersion?, to new: FileVersion
  ) async throws -> [MemberChange] {
    try await perform { try $0.memberChanges(from: old, to: new) }
  }

  /// The members that differ between a version and the document on disk, in byte order of their paths.
  ///
  /// As ``memberChanges(from:to:)``; the document on disk is read whole. Without it every member is a removed
  /// one.
  ///
  /// - Parameter version: the version before.
  public func memberChangesOnDisk(since version: FileVersion) async throws -> [MemberChange] {
    try await perform { try $0.memberChangesOnDisk(since: version) }
  }
}
