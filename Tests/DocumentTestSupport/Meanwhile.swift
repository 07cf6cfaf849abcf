import Foundation
import Synchronization

/// What goes on, on a thread of its own, while a test does something else.
package final class Meanwhile: Sendable {
  private struct State {
    var steps = 0
    var isStopping = false
    var hasEnded = false
    var failure: (any Error)?
  }

  private let state = Mutex(State())

  /// Begins to do something over and over; returns when it was done once.
  ///
  /// - Parameter step: gets its number, counted from 1.
  package init(_ step: @escaping @Sendable (Int) throws -> Void) {
    Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isStopping }) {
        do {
          try step(state.withLock { $0.steps } + 1)
          state.withLock { $0.steps += 1 }
        } catch {
          state.withLock { $0.failure = error }
          break
        }
      }
      state.withLock { $0.hasEnded = true }
    }
    wait { $0.steps > 0 || $0.hasEnded }
  }

  /// Ends it, and throws what it has thrown.
  package func stop() throws {
    state.withLock { $0.isStopping = true }
    wait { $0.hasEnded }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func wait(until condition: (borrowing State) -> Bool) {
    while !state.withLock({ condition($0) }) { usleep(500) }
  }
}
