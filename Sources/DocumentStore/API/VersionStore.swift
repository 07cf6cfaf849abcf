public import DocumentTypes
public import Foundation

/// Saves, lists, restores and removes the versions of documents.
///
/// Each document has its own repository for its versions, in the folder `.docversions` beside it or above it; the first
/// save creates it. Each operation opens the document's repository, holds its lock while it changes something, and
/// closes it, so any number of threads and processes may work at the same time. To search many documents for conflicts
/// repeatedly, use the same store, or copies of it: the system then reports to the store what has changed in between.
///
/// Operations that write a document aren't coordinated with programs that have it open, unless their documentation says
/// so: call them inside a coordinated write of the document.
///
/// Operations wait for the disk on separate threads. When the task is canceled, they stop at the next step, throw
/// `CancellationError`, and leave everything unchanged.
public struct VersionStore: Sendable {
  /// The environment of each operation: the public settings, and those that only the library and its tests set.
  package var environment: StoreEnvironment
  /// The conflicts that earlier searches found; copies share it.
  var conflictWatch = ConflictWatch()

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - identity: the author and the device of saved versions; by default, the names of the account and the host.
  ///   - clock: returns the current time.
  public init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    environment = StoreEnvironment(identity: identity, clock: clock)
  }

  /// Creates the asynchronous form of a store.
  package init(_ synchronous: SynchronousStore) {
    self = synchronous.store
  }

  /// The same store for synchronous callers.
  package var synchronous: SynchronousStore {
    get { SynchronousStore(self) }
    set { self = newValue.store }
  }

  /// The author and the device of saved versions.
  package var identity: Identity {
    get { environment.identity }
    set { environment.identity = newValue }
  }

  /// Returns the current time.
  package var clock: @Sendable () -> Date {
    get { environment.clock }
    set { environment.clock = newValue }
  }

  /// The longest time to wait for another process that changes the same document; 10 seconds by default.
  ///
  /// That process may be this one; see ``waitForMaintenance()``.
  public var lockTimeout: Duration {
    get { environment.lockTimeout }
    set { environment.lockTimeout = newValue }
  }

  /// The known document types, in addition to those that a container declares.
  public var types: DocumentTypes {
    get { environment.types }
    set { environment.types = newValue }
  }

  /// True if an exchange accepts git, Mercurial, Jujutsu or Subversion repositories that arrive inside packages.
  ///
  /// Programs obey the settings and hooks in such repositories. If the document already had one, a new state of it is
  /// always accepted.
  package var takesRepositories: Bool {
    get { environment.takesRepositories }
    set { environment.takesRepositories = newValue }
  }

  /// Allows this process to keep and read versions in a container of another user.
  ///
  /// Otherwise, such a container is an error, because its owner could read and change the versions. A container of root
  /// is trusted.
  package static func trustContainer(_ folder: URL) throws {
    try TrustedContainers.insert(folder)
  }

  /// True if operations check everything and change nothing; they throw the same errors, and return the
  /// present state.
  ///
  /// An exchange throws an error.
  package var isDryRun: Bool {
    get { environment.isDryRun }
    set { environment.isDryRun = newValue }
  }

  /// The progress to which long operations report, in bytes, and which can stop them.
  ///
  /// An operation sets `totalUnitCount` when it knows it. After `cancel()`, it stops at the next step, throws
  /// `CancellationError`, and leaves everything unchanged. A canceled task also cancels the progress.
  public var progress: OperationProgress? {
    get { environment.progress }
    set { environment.progress = newValue }
  }

  /// Runs operations of the synchronous store; see ``SynchronousStore/perform(_:)``.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable (SynchronousStore) throws -> Result
  ) async throws -> Result {
    try await synchronous.perform(work)
  }

  /// Waits for the background work of this process's operations.
  ///
  /// When a document has many small packs, the library compacts them after an operation, so that no caller waits for
  /// it. Call this before your program ends right after an operation; otherwise the work remains unfinished, and the
  /// next change of the document removes it and starts again. A canceled task abandons the work in the same way.
  public static func waitForMaintenance() async {
    await Maintenance.shared.wait()
  }
}
