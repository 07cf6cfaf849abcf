internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The status of an item as the system reports it, without following a link.
package struct FileStatus: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case file
    case folder
    case symbolicLink
    case other(Special)
  }

  /// The kinds of items that are not supported in documents, in words.
  package enum Special: String, Sendable {
    case fifo = "a FIFO"
    case socket = "a socket"
    case device = "a device"
    case unknown = "a special file"
  }

  package let kind: Kind
  /// The size in bytes.
  package let size: Int
  /// The permission bits.
  package let permissions: UInt32
  package let device: UInt64
  package let inode: UInt64
  package let owner: UInt32
  package let group: UInt32
  /// The modification time, in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last status change, in nanoseconds since 1970.
  package let changed: Int64

  package var isExecutable: Bool { permissions & 0o100 != 0 }

  /// Reads the status of the item at a path; `nil` if there is none.
  ///
  /// - Parameter isFollowed: whether a link at the path is followed.
  package static func of(
    _ path: FilePath, followingLink isFollowed: Bool = false
  ) throws(FileError) -> FileStatus? {
    var status = stat()
    let result = path.withPlatformString { isFollowed ? stat($0, &status) : lstat($0, &status) }
    guard result == 0 else {
      let cause = Errno.current
      if cause == .noSuchFileOrDirectory || cause == .notDirectory { return nil }
      throw .failed(to: "read the status of", path, cause)
    }
    return FileStatus(status)
  }

  /// Reads the status of an item by its name in an open folder; `nil` if there is none.
  static func of(
    _ name: PathName, in folder: borrowing Descriptor
  ) throws(FileError) -> FileStatus? {
    var status = stat()
    let number = folder.number
    let result = name.withCString { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard result == 0 else {
      let cause = Errno.current
      if cause == .noSuchFileOrDirectory || cause == .notDirectory { return nil }
      throw .failed(to: "read the status of", folder.path.appending(bytes: name.bytes), cause)
    }
    return FileStatus(status)
  }

  /// Returns the creation time of the item at a path, in nanoseconds since 1970; 0 if the system doesn't know
  /// it.
  package static func birthTime(of path: FilePath) -> Int64 {
    path.withPlatformString { docversions_birth_time($0) }
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .other(.fifo)
      case S_IFSOCK: .other(.socket)
      case S_IFCHR, S_IFBLK: .other(.device)
      default: .other(.unknown)
      }
    size = Int(status.st_size)
    permissions = UInt32(status.st_mode) & 0o7777
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    owner = status.st_uid
    group = status.st_gid
    #if canImport(Glibc)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #else
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #endif
  }

  static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (time.tv_sec < 0 ? .min : .max) : seconds &+ Int64(time.tv_nsec)
  }

  /// Waits, if the item was changed recently, until a new change would show in its status.
  ///
  /// Most file systems stamp changes with a clock that advances in steps, so a second change within one step
  /// doesn't change the status.
  func waitUntilNewChangesShow(in file: borrowing Descriptor, by clock: FileClock) {
    let age = clock.now &- changed
    guard (0..<step).contains(age) else { return }
    if hasFractions, file.stampsEachChange { return }
    clock.wait(nanoseconds: step - age)
  }

  /// The longest step of the clock that stamped the change, in nanoseconds.
  private var step: Int64 { hasFractions ? Self.clockStep : 1_000_000_000 }

  /// True if the file system keeps fractions of seconds.
  private var hasFractions: Bool { changed % 1_000_000_000 != 0 }

  /// Returns whether the status would show a change after a moment, in nanoseconds since 1970.
  func showsChanges(after moment: Int64) -> Bool {
    changed < moment &- step
  }

  /// An upper bound of the clock's step, in nanoseconds; the clock advances every 1 to 10 ms.
  private static let clockStep: Int64 = 11_000_000

  /// Returns whether the other status belongs to the same item, changed or not.
  package func isSameItem(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Returns whether the other status shows the same bytes: the same file, size and modification time.
  ///
  /// It ignores the time of the status change, because creating a hard link changes it.
  package func isSameContent(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified && kind == other.kind
  }
}

extension Errno {
  /// The error of the system call that has just failed on this thread.
  package static var current: Errno { Errno(rawValue: errno) }
}
