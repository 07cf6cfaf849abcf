package import DocumentFiles
internal import Synchronization

/// A file clock that a test moves, so that no test sleeps until files are old.
///
/// Waiting by it takes no time, and moves it.
package final class MovableFileClock: Sendable {
  private struct State {
    /// The nanoseconds by which the clock was moved.
    var moved: Int64 = 0
    var waits: [Int64] = []
    /// The actions that run once, when the waits have reached a length.
    var alarms: [(waited: Int64, action: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())
  private let start: @Sendable () -> Int64

  /// Creates a clock that runs like the system's, and ahead of it once it was moved.
  package init() {
    start = { FileClock.system.now }
  }

  /// Creates a clock that stands still until it is moved.
  ///
  /// - Parameter now: its time, in nanoseconds since 1970.
  package init(standingAt now: Int64) {
    start = { now }
  }

  /// The clock as the library takes it.
  package var clock: FileClock {
    FileClock(now: { [self] in now }, wait: { [self] in wait(nanoseconds: $0) })
  }

  /// The time, in nanoseconds since 1970.
  package var now: Int64 { start() + state.withLock { $0.moved } }

  /// The waits by this clock, in nanoseconds.
  package var waits: [Int64] { state.withLock { $0.waits } }

  /// The length of all waits by this clock, in seconds.
  package var secondsWaited: Double { Double(waits.reduce(0, +)) / 1e9 }

  /// Moves the clock.
  package func advance(bySeconds seconds: Double) {
    state.withLock { $0.moved += Int64(seconds * 1e9) }
  }

  /// Does something, once, when the waits by this clock have become so long.
  package func afterWaiting(seconds: Double, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.alarms.append((Int64(seconds * 1e9), action)) }
  }

  private func wait(nanoseconds: Int64) {
    let due = state.withLock { state in
      state.moved += nanoseconds
      state.waits.append(nanoseconds)
      let waited = state.waits.reduce(0, +)
      let due = state.alarms.filter { $0.waited <= waited }
      state.alarms.removeAll { $0.waited <= waited }
      return due
    }
    for alarm in due { alarm.action() }
  }
}
