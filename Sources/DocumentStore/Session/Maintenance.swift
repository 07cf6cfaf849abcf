internal import Dispatch
internal import DocumentFiles
internal import DocumentGit
internal import Synchronization
internal import SystemPackage

/// Maintains stores in the background, one at a time, so that no operation waits for it.
///
/// If the process ends in the middle, it only leaves files that the next change of the store removes.
final class Maintenance: Sendable {
  /// The maintenance of this process.
  static let shared = Maintenance()

  private struct State {
    /// The stores that are waiting or being maintained, and whether maintenance was requested again since it
    /// began.
    var stores: [FilePath: Bool] = [:]
    /// The waiting stores, in the order of the requests.
    var pending: [FilePath] = []
    /// True if a job of the pool is maintaining stores.
    var isWorking = false
    /// True if no store is begun; for tests.
    var isSuspended = false
    /// True if the remaining work is abandoned; the next change of a store requests it again.
    var shallStop = false
    /// The functions to call when nothing is left to do.
    var waiting: [@Sendable () -> Void] = []

    /// Returns whether a job must be started, and counts it as started.
    mutating func needsJob() -> Bool {
      guard !isWorking, !isSuspended, !pending.isEmpty else { return false }
      isWorking = true
      return true
    }

    /// Ends the job.
    mutating func end() {
      isWorking = false
      guard stores.isEmpty else { return }
      for isDone in exchange(&waiting, with: []) { isDone() }
    }
  }

  private let state = Mutex(State())

  /// Compacts the small packs of a store into larger ones, soon.
  func compactPacks(of store: FilePath) {
    start { state in
      if state.stores.updateValue(true, forKey: store) == nil { state.pending.append(store) }
    }
  }

  /// Begins no further store until ``resume()``.
  func suspend() { state.withLock { $0.isSuspended = true } }

  /// Continues after ``suspend()``.
  func resume() { start { $0.isSuspended = false } }

  /// True if the remaining work is abandoned; for tests.
  var isGivingUp: Bool { state.withLock { $0.shallStop } }

  /// Starts a job if a change leaves work for it.
  private func start(after change: (inout State) -> Void) {
    let needsJob = state.withLock { state in
      change(&state)
      return state.needsJob()
    }
    guard needsJob, !BlockingPool.shared.addIfThreadIsFree({ self.work() }) else { return }
    state.withLock { state in
      // The next change of a store requests it again.
      (state.stores, state.pending) = ([:], [])
      state.end()
    }
  }

  private func work() {
    while let store = next() {
      while begin(store) {
        // This is only maintenance: if it fails, the next change of the store requests it again.
        do { try compact(store) } catch {}
      }
    }
  }

  private func next() -> FilePath? {
    state.withLock { state in
      guard !state.isSuspended, !state.pending.isEmpty else {
        state.end()
        return nil
      }
      return state.pending.removeFirst()
    }
  }

  /// Returns whether maintenance of a store was requested since it last began; if not, ends it.
  private func begin(_ store: FilePath) -> Bool {
    state.withLock { state in
      let isAsked = state.stores.updateValue(false, forKey: store) == true
      if !isAsked { state.stores[store] = nil }
      return isAsked
    }
  }

  private func compact(_ store: FilePath) throws {
    let repository = try Repository(opening: store)
    guard let compaction = try PackCompaction(of: repository, check: check) else { return }
    try check()
    // The lock is only held to give the new pack its name, so a save waits no longer than that.
    let lock = try FileLock(StoreFile.lock.path(in: store), waitingAtMost: Self.patience)
    let outcome = Result { try compaction.finish(in: repository) }
    lock.releaseAsFound()
    try outcome.get()
  }

  /// The longest wait for a store's lock, in seconds: a process that holds it for longer does more than a
  /// save.
  private static let patience = 1.0

  private func check() throws {
    if state.withLock({ $0.shallStop }) { throw CancellationError() }
  }

  /// Waits until no work is left.
  ///
  /// - Parameter progress: abandons the remaining work when it is canceled.
  func wait(_ progress: OperationProgress?) {
    let isDone = DispatchSemaphore(value: 0)
    if !add({ isDone.signal() }) { return }
    repeat {
      if progress?.isCancelled == true { state.withLock { $0.shallStop = true } }
    } while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut
    state.withLock { $0.shallStop = false }
  }

  /// Suspends the task until no work is left; abandons the remaining work when the task is canceled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !add({ continuation.resume() }) { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.shallStop = true }
    }
    state.withLock { $0.shallStop = false }
  }

  /// Adds a function to call when no work is left.
  ///
  /// - Returns: false if no work is left now; then the function is not called.
  private func add(_ isDone: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.stores.isEmpty { state.waiting.append(isDone) }
      return !state.stores.isEmpty
    }
  }
}
