internal import CSQLite
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The files that this process has open.
///
/// Closing a file that SQLite also has open would drop SQLite's locks.
enum OpenFiles {
  /// Returns a descriptor through which an open file can be read; `nil` if the process doesn't use SQLite, or
  /// doesn't have the file open for reading.
  ///
  /// SQLite reads each file that it has open, so a file that is open only for writing belongs to another part
  /// of the process.
  static func descriptor(of status: FileStatus) throws(FileError) -> Int32? {
    guard docversions_sqlite_is_used() != 0 else { return nil }
    return (0..<Int32(mostDescriptors)).first { isReadable($0, status) }
  }

  private static func isReadable(_ number: Int32, _ status: FileStatus) -> Bool {
    var other = stat()
    guard fstat(number, &other) == 0, UInt64(other.st_ino) == status.inode,
      UInt64(other.st_dev) == status.device
    else { return false }
    let flags = fcntl(number, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  /// Reads a part of an open file without opening and closing it again; `nil` if the process doesn't have it
  /// open.
  ///
  /// The owner may close the descriptor in the meantime, and another file may get its number; then this
  /// searches for another descriptor.
  static func read(
    _ range: Range<Int>, of status: FileStatus, at path: FilePath
  ) throws(FileError) -> [UInt8]? {
    for _ in 0..<mostAttempts {
      guard let number = try descriptor(of: status) else { return nil }
      var bytes = [UInt8](repeating: 0, count: range.count)
      let count = pread(number, &bytes, range.count, off_t(range.lowerBound))
      let cause = Errno.current
      guard isReadable(number, status) else { continue }
      guard count >= 0 else { throw .failed(to: "read", path, cause) }
      return Array(bytes.prefix(count))
    }
    return nil
  }

  private static var mostAttempts: Int { 8 }

  /// The greatest number of descriptors to check.
  private static var mostDescriptors: Int {
    min(Int(sysconf(Int32(_SC_OPEN_MAX))), 4_096)
  }
}
