package import SystemPackage

/// The folder in which a container keeps the stores of its documents; no document replaces it.
package enum StoresFolder {
  package static let name = ".docversions"

  /// Throws an error for replacing that folder, or one that contains it, because all versions of its
  /// documents would go, too.
  ///
  /// - Throws: ``FileError`` with code `unsupported-kind`.
  package static func refuseReplacing(_ path: FilePath) throws(FileError) {
    guard try FileStatus.of(path)?.kind == .folder else { return }
    if path.lastName != Array(name.utf8), try FileStatus.of(path.appending(name)) == nil { return }
    throw FileError(
      .unsupportedKind, path: path,
      message: "“\(path.printable)” contains versions of documents and is not replaced.")
  }
}
