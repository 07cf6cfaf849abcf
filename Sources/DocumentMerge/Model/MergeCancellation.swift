/// The cancellation of merges.
///
/// A merge runs on the caller's thread, which may not belong to a task. So besides canceling the task, the caller of a
/// merge can ask it to end.
package enum MergeCancellation {
  @TaskLocal private static var isRequested: @Sendable () -> Bool = { false }

  /// True if the task is canceled, or the caller asked the merge to end.
  package static var isCancelled: Bool { Task.isCancelled || isRequested() }

  /// - Throws: `CancellationError` if the merge was asked to end.
  package static func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs merges on this thread, asking repeatedly on any thread whether they should end.
  package static func heeding<Result>(
    _ isRequested: @escaping @Sendable () -> Bool, _ merge: () throws -> Result
  ) rethrows -> Result {
    try $isRequested.withValue(isRequested, operation: merge)
  }
}
