import Dispatch
import Foundation
import Synchronization

/// Work that runs on a separate thread while a test does something else.
package final class Meanwhile: Sendable {
  private struct State {
    var steps = 0
    var isStopping = false
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// Signaled after the first round, and at the end.
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts to repeat a step; returns after the first round.
  ///
  /// - Parameter step: receives its number, counted from 1.
  package init(_ step: @escaping @Sendable (Int) throws -> Void) {
    Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isStopping }) {
        do {
          try step(state.withLock { $0.steps } + 1)
          state.withLock { $0.steps += 1 }
          hasBegun.signal()
        } catch {
          state.withLock { $0.failure = error }
          break
        }
      }
      hasBegun.signal()
      hasEnded.signal()
    }
    hasBegun.wait()
  }

  /// The number of rounds so far.
  package var steps: Int { state.withLock { $0.steps } }

  /// Ends the work, and throws its error.
  package func stop() throws {
    state.withLock { $0.isStopping = true }
    hasEnded.wait()
    // It may be stopped again.
    hasEnded.signal()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
