internal import Dispatch
internal import Synchronization

/// Runs pieces of work one after another, concurrently with the thread that adds them.
///
/// A job of ``BlockingPool`` runs them. If that job hasn't started when the producer would have to wait, the
/// producer runs them itself. So the producer only waits for a running piece, never for a waiting job.
package final class Pipeline: Sendable {
  private struct State {
    var pieces: [@Sendable () -> Void] = []
    /// True if a job was requested and has not ended.
    var hasJob = false
    /// True if a thread is running pieces.
    var isBusy = false
  }

  private let state = Mutex(State())
  private let pool: BlockingPool
  private let depth: Int
  /// One signal for each piece that may still be added.
  private let slots: DispatchSemaphore

  /// Creates a pipeline for one producer.
  ///
  /// - Parameter depth: the greatest number of unfinished pieces; beyond it, the producer waits.
  package init(depth: Int, in pool: BlockingPool = .shared) {
    self.depth = depth
    self.pool = pool
    slots = DispatchSemaphore(value: depth)
  }

  /// Adds a piece.
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
    // If all slots are available, nothing is left to do.
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
  /// - Returns: false if there is more to do.
  private func endJob() -> Bool {
    state.withLock { state in
      // A producer that runs them runs all that are left.
      guard state.pieces.isEmpty || state.isBusy else { return false }
      state.hasJob = false
      return true
    }
  }

  /// Runs pieces until none is left.
  ///
  /// - Returns: false if another thread runs them.
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
