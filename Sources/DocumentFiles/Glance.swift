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
package final class Glance: Sendable {
  private let number: Int32

  package init(_ folder: FilePath) throws(FileError) {
    number = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { throw .failed(to: "open", folder, .current) }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Whether certainly nothing is there.
  package func isAbsent(_ path: [UInt8]) -> Bool {
    faccessat(number, path.characters, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
  }

  /// The status of an item, links not followed.
  package func status(of path: [UInt8]) -> FileStatus? {
    var status = stat()
    guard fstatat(number, path.characters, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// The name of the one item in a folder, and what the folder's status was before; nil where there are none or
  /// several.
  package func onlyName(in path: [UInt8]) -> (name: [UInt8], folder: FileStatus)? {
    let folder = openat(number, path.characters, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    guard let stream = fdopendir(folder) else {
      close(folder)
      return nil
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(folder, &status) == 0 else { return nil }
    var only: [UInt8]?
    errno = 0
    while let entry = readdir(stream) {
      let name = Folder.bytes(of: entry)
      if name == Folder.dot || name == Folder.dotDot { continue }
      guard only == nil else { return nil }
      only = name
    }
    guard errno == 0, let only else { return nil }
    return (only, FileStatus(status))
  }

  /// The last bytes of a file, at most so many, where they begin, and what the status was before.
  package func end(of path: [UInt8], limit: Int) -> (bytes: [UInt8], start: Int, file: FileStatus)?
  {
    let file = openat(
      number, path.characters, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
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

extension [UInt8] {
  /// The bytes as a C string.
  fileprivate var characters: [CChar] {
    [CChar](unsafeUninitializedCapacity: count + 1) { buffer, size in
      for (place, byte) in enumerated() { buffer[place] = CChar(bitPattern: byte) }
      buffer[count] = 0
      size = count + 1
    }
  }
}
