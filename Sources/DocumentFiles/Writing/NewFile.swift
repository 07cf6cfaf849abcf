package import SystemPackage

/// Writes files to places where nothing is, such as the folder that a document is built in.
///
/// They are not on the disk on return: what puts them in their places waits for that.
package enum NewFile {
  /// Creates a file.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    try Descriptor.create(path, permissions: 0o666).writeWhole(bytes)
  }

  /// Copies a file; long runs of zeros become holes.
  ///
  /// - Parameter check: called for each piece; ends copying when it throws.
  package static func copy(
    _ file: FilePath, to path: FilePath, check: () throws -> Void
  ) throws {
    guard try FileStatus.of(file)?.kind == .file else {
      throw FileError(.notFound, path: file, message: "There is no file “\(file.printable)”.")
    }
    try Descriptor.open(reading: file).copy(to: path, permissions: 0o666, check)
  }

  /// Sets the permission bits of an item, and when it was modified last.
  ///
  /// - Parameter modified: in nanoseconds since 1970.
  package static func setAttributes(
    of path: FilePath, permissions: UInt32, modified: Int64
  ) throws(FileError) {
    let item = try Descriptor.open(reading: path)
    try item.setModified(modified)
    try item.setPermissions(permissions)
  }
}
