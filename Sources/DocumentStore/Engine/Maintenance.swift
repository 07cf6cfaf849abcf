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
    /// The stores that wait, or are being worked on.
    var stores: Set<FilePath> = []
    /// Whether what is left is given up; the next change of a store asks for it again.
    var shallStop = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "docversions.maintenance", qos: .utility)

  /// Folds the small packs of a store into larger ones, soon.
  func foldPacks(of store: FilePath) {
    guard state.withLock({ $0.stores.insert(store).inserted }) else { return }
    queue.async { [self] in
      // It is only for order: should it fail, the next change of the store asks for it again.
      do { try fold(store) } catch {}
      _ = state.withLock { $0.stores.remove(store) }
    }
  }

  private func fold(_ store: FilePath) throws {
    let repository = try Repository(opening: store.withPlatformString { $0.nullTerminated })
    guard let fold = try PackFold(of: repository, check: check) else { return }
    try check()
    // Only to give the new pack its name: nobody waits for more than that.
    let lock = try FileLock(store.appending("lock"))
    let outcome = Result { try fold.finish(in: repository) }
    lock.releaseAsFound()
    try outcome.get()
  }

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
    while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if progress?.isCancelled == true { state.withLock { $0.shallStop = true } }
    }
    state.withLock { $0.shallStop = false }
  }
}
