internal import CSQLite
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The files that this process has open: closing one that SQLite has open, too, would drop the locks that it holds.
enum OpenFiles {
  /// Returns a descriptor through which an open file can be read; `nil` if the process does not use SQLite, or does not
  /// have it open so.
  ///
  /// SQLite reads each file that it has open: one that is open for writing alone is another part of the process's.
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

  /// Reads a part of an open file without opening and closing it again; `nil` if the process does not have it open.
  ///
  /// The owner of the descriptor may close it meanwhile, and another file get its number: then another one is looked for.
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

  /// The number of descriptors that are looked at.
  private static var mostDescriptors: Int {
    min(Int(sysconf(Int32(_SC_OPEN_MAX))), 4_096)
  }
}
