internal import DocumentFiles
internal import DocumentGit
internal import DocumentTypes
internal import Foundation

/// The surroundings of an operation: who works, by which clock, with how much patience, and where progress is reported.
///
/// A value that every session gets from its caller.
struct StoreEnvironment: Sendable {
  /// Who edits, and on which device.
  var identity: Identity
  /// What time it is.
  var clock: @Sendable () -> Date
  /// How long to wait for another process that changes the same document, in seconds.
  var lockTimeout: Double = 10
  /// The types of documents that there are, besides those that a container declares.
  var types = DocumentTypes()
  /// Whether operations only report what they would do.
  var isDryRun = false
  /// Where long operations report how far they are.
  var progress: OperationProgress?
  /// The other operations with which this one waits for the disk.
  var syncGroup: SyncGroup?
  /// What killed processes left in the folders of documents, where many documents are opened.
  var leftovers: TemporaryItems.Listings?

  /// The meter of an operation that begins now.
  var meter: ProgressMeter { ProgressMeter(progress) }

  /// The same once the operation is over: no later call reports to its progress or waits with its group.
  var afterOperation: StoreEnvironment {
    var environment = self
    environment.progress = nil
    environment.syncGroup = nil
    environment.leftovers = nil
    return environment
  }
}
