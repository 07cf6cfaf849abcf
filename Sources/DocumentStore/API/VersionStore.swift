internal import DocumentFiles
public import DocumentTypes
public import Foundation

/// Saves, lists, restores and removes the versions of documents.
///
/// A document's versions lie in a repository of its own, in the folder `.docversions` beside it or above it;
/// the first save makes it. Each operation opens the document's repository, holds its lock while it changes
/// something, and closes it, so any number of threads and processes may work at the same time. A program that asks
/// for the conflicts among many documents again and again should ask the same store, or copies of it: the system reports
/// to it what has changed meanwhile.
///
/// Operations wait for the disk. From `async` code, call them through ``perform(_:)``.
public struct VersionStore: Sendable {
  /// Who works, by which clock, and how patiently.
  var environment: StoreEnvironment
  /// What it found when it searched for conflicts; copies share it.
  var conflictWatch = ConflictWatch()

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - identity: who edits, and on which device; by default what the system knows.
  ///   - clock: what time it is.
  public init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    environment = StoreEnvironment(identity: identity, clock: clock)
  }

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Who edits, and on which device.
  public var identity: Identity {
    get { environment.identity }
    set { environment.identity = newValue }
  }

  /// What time it is.
  public var clock: @Sendable () -> Date {
    get { environment.clock }
    set { environment.clock = newValue }
  }

  /// How long to wait for another process that changes the same document, in seconds.
  ///
  /// That may be this one: see ``waitForMaintenance(_:)``.
  public var lockTimeout: Double {
    get { environment.lockTimeout }
    set { environment.lockTimeout = newValue }
  }

  /// Which types of documents there are, besides those that a container declares.
  public var types: DocumentTypes {
    get { environment.types }
    set { environment.types = newValue }
  }

  /// Whether everything is checked and nothing is changed: operations then fail as they would, and
  /// return what is there now.
  ///
  /// An exchange is refused.
  public var isDryRun: Bool {
    get { environment.isDryRun }
    set { environment.isDryRun = newValue }
  }

  /// Where long operations report how far they are, in bytes, and learn that they shall stop.
  ///
  /// An operation sets `totalUnitCount` when it knows it. After `cancel()` it stops at the next piece, throws
  /// `CancellationError`, and leaves everything as it was.
  public var progress: OperationProgress? {
    get { environment.progress }
    set { environment.progress = newValue }
  }

  /// Runs operations from `async` code: on a thread of their own, so that waiting for the disk does not
  /// hold up one of Swift's.
  ///
  /// When the task is cancelled, so is the store's ``progress``.
  ///
  /// - Parameter work: gets this store, with a progress of its own where it had none.
  public func perform<Result: Sendable>(
    _ work: @escaping @Sendable (VersionStore) throws -> Result
  ) async throws -> Result {
    var store = self
    let progress = progress ?? OperationProgress()
    store.progress = progress
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        BlockingPool.shared.add { [store] in
          continuation.resume(with: Swift.Result { try work(store) })
        }
      }
    } onCancel: {
      progress.cancel()
    }
  }

  /// Waits until what operations of this process have left to be done in the background is done.
  ///
  /// When a document has come to many small packs, they are compacted into larger ones after the operation, so that no
  /// caller waits for that. A program that ends right after an operation calls this first; otherwise what was begun
  /// is left, the next change of the document removes it, and it is begun again.
  ///
  /// - Parameter progress: when it is cancelled, what is left is given up in the same way.
  public static func waitForMaintenance(_ progress: OperationProgress? = nil) {
    Maintenance.shared.wait(progress)
  }
}
