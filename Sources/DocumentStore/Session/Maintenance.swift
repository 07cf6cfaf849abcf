internal import Dispatch
internal import DocumentFiles
internal import DocumentGit
internal import Synchronization
internal import SystemPackage

/// Keeps stores in order in the background, one store at a time, so that no operation waits for it.
///
/// A process that ends in the middle of it leaves files that the next change of the store removes, and nothing else.
final class Maintenance: Sendable {
  /// The maintenance of this process.
  static let shared = Maintenance()

  private struct State {
    /// The stores that wait or are being worked on, and whether that was asked for again since it began.
    var stores: [FilePath: Bool] = [:]
    /// Those that wait, in the order in which they came.
    var pending: [FilePath] = []
    /// Whether a job of the pool works on them.
    var isWorking = false
    /// Whether none is begun; for tests.
    var isSuspended = false
    /// Whether what is left is given up; the next change of a store asks for it again.
    var shallStop = false
    /// Called when nothing is left.
    var waiting: [@Sendable () -> Void] = []

    /// Returns whether a job has to be started; it counts from now on.
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

  /// Begins with no further store, until it is resumed.
  func suspend() { state.withLock { $0.isSuspended = true } }

  /// Goes on after ``suspend()``.
  func resume() { start { $0.isSuspended = false } }

  /// Whether what is left is given up; for tests.
  var isGivingUp: Bool { state.withLock { $0.shallStop } }

  /// Starts a job where a change leaves something for it to do.
  private func start(after change: (inout State) -> Void) {
    let needsJob = state.withLock { state in
      change(&state)
      return state.needsJob()
    }
    guard needsJob, !BlockingPool.shared.addIfThreadIsFree({ self.work() }) else { return }
    state.withLock { state in
      // The next change of a store asks for it again.
      (state.stores, state.pending) = ([:], [])
      state.end()
    }
  }

  private func work() {
    while let store = next() {
      while begin(store) {
        // It is only for order: should it fail, the next change of the store asks for it again.
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

  /// Returns whether the work on a store was asked for since it last began; if not, it is at its end.
  private func begin(_ store: FilePath) -> Bool {
    state.withLock { state in
      let isAsked = state.stores.updateValue(false, forKey: store) == true
      if !isAsked { state.stores[store] = nil }
      return isAsked
    }
  }

  private func compact(_ store: FilePath) throws {
    let repository = try Repository(opening: store.withPlatformString { $0.nullTerminated })
    guard let compaction = try PackCompaction(of: repository, check: check) else { return }
    try check()
    // Only to give the new pack its name: a save waits for no more than that.
    let lock = try FileLock(StoreFile.lock.path(in: store), waitingAtMost: Self.patience)
    let outcome = Result { try compaction.finish(in: repository) }
    lock.releaseAsFound()
    try outcome.get()
  }

  /// Seconds: a process that holds a store's lock for longer does more than to save.
  private static let patience = 1.0

  private func check() throws {
    if state.withLock({ $0.shallStop }) { throw CancellationError() }
  }

  /// Waits until nothing is left to do.
  ///
  /// - Parameter progress: when it is canceled, the rest is given up.
  func wait(_ progress: OperationProgress?) {
    let isDone = DispatchSemaphore(value: 0)
    if !add({ isDone.signal() }) { return }
    repeat {
      if progress?.isCancelled == true { state.withLock { $0.shallStop = true } }
    } while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut
    state.withLock { $0.shallStop = false }
  }

  /// Suspends the task until nothing is left to do; when it is canceled, what is left is given up.
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

  /// Adds a function that is called once nothing is left to do.
  ///
  /// - Returns: false if nothing is left now; then it is not called.
  private func add(_ isDone: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.stores.isEmpty { state.waiting.append(isDone) }
      return !state.stores.isEmpty
    }
  }
}
