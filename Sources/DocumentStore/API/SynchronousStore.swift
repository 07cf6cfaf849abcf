internal import DocumentFiles
package import DocumentTypes
package import Foundation

/// The synchronous form of ``VersionStore``: the same operations, which wait for the disk on the caller's thread.
///
/// The command line and the tests use it. ``VersionStore`` documents its settings, and the operations that both have.
@dynamicMemberLookup
package struct SynchronousStore: Sendable {
  /// The store with the settings.
  var store: VersionStore

  init(_ store: VersionStore) {
    self.store = store
  }

  /// The synchronous form of ``VersionStore/init(identity:clock:)``.
  package init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    store = VersionStore(identity: identity, clock: clock)
  }

  init(_ environment: StoreEnvironment) {
    store = VersionStore()
    store.environment = environment
  }

  /// A setting of the store.
  package subscript<Value>(
    dynamicMember setting: WritableKeyPath<VersionStore, Value>
  ) -> Value {
    get { store[keyPath: setting] }
    set { store[keyPath: setting] = newValue }
  }

  /// The same as ``VersionStore/types``, which ``types(for:)`` would otherwise hide.
  package var types: DocumentTypes {
    get { store.types }
    set { store.types = newValue }
  }

  /// The environment of each operation.
  package var environment: StoreEnvironment {
    get { store.environment }
    set { store.environment = newValue }
  }

  /// Runs operations in the pool for blocking work, and suspends the task until they return.
  ///
  /// A canceled task cancels the store's ``progress``.
  ///
  /// - Parameter work: receives this store, with a new progress if it had none.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable (SynchronousStore) throws -> Result
  ) async throws -> Result {
    var own = self
    let progress = own.environment.progress ?? OperationProgress()
    own.environment.progress = progress
    return try await withTaskCancellationHandler {
      try await BlockingPool.shared.run { [own] in try work(own) }
    } onCancel: {
      progress.cancel()
    }
  }

  /// The synchronous form of ``VersionStore/waitForMaintenance()``.
  ///
  /// - Parameter progress: abandons the remaining work when it is canceled.
  package static func waitForMaintenance(_ progress: OperationProgress? = nil) {
    Maintenance.shared.wait(progress)
  }
}
