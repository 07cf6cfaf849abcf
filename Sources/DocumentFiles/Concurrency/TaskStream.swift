extension AsyncThrowingStream where Failure == any Error {
  /// Creates a stream of what a task yields.
  ///
  /// The stream ends with the task, and canceling the task is no failure. The task is canceled once the stream has no
  /// reader.
  package init(yieldedBy work: @escaping @Sendable (Continuation) async throws -> Void) {
    self.init { continuation in
      let task = Task {
        do {
          try await work(continuation)
          continuation.finish()
        } catch is CancellationError {
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
