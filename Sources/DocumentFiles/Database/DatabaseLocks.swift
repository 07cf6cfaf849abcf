internal import CFileSystem
internal import SystemPackage

/// SQLite's locks, on bytes of the database's file beyond its contents.
///
/// A reader holds a shared lock on the last range. A program that is about to write holds the reserved byte; while it
/// writes the file itself, it holds the others exclusively.
enum DatabaseLocks {
  fileprivate static let pending: Int64 = 0x4000_0000
  fileprivate static let shared: Int64 = pending + 2
  fileprivate static let sharedCount: Int64 = 510
  /// The byte of the checkpoint lock in the index of a write-ahead log.
  fileprivate static let checkpoint: Int64 = 121
  /// The bytes of all locks.
  static let all = pending..<shared + sharedCount
}

extension Descriptor {
  /// Locks a database against changes of its file, like a reader, until the file is closed.
  ///
  /// A program with a write-ahead log can still write the log, and checkpoint it into the file.
  ///
  /// - Parameter seconds: the longest time to wait for a program that writes the file.
  /// - Returns: false if a program keeps it locked.
  func lockDatabase(waitingAtMost seconds: Double) throws(FileError) -> Bool {
    try waiting(atMost: seconds) { () throws(FileError) in
      // The pending byte keeps readers from delaying a program that waits for them.
      guard try tryLock(DatabaseLocks.pending, 1) else { return false }
      defer { _ = docversions_lock_bytes(number, 0, DatabaseLocks.pending, 1) }
      return try tryLock(DatabaseLocks.shared, DatabaseLocks.sharedCount)
    }
  }

  /// Prevents programs from checkpointing a write-ahead log into its database until the file, which is the
  /// log's index, is closed.
  ///
  /// - Returns: false if a program is checkpointing for very long.
  func lockCheckpoints(waitingAtMost seconds: Double) throws(FileError) -> Bool {
    try waiting(atMost: seconds) { () throws(FileError) in
      try tryLock(DatabaseLocks.checkpoint, 1)
    }
  }

  /// Takes a shared lock on some bytes.
  ///
  /// - Returns: false if other processes hold an exclusive lock; on a file system without such locks, no
  ///   program locks anything.
  private func tryLock(_ first: Int64, _ count: Int64) throws(FileError) -> Bool {
    if docversions_lock_bytes(number, ByteLocks.Mode.shared.rawValue, first, count) == 0 {
      return true
    }
    let cause = Errno.current
    switch cause {
    case .resourceTemporarilyUnavailable, .wouldBlock: return false
    case .noLocks, .notSupported, .noFunction, .invalidArgument: return true
    default: throw .failed(to: "lock", path, cause)
    }
  }

  /// Repeats an attempt until it succeeds or the time is up.
  private func waiting(
    atMost seconds: Double, _ attempt: () throws(FileError) -> Bool
  ) throws(FileError) -> Bool {
    let end = ContinuousClock.now + .patience(seconds: seconds)
    var pause = 0.000_5
    while try !attempt() {
      guard ContinuousClock.now < end else { return false }
      BlockingPool.leave()
      Threads.sleep(seconds: pause)
      pause = min(2 * pause, 0.01)
    }
    return true
  }
}
