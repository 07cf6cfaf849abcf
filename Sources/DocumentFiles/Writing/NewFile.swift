package import SystemPackage

/// Writes files to paths without items, such as in the folder in which a document is built.
///
/// They are not on disk on return; the code that puts them in place waits for the disk.
package enum NewFile {
  /// Creates a file.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    try Descriptor.create(path, permissions: 0o666).writeWhole(bytes)
  }

  /// Copies a file, with long runs of zeros as holes.
  ///
  /// - Parameter check: called for each piece; an error that it throws ends copying.
  package static func copy(
    _ file: FilePath, to path: FilePath, check: () throws -> Void
  ) throws {
    guard try FileStatus.of(file)?.kind == .file else {
      throw FileError(.notFound, path: file, message: "There is no file “\(file.printable)”.")
    }
    try Descriptor.open(reading: file).copy(to: path, permissions: 0o666, check)
  }

  /// Sets the permission bits and the modification time of an item.
  ///
  /// - Parameter modified: the modification time, in nanoseconds since 1970.
  package static func setAttributes(
    of path: FilePath, permissions: UInt32, modified: Int64
  ) throws(FileError) {
    let item = try Descriptor.open(reading: path)
    try item.setModified(modified)
    try item.setPermissions(permissions)
  }
}
