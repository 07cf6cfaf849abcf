extension AsyncThrowingStream where Failure == any Error {
  /// Creates a stream of the values that a task yields.
  ///
  /// The stream ends with the task; canceling the task doesn't count as a failure. The task is canceled once
  /// the stream has no reader.
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
