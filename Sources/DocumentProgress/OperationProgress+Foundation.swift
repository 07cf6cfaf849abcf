public import DocumentStore
public import Foundation

extension OperationProgress {
  /// Creates a progress that reports to Foundation's, which an app can show and cancel.
  ///
  /// It is in the module and the library product `DocumentProgress`, which `import DocumentVersions` doesn't include.
  ///
  /// - Parameter progress: receives the bytes on the operation's thread; canceling it stops the operation.
  public convenience init(reportingTo progress: Progress) {
    self.init { now in
      progress.totalUnitCount = now.totalUnitCount
      progress.completedUnitCount = now.completedUnitCount
      if progress.isCancelled { now.cancel() }
    }
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }
}
