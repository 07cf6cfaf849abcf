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
  }

  private let state = Mutex(State())

  /// More at the same time would need more open files than a process may have.
  private static let mostThreads = 32

  /// Has the work done, in the order in which it comes; does not wait for it.
  package func add(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.pending.append(work)
      guard state.threads < Self.mostThreads else { return false }
      state.threads += 1
      return true
    }
    if needsThread { Threads.detach { self.doPending() } }
  }

  private func doPending() {
    while let next = next() { next() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        state.threads -= 1
        return nil
      }
      return state.pending.removeFirst()
    }
  }
}
