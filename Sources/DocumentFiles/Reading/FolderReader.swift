package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reads statuses, names and ends of files below an open folder, each with few system calls.
///
/// An answer is certain, or `nil` without a reason if an item can't be read, or is of another kind. A caller
/// that needs the reason uses ``Folder`` or ``FileStatus``.
package final class FolderReader: Sendable {
  /// The folder's descriptor; negative if there is no folder.
  private let number: Int32

  package convenience init(_ folder: FilePath) throws(FileError) {
    try self.init(ifThere: folder)
    guard number >= 0 else { throw .failed(to: "open", folder, .noSuchFileOrDirectory) }
  }

  /// Opens a folder; a missing folder counts as empty.
  package init(ifThere folder: FilePath) throws(FileError) {
    number = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    let error = Errno.current
    guard number >= 0 || error == .noSuchFileOrDirectory else {
      throw .failed(to: "open", folder, error)
    }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Returns whether there is certainly no item at a path.
  package func isAbsent(_ path: [UInt8], _ rest: [UInt8] = []) -> Bool {
    number < 0
      || withPath(path, rest) {
        faccessat(number, $0, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
      }
  }

  /// Reads the status of an item, without following links.
  ///
  /// - Parameters:
  ///   - path: the beginning of the item's path.
  ///   - rest: the rest of the path.
  package func status(of path: [UInt8], _ rest: [UInt8] = []) -> FileStatus? {
    withPath(path, rest) {
      var status = stat()
      guard fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      return FileStatus(status)
    }
  }

  /// Reads the names in a folder, in no order, and the folder's status before; `nil` for too many names, and
  /// for a link.
  ///
  /// - Parameters:
  ///   - path: the beginning of the folder's path.
  ///   - rest: the rest of the path.
  ///   - most: the greatest number of names.
  package func names(
    in path: [UInt8], _ rest: [UInt8] = [], atMost most: Int
  ) -> (names: [[UInt8]], folder: FileStatus)? {
    let folder = withPath(path, rest) {
      openat(number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard folder >= 0 else { return nil }
    guard let stream = fdopendir(folder) else {
      close(folder)
      return nil
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(folder, &status) == 0 else { return nil }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = Folder.bytes(of: entry)
      if name == Folder.dot || name == Folder.dotDot { continue }
      guard names.count < most else { return nil }
      names.append(name)
    }
    guard errno == 0 else { return nil }
    return (names, FileStatus(status))
  }

  /// Reads the last bytes of a file, up to a number, with their offset and the file's status before.
  package func end(
    of path: [UInt8], _ rest: [UInt8] = [], limit: Int
  ) -> (bytes: [UInt8], start: Int, file: FileStatus)? {
    let file = withPath(path, rest) {
      openat(number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let start = max(0, Int(status.st_size) - limit)
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(start)))
    }
    return (bytes, start, FileStatus(status))
  }
}
