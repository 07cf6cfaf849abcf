internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Asynchronous work of a command that is synchronous to the parser.
enum AsyncWork {
  /// Runs work on Swift's threads, and waits for its end.
  ///
  /// The first thread only waits: were it one of them, the system would load a library to end it. The
  /// parser's protocol for asynchronous commands searches for them, which takes time at each start.
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

  /// Runs work that goes on until a signal stops it, and waits for its end.
  ///
  /// - Parameter progress: that of the work, which the signal cancels.
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
