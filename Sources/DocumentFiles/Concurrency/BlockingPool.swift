internal import Synchronization

/// Runs blocking work off the cooperative thread pool, on a bounded number of threads.
///
/// No job waits for another job. A job that waits for a lock leaves the pool: it gives its place to the next
/// job, and its thread sleeps outside the pool, with back-off, until the lock is free. A job is a synchronous
/// call, so it can't be restarted, because the caller's code before the lock would run twice. A sleeping
/// thread holds little more than its stack and the lock's file.
///
/// If the system has no thread left, a running thread does the work later; if no thread is running, the
/// caller does it.
package final class BlockingPool: Sendable {
  /// The pool of this process.
  package static let shared = BlockingPool()

  private struct State {
    var pending: [(number: Int, job: @Sendable () -> Void)] = []
    /// The number of jobs added so far.
    var added = 0
    /// The number of threads that have a place.
    var running = 0
    /// The number of threads that gave up their place to wait for a lock.
    var away = 0
  }

  private let state = Mutex(State())
  private let width: Int
  private let mostAway: Int
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - width: the greatest number of jobs that run at the same time; more would need more open files than a
  ///     process may have.
  ///   - mostAway: the greatest number of jobs that may leave the pool at the same time; any other job that
  ///     waits for a lock keeps its place.
  ///   - startThread: starts a thread, or returns false if none is available.
  package init(
    width: Int = 32, mostAway: Int = 256,
    startingThreads startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool =
      Threads.detach
  ) {
    self.width = width
    self.mostAway = mostAway
    self.startThread = startThread
  }

  /// Adds a job without waiting for it; jobs start in the order in which they were added.
  package func add(_ job: @escaping @Sendable () -> Void) {
    if !addIfThreadIsFree(job) { job() }
  }

  /// Adds an optional job.
  ///
  /// - Returns: false if no thread is available; then the job isn't run.
  package func addIfThreadIsFree(_ job: @escaping @Sendable () -> Void) -> Bool {
    let (number, needsThread) = state.withLock { state in
      state.added += 1
      state.pending.append((state.added, job))
      return (state.added, takePlace(&state))
    }
    if !needsThread || startThread({ self.work() }) { return true }
    let (isTaken, isAlone) = state.withLock { state in
      guard state.running == 1 else {
        // Another thread takes the job when it is done with its own.
        state.running -= 1
        return (true, false)
      }
      let index = state.pending.firstIndex { $0.number == number }
      if let index { state.pending.remove(at: index) }
      return (index == nil, true)
    }
    // Other callers may have left their jobs to this thread in the meantime.
    if isAlone { work() }
    return isTaken
  }

  /// Runs a job, and suspends the task until it is done.
  package func run<Result: Sendable, Failure>(
    _ job: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await withCheckedContinuation { continuation in
      add { continuation.resume(returning: Swift.Result(catching: job)) }
    }.get()
  }

  // MARK: Places

  /// The place of the job on this thread; nil if the thread doesn't belong to a pool.
  @TaskLocal static var place: Place?

  /// One of the pool's places, while a job occupies it.
  final class Place: Sendable {
    private let pool: BlockingPool
    private let isGivenUp = Mutex(false)

    fileprivate init(_ pool: BlockingPool) { self.pool = pool }

    /// Gives the place to the next job.
    fileprivate func giveUp() {
      isGivenUp.withLock { isGivenUp in
        if !isGivenUp { isGivenUp = pool.leave() }
      }
    }

    fileprivate var hasLeft: Bool { isGivenUp.withLock { $0 } }
  }

  /// Makes the job on this thread, if there is one, leave its pool, because it is about to sleep until a lock
  /// is free.
  package static func leave() { place?.giveUp() }

  /// Takes a free place if a job is waiting for one.
  private func takePlace(_ state: inout State) -> Bool {
    guard !state.pending.isEmpty, state.running < width else { return false }
    state.running += 1
    return true
  }

  /// Runs jobs as long as this thread has a place.
  private func work() {
    while let job = next() {
      let place = Place(self)
      Self.$place.withValue(place) { job() }
      if place.hasLeft {
        // After the wait outside, the thread continues only if a place is free.
        let hasPlace = state.withLock { state in
          state.away -= 1
          return takePlace(&state)
        }
        guard hasPlace else { return }
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.pending.removeFirst().job
    }
  }

  /// Moves a thread out of its place.
  ///
  /// - Returns: false if the thread keeps its place, because too many have left theirs, or no thread is
  ///   available for the next job.
  private func leave() -> Bool {
    let (isAway, needsThread) = state.withLock { state in
      guard state.away < mostAway else { return (false, false) }
      state.away += 1
      state.running -= 1
      return (true, takePlace(&state))
    }
    guard needsThread, !startThread({ self.work() }) else { return isAway }
    // This thread gets its place back.
    state.withLock { $0.away -= 1 }
    return false
  }
}
