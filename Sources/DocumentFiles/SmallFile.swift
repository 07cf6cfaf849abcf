package import SystemPackage

/// Whole small files of our own: read at once, written beside and renamed into place.
package enum SmallFile {
  /// The bytes; nil when there is no such file.
  ///
  /// - Parameter limit: a larger file is refused.
  package static func read(_ path: FilePath, limit: Int = 1 << 20) throws(FileError) -> [UInt8]? {
    guard let status = try FileStatus.of(path) else { return nil }
    guard status.kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    guard status.size <= limit else {
      throw FileError(
        .tooLarge, path: path,
        message: "“\(path.printable)” has \(status.size) bytes, more than it should.")
    }
    return try Descriptor.open(reading: path).readAll(expecting: status.size)
  }

  /// Creates a file that must not exist, durable once its folder is synchronized.
  package static func create(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    let file = try Descriptor.create(path, permissions: 0o666)
    try file.writeAll(bytes)
    try file.synchronize()
  }

  /// Replaces a file that may be lost in a crash, such as a cache; never seen half-written.
  package static func replaceCache(_ path: FilePath, _ bytes: [UInt8]) throws {
    let temporary = path.parentFolder.appending("\(path.lastComponent?.string ?? "cache").new")
    try Folder.removeTree(temporary)
    try Descriptor.create(temporary, permissions: 0o666).writeAll(bytes)
    try DocumentWriter.renameOver(temporary, path)
  }
}
