internal import Synchronization

/// A clock that advances only on request, for scenarios and tests.
package final class ManualClock: Sendable {
  private struct State {
    var now = Duration.zero
    var count = 0
    var waits: [Int: (due: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  /// Creates a clock.
  package init() {}

  /// The clock for documents.
  package var clock: DocumentClock {
    DocumentClock(now: { self.state.withLock { $0.now } }) { try await self.wait(until: $0) }
  }

  /// The number of waiting tasks.
  package var waiting: Int { state.withLock { $0.waits.count } }

  /// Advances the clock, and wakes the tasks whose time has come.
  package func advance(_ duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let now = state.now
      let woken = state.waits.filter { $0.value.due <= now }
      for key in woken.keys { state.waits[key] = nil }
      return woken.values
    }
    for wait in woken { wait.continuation.resume() }
  }

  private func wait(until moment: Duration) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          guard moment > state.now, !Task.isCancelled else { return true }
          state.waits[number] = (moment, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.waits.removeValue(forKey: number) }?.continuation
        .resume(throwing: CancellationError())
    }
  }
}
