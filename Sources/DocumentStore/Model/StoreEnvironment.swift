package import DocumentFiles
internal import DocumentGit
internal import DocumentTypes
package import Foundation

/// The surroundings of an operation: the identity, the clock, the wait for locks, and the receiver of progress.
///
/// Every session gets it from its caller.
package struct StoreEnvironment: Sendable {
  /// The author and the device of saved versions.
  package var identity: Identity
  /// The current time.
  package var clock: @Sendable () -> Date
  /// The clock to compare the times of files with.
  package var fileClock = FileClock.system
  /// Reports whether file systems keep permission bits.
  var permissionSupport = PermissionSupport.system
  /// The longest time to wait for another process that changes the same document.
  package var lockTimeout = Duration.seconds(10)
  /// The document types, in addition to those that a container declares.
  var types = DocumentTypes()
  /// True if an exchange accepts repositories of other programs inside packages.
  package var takesRepositories = false
  /// True if operations only report what they would do.
  package var isDryRun = false
  /// True if a file that may be one of several missing documents is not saved as a new one.
  package var leavesOpenMoves = false
  /// The amount of data to exchange at once.
  package var transferStep = TransferStep()
  /// The receiver of progress reports.
  package var progress: OperationProgress?
  /// The group of operations with which this one waits for the disk.
  var syncGroup: SyncGroup?
  /// The listings of temporary files in the folders of documents, for operations on many documents.
  package var temporaryItems: TemporaryItems.Listings?

  /// The listings of the stores of containers, for saving many documents.
  package var listings: ContainerListings?

  /// ``lockTimeout`` in seconds.
  package var lockSeconds: Double { lockTimeout / .seconds(1) }

  /// The meter of an operation.
  package var meter: ProgressMeter { ProgressMeter(progress) }

  /// The environment of an operation that waits for the disk on its own, and so keeps its turn; see
  /// ``inTurns(_:in:_:)``.
  package var waitingAlone: StoreEnvironment {
    var environment = self
    environment.syncGroup = nil
    return environment
  }

  /// The environment after the operation: later calls don't report to its progress or wait with its group.
  var afterOperation: StoreEnvironment {
    var environment = self
    environment.progress = nil
    environment.syncGroup = nil
    environment.temporaryItems = nil
    environment.listings = nil
    return environment
  }
}
