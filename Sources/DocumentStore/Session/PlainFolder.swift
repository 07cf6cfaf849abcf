internal import DocumentFiles
internal import DocumentGit
internal import DocumentTypes

/// A folder in place of a document that was a file or was deleted, and whose name isn't a package's.
///
/// Such a folder isn't a state of the document, which counts as missing.
enum PlainFolder {
  /// Returns whether such a folder is in place of a document.
  ///
  /// - Parameter base: the version that the document was last saved as or written from.
  static func covers(_ location: DocumentLocation, after base: Record?) throws -> Bool {
    guard let base, base.content?.isPackage != true,
      try FileStatus.of(location.document)?.kind == .folder
    else { return false }
    return !DocumentTypes().isSavedAsPackage(named: ContainerPath.name(of: location.path))
  }

  /// Returns the same, with the version read from the store.
  static func covers(_ location: DocumentLocation) throws -> Bool {
    guard try location.hasStore else { return false }
    return try covers(location, after: location.shownRecord)
  }
}
