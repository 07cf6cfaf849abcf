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
  /// The same store for callers that wait themselves.
  package var synchronous: SynchronousStore

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - identity: the person who edits, and the device; by default what the system knows.
  ///   - clock: returns the current time.
  public init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    synchronous = SynchronousStore(identity: identity, clock: clock)
  }

  /// Makes the asynchronous form of a store.
  package init(_ synchronous: SynchronousStore) {
    self.synchronous = synchronous
  }

  /// The person who edits, and the device.
  public var identity: Identity {
    get { synchronous.identity }
    set { synchronous.identity = newValue }
  }

  /// Returns the current time.
  public var clock: @Sendable () -> Date {
    get { synchronous.clock }
    set { synchronous.clock = newValue }
  }

  /// The longest time to wait for another process that changes the same document, in seconds.
  ///
  /// That may be this one: see ``waitForMaintenance()``.
  public var lockTimeout: Double {
    get { synchronous.lockTimeout }
    set { synchronous.lockTimeout = newValue }
  }

  /// The known types of documents, besides those that a container declares.
  public var types: DocumentTypes {
    get { synchronous.types }
    set { synchronous.types = newValue }
  }

  /// Makes an exchange take repositories of git, Mercurial, Jujutsu or Subversion that arrive inside packages.
  ///
  /// Programs obey the settings and hooks in them. Where the document had one before, a new state of it is always taken.
  public var takesRepositories: Bool {
    get { synchronous.takesRepositories }
    set { synchronous.takesRepositories = newValue }
  }

  /// Lets versions be kept and read in a folder that holds `.docversions` of another user, in this process.
  ///
  /// Otherwise such a folder is refused: that user could read and change what is kept there. One of root is trusted.
  public static func trustContainer(_ folder: URL) throws {
    try TrustedContainers.insert(folder)
  }

  /// Makes operations check everything and change nothing: they fail as they would otherwise, and return what is
  /// there now.
  ///
  /// An exchange is refused.
  public var isDryRun: Bool {
    get { synchronous.isDryRun }
    set { synchronous.isDryRun = newValue }
  }

  /// The progress to which long operations report, in bytes, and which can stop them.
  ///
  /// An operation sets `totalUnitCount` when it knows it. After `cancel()` it stops at the next piece of work, throws
  /// `CancellationError`, and leaves everything as it was. A cancelled task cancels the progress too.
  public var progress: OperationProgress? {
    get { synchronous.progress }
    set { synchronous.progress = newValue }
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
