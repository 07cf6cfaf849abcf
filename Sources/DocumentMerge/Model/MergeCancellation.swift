/// Whether a merge shall end early.
///
/// A merge works on the thread that asks for it, which may be none of Swift's, and then knows of no task. So besides the
/// task, the caller of a merge can say when it shall end.
package enum MergeCancellation {
  @TaskLocal private static var isRequested: @Sendable () -> Bool = { false }

  /// Whether the task or the caller of the merge wants no result any more.
  package static var isCancelled: Bool { Task.isCancelled || isRequested() }

  /// - Throws: `CancellationError` if the merge shall end.
  package static func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs merges on this thread.
  ///
  /// - Parameter isRequested: whether they shall end; asked again and again, on any thread.
  package static func heeding<Result>(
    _ isRequested: @escaping @Sendable () -> Bool, _ merge: () throws -> Result
  ) rethrows -> Result {
    try $isRequested.withValue(isRequested, operation: merge)
  }
}
