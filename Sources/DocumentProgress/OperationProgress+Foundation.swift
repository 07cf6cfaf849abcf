public import DocumentStore
public import Foundation

extension OperationProgress {
  /// Makes a progress that reports to Foundation's, which an app shows and cancels.
  ///
  /// - Parameter progress: gets the bytes, on the thread of the operation; cancelling it stops the operation.
  public convenience init(reportingTo progress: Progress) {
    self.init { now in
      progress.totalUnitCount = now.totalUnitCount
      progress.completedUnitCount = now.completedUnitCount
      if progress.isCancelled { now.cancel() }
    }
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }
}
