internal import Synchronization

/// Work that waits for the disk or for other processes, done by a few threads of its own: nobody's who must not wait.
///
/// Dispatch's queues will not do: on Linux they share their threads, one for each core, with Swift's tasks.
package final class WaitingWork: Sendable {
  /// The work of this process.
  package static let shared = WaitingWork()

  private struct State {
    var pending: [@Sendable () -> Void] = []
    var threads = 0
    /// Threads that wait for a lock, be they of these or not.
    var waiting = 0

    /// How many threads there may be.
    var most: Int { mostThreads + min(waiting, mostWaiting) }

    /// Whether one more thread has something to do; it counts from now on.
    mutating func takesThread() -> Bool {
      guard !pending.isEmpty, threads < most else { return false }
      threads += 1
      return true
    }
  }

  private let state = Mutex(State())

  /// More at the same time would need more open files than a process may have.
  private static let mostThreads = 32
  /// Who waits for a lock has that file open, and hardly another.
  private static let mostWaiting = 256

  /// Has the work done, in the order in which it comes; does not wait for it.
  package func add(_ work: @escaping @Sendable () -> Void) {
    startThread { $0.pending.append(work) }
  }

  /// Waits for a lock; another thread takes this one's place meanwhile, so that all who want one lock hold up nobody
  /// else.
  func whileWaiting<Result>(_ wait: () throws -> Result) rethrows -> Result {
    startThread { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    return try wait()
  }

  /// Starts a thread where a change leaves something for one to do.
  private func startThread(after change: (inout State) -> Void) {
    let needsThread = state.withLock { state in
      change(&state)
      return state.takesThread()
    }
    // Without a thread to be had it is done here.
    if needsThread, !Threads.detach({ self.doPending() }) { doPending() }
  }

  private func doPending() {
    while let next = next() { next() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      // Where somebody's waiting has ended, there may be too many.
      guard !state.pending.isEmpty, state.threads <= state.most else {
        state.threads -= 1
        return nil
      }
      return state.pending.removeFirst()
    }
  }
}
