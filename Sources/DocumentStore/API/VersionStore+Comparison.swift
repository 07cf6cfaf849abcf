/// What versions changed.
extension VersionStore {
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
}
