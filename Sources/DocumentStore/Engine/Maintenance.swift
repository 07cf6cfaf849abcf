internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// What keeps stores in order and need not be waited for: it is done in the background, one store at a time.
///
/// A process that ends in the middle of it leaves files that the next change of the store removes, and nothing else.
final class Maintenance: Sendable {
  /// That of the process.
  static let shared = Maintenance()

  private struct State {
    /// The stores that wait or are being worked on, and whether that was asked for again since it began.
    var stores: [FilePath: Bool] = [:]
    /// Whether what is left is given up; the next change of a store asks for it again.
    var shallStop = false
  }

  private let state = Mutex(State())
  /// Where it is done; suspended by tests.
  let queue = DispatchQueue(label: "docversions.maintenance", qos: .utility)

  /// Compacts the small packs of a store, soon.
  func compactPacks(of store: FilePath) {
    let isFirst = state.withLock { $0.stores.updateValue(true, forKey: store) == nil }
    guard isFirst else { return }
    queue.async { [self] in
      while begin(store) {
        // It is only for order: should it fail, the next change of the store asks for it again.
        do { try compact(store) } catch {}
      }
    }
  }

  /// Whether somebody has asked for a store since the work on it began; if not, that is at its end.
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
    // Only to give the new pack its name: nobody waits for more than that.
    let lock = try FileLock(store.appending("lock"), waitingAtMost: Self.patience)
    let outcome = Result { try compaction.finish(in: repository) }
    lock.releaseAsFound()
    try outcome.get()
  }

  /// Seconds: whoever holds a store's lock for longer does more than to save.
  private static let patience = 1.0

  private func check() throws {
    if state.withLock({ $0.shallStop }) { throw CancellationError() }
  }

  /// Waits until nothing is left to do.
  ///
  /// - Parameter progress: when it is cancelled, what is left is given up.
  func wait(_ progress: OperationProgress?) {
    guard state.withLock({ !$0.stores.isEmpty }) else { return }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    repeat {
      if progress?.isCancelled == true { state.withLock { $0.shallStop = true } }
    } while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut
    state.withLock { $0.shallStop = false }
  }
}
