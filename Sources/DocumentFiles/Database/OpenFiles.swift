internal import CSQLite
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The files that this process has open: closing one that SQLite has open, too, would drop the locks that it holds.
enum OpenFiles {
  /// Returns a descriptor of an open file; nil where the process does not use SQLite, or does not have it open.
  static func descriptor(of status: FileStatus) throws(FileError) -> Int32? {
    guard docversions_sqlite_is_used() != 0 else { return nil }
    for number in Int32(0)..<Int32(mostDescriptors) {
      var other = stat()
      guard fstat(number, &other) == 0, UInt64(other.st_ino) == status.inode,
        UInt64(other.st_dev) == status.device
      else { continue }
      return number
    }
    return nil
  }

  /// Reads a part of an open file without opening and closing it again.
  static func read(
    _ descriptor: Int32, _ range: Range<Int>, of path: FilePath
  ) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = pread(descriptor, &bytes, range.count, off_t(range.lowerBound))
    guard count >= 0 else { throw .failed(to: "read", path, .current) }
    return Array(bytes.prefix(count))
  }

  /// The number of descriptors that are looked at.
  private static var mostDescriptors: Int {
    min(Int(sysconf(Int32(_SC_OPEN_MAX))), 4_096)
  }
}
