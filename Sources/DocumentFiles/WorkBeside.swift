internal import Dispatch
internal import Synchronization

/// Pieces of work that are done one after the other beside whoever hands them over: on a thread of their own, and by whoever
/// hands them over where none is to be had.
///
/// One of Dispatch's queues will not do: where the system has no thread left, it waits for one for ever.
package final class WorkBeside: Sendable {
  private struct State {
    var pieces: [@Sendable () -> Void] = []
    /// Whether somebody takes them.
    var isGoingOn = false
  }

  private let state = Mutex(State())
  private let most: Int
  private let slots: DispatchSemaphore

  /// - Parameter most: how many pieces there are at most that are not done; who adds another one waits.
  package init(atMost most: Int) {
    self.most = most
    slots = DispatchSemaphore(value: most)
  }

  /// Hands over a piece.
  package func add(_ piece: @escaping @Sendable () -> Void) {
    slots.wait()
    let isIdle = state.withLock { state in
      state.pieces.append(piece)
      defer { state.isGoingOn = true }
      return !state.isGoingOn
    }
    if isIdle, !Threads.detach({ self.doPieces() }) { doPieces() }
  }

  /// Waits until all that was handed over is done.
  package func wait() {
    // Whoever has all slots knows that nothing is left.
    for _ in 0..<most { slots.wait() }
    for _ in 0..<most { slots.signal() }
  }

  private func doPieces() {
    while let piece = next() {
      piece()
      slots.signal()
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.pieces.isEmpty else {
        state.isGoingOn = false
        return nil
      }
      return state.pieces.removeFirst()
    }
  }
}
