/// How far a long operation is, for whoever watches; without a watcher it costs nothing.
struct ProgressMeter: Sendable {
  private let progress: OperationProgress?

  /// - Parameter progress: where to tell, and to learn that the operation shall stop.
  init(_ progress: OperationProgress?) {
    self.progress = progress
  }

  /// Whether anybody watches.
  var isWatched: Bool { progress != nil }

  /// Adds to what there is to do.
  func expect(_ bytes: Int) {
    guard let progress else { return }
    let (total, isTooMuch) = max(0, progress.totalUnitCount)
      .addingReportingOverflow(Int64(bytes))
    progress.totalUnitCount = isTooMuch ? .max : total
  }

  /// Adds to what is done.
  ///
  /// - Throws: `CancellationError` when the operation shall stop.
  func advance(_ bytes: Int) throws {
    guard let progress else { return }
    if progress.isCancelled { throw CancellationError() }
    progress.completedUnitCount += Int64(bytes)
  }
}
