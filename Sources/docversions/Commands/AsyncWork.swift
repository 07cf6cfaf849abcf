internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Asynchronous work in a command that the parser runs synchronously.
enum AsyncWork {
  /// Runs work on Swift's threads, and waits for its end.
  ///
  /// The first thread only waits; if it were one of them, the system would load a library to end it. The
  /// parser's protocol for asynchronous commands isn't used, because it searches for such commands, which
  /// takes time at each start.
  static func wait(for body: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Mutex<Result<Void, any Error>>(.success(()))
    let isDone = DispatchSemaphore(value: 0)
    Task {
      do { try await body() } catch { outcome.withLock { $0 = .failure(error) } }
      isDone.signal()
    }
    isDone.wait()
    try outcome.withLock { $0 }.get()
  }

  /// Runs work until a signal stops it, and waits for its end.
  ///
  /// - Parameter progress: the progress of the work, which the signal cancels.
  static func waitUntilStopped(
    _ progress: OperationProgress = OperationProgress(),
    for body: @escaping @Sendable () async throws -> Void
  ) throws {
    try Signals.beginCancellable(progress)
    try wait {
      let work = Task { try await body() }
      progress.onCancel { work.cancel() }
      do { try await work.value } catch is CancellationError {}
    }
    Signals.endCancellable()
  }
}
