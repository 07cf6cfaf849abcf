public import Foundation

/// The contents of versions.
extension VersionStore {
  /// The bytes of a version that is a file, or of one member of a package.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func contents(of version: FileVersion, member: String?) throws -> Data {
    try ReadingContents(environment).contents(of: version, member: member)
  }

  /// Hands out the bytes of a version that is a file, or of one member of a package, piece by piece: for
  /// documents larger than memory.
  ///
  /// The whole version is checked before the first piece.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  ///   - body: called for one piece after the other; what it throws ends the reading.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func read(
    _ version: FileVersion, member: String? = nil, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try ReadingContents(environment).read(version, member: member, body)
  }

  /// The members of a version that is a package, folder by folder; empty for a file.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - folder: lists only what is in this folder of the package; empty for another member.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func members(
    of version: FileVersion, in folder: String? = nil
  ) throws -> [PackageMemberInfo] {
    try ReadingContents(environment).members(of: version, in: folder)
  }

  /// What a version has at a path, as listings show it.
  ///
  /// - Parameters:
  ///   - path: the member's path in the package, with "/" between folders; as it is, or as listings show it.
  ///   - version: the version.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func member(_ path: String, of version: FileVersion) throws -> PackageMemberInfo {
    try ReadingContents(environment).member(path, of: version)
  }

  /// Writes a version's contents to a place of their own.
  ///
  /// Where another document is replaced, edits of it that were not saved become a version of it first.
  ///
  /// - Parameters:
  ///   - version: a version whose contents are on this device.
  ///   - url: where to.
  ///   - member: only this member of a package.
  ///   - replacing: whether an item that is there may be replaced, by one of its kind: a folder only by a folder with the
  ///     same name, or the same extension.
  /// - Throws: ``FileError`` with code `exists` where something is there that may not be replaced, and with `wrongKind`
  ///   where it is of another kind.
  public func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) throws {
    try Exporting(environment).export(version, to: url, member: member, replacing: replacing)
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
  public func memberChanges(from old: FileVersion?, to new: FileVersion) throws -> [MemberChange] {
    try comparing(new) {
      try $0.differences(from: old.map { .version($0) } ?? .nothing, to: .version(new))
    }.map(\.change)
  }

  /// The members that differ between a version and the document on disk, in byte order of their paths.
  ///
  /// As ``memberChanges(from:to:)``; the document on disk is read whole. Without it every member is a removed
  /// one.
  ///
  /// - Parameter version: the version before.
  public func memberChangesOnDisk(since version: FileVersion) throws -> [MemberChange] {
    try comparing(version) { try $0.differences(from: .version(version), to: .disk) }
      .map(\.change)
  }

  /// Compares contents of a document, with its store opened once.
  package func comparing<Result>(
    _ document: FileVersion, _ body: (ContentComparison) throws -> Result
  ) throws -> Result {
    try environment.reading(document.documentURL) { try body(ContentComparison(reader: $0)) }
  }

  /// Opens a document's store to read several versions.
  package func readingVersions<Result>(
    of document: URL, _ body: (VersionReader) throws -> Result
  ) throws -> Result {
    try environment.reading(document) { try body(VersionReader($0)) }
  }
}
