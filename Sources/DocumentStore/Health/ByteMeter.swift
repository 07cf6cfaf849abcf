/// Counts the bytes that were read of all, and stops the reading once it is canceled.
struct ByteMeter {
  let progress: OperationProgress?

  /// Sets what there is to read.
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
    if progress?.isCancelled == true { throw CancellationError() }
  }
}
