public import DocumentTypes
public import Foundation

/// Saves, lists, restores and removes the versions of documents.
///
/// A document's versions lie in a repository of its own, in the folder `.docversions` beside it or above it;
/// the first save makes it. Each operation opens the document's repository, holds its lock while it changes
/// something, and closes it, so any number of threads and processes may work at the same time. A program that searches
/// many documents for conflicts again and again uses the same store, or copies of it: the system reports
/// to the store what has changed meanwhile.
///
/// Operations wait for the disk on threads of their own. When the task is cancelled, they stop at the next piece of
/// work, throw `CancellationError`, and leave everything as it was.
public struct VersionStore: Sendable {
  /// The surroundings of each operation: the settings, and what only the library and its tests set.
  package var environment: StoreEnvironment
  /// The conflicts that earlier searches found; copies share it.
  var conflictWatch = ConflictWatch()

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - identity: the person who edits, and the device; by default what the system knows.
  ///   - clock: returns the current time.
  public init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    environment = StoreEnvironment(identity: identity, clock: clock)
  }

  /// Makes the asynchronous form of a store.
  package init(_ synchronous: SynchronousStore) {
    self = synchronous.store
  }

  /// The same store for callers that wait themselves.
  package var synchronous: SynchronousStore {
    get { SynchronousStore(self) }
    set { self = newValue.store }
  }

  /// The person who edits, and the device.
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
  /// That may be this one: see ``waitForMaintenance()``.
  public var lockTimeout: Duration {
    get { environment.lockTimeout }
    set { environment.lockTimeout = newValue }
  }

  /// The known types of documents, besides those that a container declares.
  public var types: DocumentTypes {
    get { environment.types }
    set { environment.types = newValue }
  }

  /// Makes an exchange take repositories of git, Mercurial, Jujutsu or Subversion that arrive inside packages.
  ///
  /// Programs obey the settings and hooks in them. Where the document had one before, a new state of it is always taken.
  package var takesRepositories: Bool {
    get { environment.takesRepositories }
    set { environment.takesRepositories = newValue }
  }

  /// Lets versions be kept and read in a folder that holds `.docversions` of another user, in this process.
  ///
  /// Otherwise such a folder is refused: that user could read and change what is kept there. One of root is trusted.
  package static func trustContainer(_ folder: URL) throws {
    try TrustedContainers.insert(folder)
  }

  /// Makes operations check everything and change nothing: they fail as they would otherwise, and return what is
  /// there now.
  ///
  /// An exchange is refused.
  package var isDryRun: Bool {
    get { environment.isDryRun }
    set { environment.isDryRun = newValue }
  }

  /// The progress to which long operations report, in bytes, and which can stop them.
  ///
  /// An operation sets `totalUnitCount` when it knows it. After `cancel()` it stops at the next piece of work, throws
  /// `CancellationError`, and leaves everything as it was. A cancelled task cancels the progress too.
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

  /// Waits until the background work that operations of this process left is done.
  ///
  /// When a document has many small packs, they are compacted into larger ones after the operation, so that no
  /// caller waits for that. A program that ends right after an operation calls this first; otherwise the unfinished work
  /// is left, the next change of the document removes it, and it is begun again. A cancelled task gives the work up in
  /// the same way.
  public static func waitForMaintenance() async {
    await Maintenance.shared.wait()
  }
}
