package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file that only grows, line by line; its last line may be torn by a power cut.
package enum AppendOnlyFile {
  /// Opens the file for reading parts of it; `nil` if there is no such file.
  package static func open(_ path: FilePath) throws(FileError) -> Parts? {
    guard let status = try FileStatus.of(path) else { return nil }
    guard status.kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    let file = try Descriptor.open(reading: path)
    return Parts(size: try file.status().size, file: file)
  }

  /// An open file, whatever is put in its place meanwhile.
  package struct Parts: ~Copyable {
    /// The size when it was opened, in bytes.
    package let size: Int
    fileprivate let file: Descriptor

    /// Reads the bytes of a range, fewer where the file ends before.
    package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
      try file.read(range)
    }
  }

  /// Reads the last bytes of the file, up to a number; `nil` if there is no such file.
  ///
  /// - Returns: the bytes, and where they begin in the file.
  package static func tail(
    _ path: FilePath, limit: Int
  ) throws(FileError) -> (bytes: [UInt8], start: Int)? {
    guard let parts = try open(path) else { return nil }
    let start = max(0, parts.size - limit)
    return (try parts.bytes(start..<parts.size), start)
  }

  /// Appends bytes in one step to a file that is there, behind whatever other processes append.
  ///
  /// - Parameter isDurable: whether they are on the disk on return.
  /// - Returns: whether there is such a file.
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

  /// Appends bytes in one step, creating the file if need be; what stands behind `end` goes first.
  ///
  /// They are not on the disk on return: what is kept here can be worked out again.
  package static func append(_ bytes: [UInt8], to path: FilePath, at end: Int) throws(FileError) {
    let file = try Descriptor.open(
      path, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
      permissions: mode_t(0o644 & (try Readership.inside(path.parentFolder).mask)), action: "write")
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
