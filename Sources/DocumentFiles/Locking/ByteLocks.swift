internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Locks on single bytes of one opening of a file, which may be shorter; the kernel releases them when the
/// process dies.
///
/// Any number of holders in the process may lock the same byte; other openings of the file, even in this
/// process, are excluded until all holders have released it.
package final class ByteLocks: Sendable {
  package enum Mode: Int32, Sendable, Hashable { case shared = 1, exclusive = 2 }

  private struct Holders {
    var shared = 0
    var exclusive = 0

    var mode: Mode? { exclusive > 0 ? .exclusive : shared > 0 ? .shared : nil }

    subscript(mode: Mode) -> Int {
      get { mode == .shared ? shared : exclusive }
      set { if mode == .shared { shared = newValue } else { exclusive = newValue } }
    }
  }

  private let file: Descriptor
  private let holders = Mutex<[Int64: Holders]>([:])
  /// True if processes share this opening of the file, so that the locks stay until all of them have closed
  /// it.
  private let isShared: Atomic<Bool>

  /// Opens the file, and creates it if it is missing.
  ///
  /// - Parameter readership: the classes of users who may also lock.
  package init(_ path: FilePath, for readership: Readership) throws(FileError) {
    file = try Descriptor.open(
      path, flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
      permissions: 0o666 & readership.mask, action: "lock")
    isShared = Atomic(false)
    guard try file.status().kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
  }

  /// Uses the locks of another process, which has sent its open file over a socket; `nil` if it hasn't.
  package init?(sentOver socket: LocalSocket) {
    guard let number = socket.takePassedFile() else { return nil }
    file = Descriptor(adopting: number, place: .at(FilePath("claims")))
    isShared = Atomic(true)
  }

  /// The descriptor of the open file, for sending it to another process.
  package var number: Int32 { file.number }

  /// Makes the locks stay after their release, until all processes with this opening have closed it.
  package func share() { isShared.store(true, ordering: .sequentiallyConsistent) }

  /// Returns the status of the file, whose file system and inode are the same for all openings.
  package func status() throws(FileError) -> FileStatus { try file.status() }

  /// Tries to lock a byte, without waiting.
  ///
  /// - Returns: false if another opening holds a lock that excludes it.
  package func take(_ byte: Int64, _ mode: Mode) throws(FileError) -> Bool {
    try holders.withLock { holders throws(FileError) in
      var holder = holders[byte] ?? Holders()
      if holder.mode != .exclusive && holder.mode != mode {
        guard try change(byte, to: mode.rawValue) else { return false }
      }
      holder[mode] += 1
      holders[byte] = holder
      return true
    }
  }

  /// Releases a lock of ``take(_:_:)``.
  package func release(_ byte: Int64, _ mode: Mode) {
    holders.withLock { holders in
      guard var holder = holders[byte], holder[mode] > 0 else { return }
      holder[mode] -= 1
      let left = holder.mode
      holders[byte] = left == nil ? nil : holder
      guard !isShared.load(ordering: .sequentiallyConsistent), left != .exclusive else { return }
      // Neither can fail, because the lock becomes weaker.
      _ = docversions_lock_bytes(file.number, left?.rawValue ?? 0, byte, 1)
    }
  }

  private func change(_ byte: Int64, to kind: Int32) throws(FileError) -> Bool {
    if docversions_lock_bytes(file.number, kind, byte, 1) == 0 { return true }
    let cause = Errno.current
    guard cause != .resourceTemporarilyUnavailable, cause != .wouldBlock else { return false }
    throw .failed(to: "lock", file.path, cause)
  }

  // MARK: Records

  /// Overwrites a record at a place of the file; records are for messages, and may be lost.
  package func write(_ record: [UInt8], at offset: Int) {
    _ = pwrite(file.number, record, record.count, off_t(offset))
  }

  /// Reads a record, which is shorter if the file ends.
  package func read(_ range: Range<Int>) throws(FileError) -> [UInt8] { try file.read(range) }
}
