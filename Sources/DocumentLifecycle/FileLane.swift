/// Runs a document's accesses to its file one at a time, in the order of the calls.
///
/// An actor doesn't guarantee this: while one call waits, another one runs, and saves that overtake each other lose
/// text.
@MainActor
final class FileLane {
  private var last: Task<Void, Never>?

  /// Runs an access after all earlier ones.
  ///
  /// - Parameter isCancelledWithCaller: whether canceling the caller also cancels the access.
  func run<Result: Sendable>(
    isCancelledWithCaller: Bool = false, _ access: @escaping @MainActor () async throws -> Result
  ) async throws -> Result {
    let previous = last
    let task = Task { @MainActor in
      await previous?.value
      return try await access()
    }
    last = Task { _ = await task.result }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      if isCancelledWithCaller { task.cancel() }
    }
  }
}
