package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An open folder, for looking at many small things below it with few calls.
///
/// It tells only what is certain. Whatever cannot be read, or is not what it should be, is nil without a reason: who
/// wants to know why looks at it closely.
package final class FolderReader: Sendable {
  private let number: Int32

  package init(_ folder: FilePath) throws(FileError) {
    number = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { throw .failed(to: "open", folder, .current) }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Whether certainly nothing is there.
  package func isAbsent(_ path: [UInt8], _ rest: [UInt8] = []) -> Bool {
    withPath(path, rest) {
      faccessat(number, $0, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
    }
  }

  /// The status of an item, links not followed.
  ///
  /// - Parameters:
  ///   - path: how its path begins.
  ///   - rest: how it goes on.
  package func status(of path: [UInt8], _ rest: [UInt8] = []) -> FileStatus? {
    withPath(path, rest) {
      var status = stat()
      guard fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      return FileStatus(status)
    }
  }

  /// The names in a folder, in no order, and what the folder's status was before; nil where there are too many, and
  /// for a link.
  ///
  /// - Parameters:
  ///   - path: how its path begins.
  ///   - rest: how it goes on.
  ///   - most: how many names there may be.
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

  /// The last bytes of a file, at most so many, where they begin, and what the status was before.
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
