internal import DocumentFiles
package import DocumentTypes
package import Foundation

/// The synchronous form of ``VersionStore``: the same operations, which wait for the disk on the caller's thread.
///
/// The command line and the tests use it; ``VersionStore`` documents the operations.
package struct SynchronousStore: Sendable {
  /// The surroundings of each operation.
  package var environment: StoreEnvironment
  /// The conflicts that earlier searches found; copies share it.
  var conflictWatch = ConflictWatch()

  /// The synchronous form of ``VersionStore/init(identity:clock:)``.
  package init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    environment = StoreEnvironment(identity: identity, clock: clock)
  }

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// The same as ``VersionStore/identity``.
  package var identity: Identity {
    get { environment.identity }
    set { environment.identity = newValue }
  }

  /// The same as ``VersionStore/clock``.
  package var clock: @Sendable () -> Date {
    get { environment.clock }
    set { environment.clock = newValue }
  }

  /// The same as ``VersionStore/lockTimeout``.
  package var lockTimeout: Double {
    get { environment.lockTimeout }
    set { environment.lockTimeout = newValue }
  }

  /// The same as ``VersionStore/types``.
  package var types: DocumentTypes {
    get { environment.types }
    set { environment.types = newValue }
  }

  /// The same as ``VersionStore/takesRepositories``.
  package var takesRepositories: Bool {
    get { environment.takesRepositories }
    set { environment.takesRepositories = newValue }
  }

  /// The same as ``VersionStore/isDryRun``.
  package var isDryRun: Bool {
    get { environment.isDryRun }
    set { environment.isDryRun = newValue }
  }

  /// The same as ``VersionStore/progress``.
  package var progress: OperationProgress? {
    get { environment.progress }
    set { environment.progress = newValue }
  }

  /// Runs operations in the pool for blocking work, and suspends the task meanwhile.
  ///
  /// A cancelled task cancels the store's ``progress``.
  ///
  /// - Parameter work: gets this store, with a progress of its own where it had none.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable (SynchronousStore) throws -> Result
  ) async throws -> Result {
    var store = self
    let progress = store.progress ?? OperationProgress()
    store.progress = progress
    return try await withTaskCancellationHandler {
      try await BlockingPool.shared.run { [store] in try work(store) }
    } onCancel: {
      progress.cancel()
    }
  }

  /// The synchronous form of ``VersionStore/waitForMaintenance()``.
  ///
  /// - Parameter progress: when it is cancelled, the remaining work is given up.
  package static func waitForMaintenance(_ progress: OperationProgress? = nil) {
    Maintenance.shared.wait(progress)
  }
}
