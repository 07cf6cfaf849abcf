package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An append-only file of lines; a power cut may tear its last line.
package enum AppendOnlyFile {
  /// Opens the file for reading parts of it; `nil` if there is no file.
  package static func open(_ path: FilePath) throws(FileError) -> Parts? {
    guard let status = try FileStatus.of(path) else { return nil }
    guard status.kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    let file = try Descriptor.open(reading: path)
    return Parts(size: try file.status().size, file: file)
  }

  /// An open file, which stays the same even if its path gets another file.
  package struct Parts: ~Copyable {
    /// The size when it was opened, in bytes.
    package let size: Int
    fileprivate let file: Descriptor

    /// Reads the bytes in a range; fewer if the file ends before.
    package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
      try file.read(range)
    }
  }

  /// Reads the last bytes of the file, up to a number; `nil` if there is no file.
  ///
  /// - Returns: the bytes, and their offset in the file.
  package static func tail(
    _ path: FilePath, limit: Int
  ) throws(FileError) -> (bytes: [UInt8], start: Int)? {
    guard let parts = try open(path) else { return nil }
    let start = max(0, parts.size - limit)
    return (try parts.bytes(start..<parts.size), start)
  }

  /// Appends bytes to an existing file in one step, after anything that other processes append.
  ///
  /// - Parameter isDurable: whether the bytes are on disk on return.
  /// - Returns: whether the file exists.
  @discardableResult
  package static func append(
    _ bytes: [UInt8], ifThere path: FilePath, isDurable: Bool = false
  ) throws(FileError) -> Bool {
    guard try FileStatus.of(path)?.kind == .file else { return false }
    let file = try Descriptor.open(
      path, flags: O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, action: "write")
    try file.writeAll(bytes[...])
    if isDurable { try file.synchronize() }
    return true
  }

  /// Appends bytes in one step, creating the file if necessary; removes everything after `end` first.
  ///
  /// They are not on disk on return, because the contents of such files can be computed again.
  package static func append(_ bytes: [UInt8], to path: FilePath, at end: Int) throws(FileError) {
    let file = try Descriptor.open(
      path, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
      permissions: 0o644 & (try Readership.inside(path.parentFolder).mask), action: "write")
    let status = try file.status()
    guard status.kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    if status.size > end, ftruncate(file.number, off_t(end)) != 0 {
      throw .failed(to: "write", path, .current)
    }
    try file.writeAll(bytes[...])
  }
}
