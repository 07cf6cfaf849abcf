package import SystemPackage

/// The folder in which a container keeps the stores of its documents; no document replaces it.
package enum StoresFolder {
  package static let name = ".docversions"

  /// Returns the folder that a file in such a folder keeps versions for; nil for any other file.
  static func container(of path: FilePath) -> FilePath? {
    guard let index = path.components.firstIndex(where: { $0.string == name }) else { return nil }
    return FilePath(root: path.root, path.components[..<index])
  }

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
