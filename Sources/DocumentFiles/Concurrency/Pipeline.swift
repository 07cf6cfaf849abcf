internal import Dispatch
internal import Synchronization

/// Does pieces of work one after another, beside the thread that hands them over.
///
/// A job of ``BlockingPool`` does them. If that has not begun when the producer would have to wait, the producer
/// does them itself: so it waits only for a piece that is being done, never for a job that waits for its turn.
package final class Pipeline: Sendable {
  private struct State {
    var pieces: [@Sendable () -> Void] = []
    /// Whether a job was asked for, and has not ended.
    var hasJob = false
    /// Whether a thread does pieces.
    var isBusy = false
  }

  private let state = Mutex(State())
  private let pool: BlockingPool
  private let depth: Int
  /// One signal for each piece that may still be added.
  private let slots: DispatchSemaphore

  /// Makes a pipeline for one producer.
  ///
  /// - Parameter depth: how many pieces are not done, at most; with more, the producer waits.
  package init(depth: Int, in pool: BlockingPool = .shared) {
    self.depth = depth
    self.pool = pool
    slots = DispatchSemaphore(value: depth)
  }

  /// Hands over a piece.
  package func add(_ piece: @escaping @Sendable () -> Void) {
    takeSlot()
    let needsJob = state.withLock { state in
      state.pieces.append(piece)
      defer { state.hasJob = true }
      return !state.hasJob
    }
    if needsJob {
      pool.add { [self] in
        repeat { _ = doPieces() } while !endJob()
      }
    }
  }

  /// Waits until all pieces are done.
  package func wait() {
    // With all slots taken nothing is left to do.
    for _ in 0..<depth { takeSlot() }
    for _ in 0..<depth { slots.signal() }
  }

  private func takeSlot() {
    while slots.wait(timeout: .now()) == .timedOut {
      if !doPieces() { return slots.wait() }
    }
  }

  /// Ends the job.
  ///
  /// - Returns: false if there is more for it to do.
  private func endJob() -> Bool {
    state.withLock { state in
      // A producer at work on them does all that are left.
      guard state.pieces.isEmpty || state.isBusy else { return false }
      state.hasJob = false
      return true
    }
  }

  /// Does pieces until none is left.
  ///
  /// - Returns: false if another thread does them.
  private func doPieces() -> Bool {
    let isTaken = state.withLock { exchange(&$0.isBusy, with: true) }
    if isTaken { return false }
    while let piece = next() {
      piece()
      slots.signal()
    }
    return true
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.pieces.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.pieces.removeFirst()
    }
  }
}
