import Dispatch
import Foundation
import Synchronization

/// What goes on, on a thread of its own, while a test does something else.
package final class Meanwhile: Sendable {
  private struct State {
    var steps = 0
    var isStopping = false
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// Signalled when it was done once, and at the end.
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins to do something over and over; returns when it was done once.
  ///
  /// - Parameter step: gets its number, counted from 1.
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

  /// Ends it, and throws what it has thrown.
  package func stop() throws {
    state.withLock { $0.isStopping = true }
    hasEnded.wait()
    // It may be asked to end again.
    hasEnded.signal()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
