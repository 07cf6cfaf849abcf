/// Reports the progress of a long operation; costs nothing without an observer.
package struct ProgressMeter: Sendable {
  private let progress: OperationProgress?

  /// - Parameter progress: receives the reports, and asks the operation to stop.
  init(_ progress: OperationProgress?) {
    self.progress = progress
  }

  /// True if there is an observer.
  var isWatched: Bool { progress != nil }

  /// Adds to the total number of bytes.
  func expect(_ bytes: Int) { progress?.expect(bytes: bytes) }

  /// Adds completed bytes.
  ///
  /// - Throws: `CancellationError` if the operation was asked to stop.
  package func advance(_ bytes: Int) throws {
    guard let progress else { return }
    if progress.isCancelled { throw CancellationError() }
    progress.completedUnitCount += Int64(bytes)
  }
}
