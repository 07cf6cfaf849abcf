/// Counts the bytes read against the total, and stops reading after a cancellation.
struct ByteMeter {
  let progress: OperationProgress?

  /// Sets the number of bytes to read.
  func expect(_ bytes: Int) throws {
    progress?.completedUnitCount = 0
    progress?.totalUnitCount = Int64(max(1, bytes))
    try check()
  }

  func advance(_ bytes: Int) throws {
    progress?.completedUnitCount += Int64(bytes)
    try check()
  }

  /// - Throws: `CancellationError` once the operation is canceled.
  func check() throws {
    try progress?.checkCancellation()
  }
}
