#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The clock for deciding whether an item on disk changed recently or long ago.
///
/// Tests use their own clock, and need not sleep.
package struct FileClock: Sendable {
  private let read: @Sendable () -> Int64
  private let sleep: @Sendable (_ nanoseconds: Int64) -> Void
  /// The time for which a file that a program has open for writing must have been left alone, or else counts
  /// as changing; nil to read it anyway.
  ///
  /// While such a file is read, programs that open it for writing wait, if the system supports that.
  package var longestWriting: Duration?

  /// The clock of the system.
  package static let system = FileClock(
    now: {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return FileStatus.nanoseconds(now)
    },
    wait: { Threads.sleep(seconds: Double($0) / 1e9) })

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - now: returns the time, in nanoseconds since 1970.
  ///   - wait: returns when a number of nanoseconds has passed by this clock.
  package init(
    now: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (_ nanoseconds: Int64) -> Void
  ) {
    read = now
    sleep = wait
  }

  /// The time, in nanoseconds since 1970.
  package var now: Int64 { read() }

  /// Returns when some time has passed.
  package func wait(nanoseconds: Int64) { sleep(nanoseconds) }

  /// Returns the time since an item was modified, in seconds; negative if its time is in the future.
  package func age(of status: FileStatus) -> Double {
    let (age, isBeyond) = now.subtractingReportingOverflow(status.modified)
    return isBeyond ? .infinity : Double(age) / 1e9
  }
}
