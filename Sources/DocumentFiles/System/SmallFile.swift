package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reads and writes small files of a store as a whole: a new file is written beside the old one and then
/// renamed into its place.
///
/// Users who can't read the folder can't read new files in it.
package enum SmallFile {
  /// Reads the bytes; `nil` if there is no file.
  ///
  /// - Parameter limit: the greatest size; a larger file is an error.
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
  ///
  /// - Parameter isPrivate: whether only its owner may read it.
  package static func create(
    _ path: FilePath, _ bytes: [UInt8], isPrivate: Bool = false
  ) throws(FileError) {
    let file = try Descriptor.create(path, permissions: isPrivate ? 0o600 : permissions(of: path))
    try file.writeAll(bytes[...])
    try file.synchronize()
  }

  /// Replaces a file, durably on return; after a crash, either the old or the new file is there.
  ///
  /// - Parameter isPrivate: whether only its owner may read it.
  package static func replace(
    _ path: FilePath, _ bytes: [UInt8], isPrivate: Bool = false
  ) throws {
    try put(in: path) { try create($0, bytes, isPrivate: isPrivate) }
    try Folder.synchronize(path.parentFolder)
  }

  /// Replaces a file that may be lost in a crash, such as a cache; other processes never see it half-written.
  ///
  /// - Parameter isPrivate: whether only its owner may read it.
  package static func replaceCache(
    _ path: FilePath, _ bytes: [UInt8], isPrivate: Bool = false
  ) throws {
    try put(in: path) {
      try Descriptor.create($0, permissions: isPrivate ? 0o600 : permissions(of: path))
        .writeAll(bytes[...])
    }
  }

  /// Writes a new file beside the old one, and renames it into its place; a full disk leaves nothing of it.
  private static func put(in path: FilePath, _ write: (FilePath) throws -> Void) throws {
    let temporary = temporary(for: path)
    try Folder.removeTree(temporary)
    do {
      try write(temporary)
      try temporary.move(over: path)
    } catch let error as FileError where error.code == .noSpace {
      // A failure to remove it would only hide the original one.
      do { try Folder.removeTree(temporary) } catch {}
      throw error
    }
  }

  /// Returns whether there is a new file that was not put in place.
  package static func hasTemporary(_ path: FilePath) throws(FileError) -> Bool {
    try FileStatus.of(temporary(for: path)) != nil
  }

  /// Removes a new file that was not put in place.
  ///
  /// Call this only while no other thread or process replaces the file.
  package static func removeTemporary(_ path: FilePath) throws(FileError) {
    try Folder.removeTree(temporary(for: path))
  }

  /// Removes the temporary files of killed processes.
  ///
  /// Call this only while no other thread or process replaces files in the folder.
  package static func removeTemporaryFiles(in folder: FilePath) throws(FileError) {
    for name in try Folder.names(in: folder) where isTemporary(name) {
      try Folder.removeTree(folder.appending(bytes: name))
    }
  }

  /// Returns whether a file with the name exists only while another one is replaced.
  package static func isTemporary(_ name: [UInt8]) -> Bool {
    name.suffix(suffix.count) == suffix[...]
  }

  /// Returns the permission bits of a new file.
  private static func permissions(of path: FilePath) throws(FileError) -> UInt32 {
    0o666 & (try Readership.inside(path.parentFolder).mask)
  }

  private static func temporary(for path: FilePath) -> FilePath {
    path.parentFolder.appending(bytes: path.lastName + suffix)
  }

  private static let suffix = Array(".new".utf8)
}
