package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

#if canImport(Glibc)
private typealias Locks = Glibc.flock
#else
private typealias Locks = Darwin.flock
#endif

extension Descriptor {
  /// Locks the whole file or folder until it is unlocked or closed.
  ///
  /// While others hold a conflicting lock, this thread sleeps and tries again; a job of ``BlockingPool``
  /// gives up its place first.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` or `LOCK_SH`.
  ///   - seconds: the longest time to try.
  ///   - check: called before each sleep; an error that it throws ends the wait.
  /// - Returns: nil once it is locked; otherwise the reason: `wouldBlock` if others hold the lock, or the
  ///   error of a file system without such locks.
  func lock(
    _ operation: Int32, waitingAtMost seconds: Double, check: () throws -> Void
  ) rethrows -> Errno? {
    if flock(number, operation | LOCK_NB) == 0 { return nil }
    let end = ContinuousClock.now + .patience(seconds: seconds)
    // It is usually held for no longer than a save takes.
    var pause = 0.000_1
    while flock(number, operation | LOCK_NB) != 0 {
      let cause = Errno.current
      guard cause == .wouldBlock || cause == .interrupted, ContinuousClock.now < end
      else { return cause }
      try check()
      BlockingPool.leave()
      Threads.sleep(seconds: pause)
      pause = min(2 * pause, 0.005)
    }
    return nil
  }

  /// Locks the whole file or folder; only the time limit ends the wait.
  package func lock(_ operation: Int32, waitingAtMost seconds: Double) -> Errno? {
    lock(operation, waitingAtMost: seconds, check: {})
  }

  /// Returns whether another process holds an `fcntl` lock on any byte of a range.
  ///
  /// - Parameter isExclusive: whether only exclusive locks count.
  func hasLocks(in bytes: Range<Int64>, exclusive isExclusive: Bool) throws(FileError) -> Bool {
    var lock = Self.lock(isExclusive ? F_RDLCK : F_WRLCK)
    lock.l_start = off_t(bytes.lowerBound)
    lock.l_len = off_t(bytes.count)
    guard fcntl(number, F_GETLK, &lock) == 0 else {
      throw .failed(to: "ask for locks of", path, .current)
    }
    return lock.l_type != Int16(F_UNLCK)
  }

  private static func lock(_ kind: Int32) -> Locks {
    var lock = Locks()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    return lock
  }

  /// Releases the lock now.
  ///
  /// Closing releases the lock only once no process has the file open; a child process that another thread
  /// has just started has it open until it executes its program.
  func unlock() {
    flock(number, LOCK_UN)
  }
}

extension Duration {
  /// Returns the longest time to wait for a number of seconds; a value that isn't a number means forever.
  package static func patience(seconds: Double) -> Duration {
    // The range of a duration is limited.
    .seconds(max(0, min(1e9, seconds)))
  }
}
