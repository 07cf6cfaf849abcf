public import DocumentStore
public import DocumentTransport

/// The environment of documents: their store, their autosave policy, and their clock.
public struct DocumentEnvironment: Sendable {
  /// The store that keeps the versions.
  public var store: VersionStore
  /// The access to the server from which opening fetches a document that this device only lists.
  public var access = RemoteAccess()
  /// The policy for autosaving.
  public var autosave: AutosavePolicy
  /// The clock for autosaving.
  public var clock: DocumentClock
  /// True if documents observe their files; otherwise they notice changes only when asked to check.
  package var observesFiles = true
  /// True if accesses are coordinated with other programs.
  package var isCoordinated = true
  /// The longest time that an access waits for other programs, and again for their answers.
  public var patience = Duration.seconds(5)

  /// Creates an environment.
  public init(
    store: VersionStore = VersionStore(), autosave: AutosavePolicy = AutosavePolicy(),
    clock: DocumentClock = .continuous
  ) {
    self.store = store
    self.autosave = autosave
    self.clock = clock
  }
}

/// The times at which a document with unsaved changes autosaves.
///
/// An autosave writes the file without making a version; otherwise a document that is edited all day would have
/// thousands. A document makes versions when it is saved or closed, before other contents replace its contents, and
/// from time to time.
public struct AutosavePolicy: Sendable, Equatable {
  /// The pause in editing after which the file is written.
  public var idleTime: Duration
  /// The longest time that changes stay only in memory, and so the most that a crash can lose.
  public var longestDelay: Duration
  /// The longest time of editing without a version.
  ///
  /// A version made for this reason is discardable.
  public var versionInterval: Duration

  /// Creates a policy; the defaults are those of Apple's document classes, as far as they are known.
  public init(
    idleTime: Duration = .seconds(2), longestDelay: Duration = .seconds(15),
    versionInterval: Duration = .seconds(600)
  ) {
    self.idleTime = idleTime
    self.longestDelay = longestDelay
    self.versionInterval = versionInterval
  }
}

/// The clock that documents wait with, which tests can replace.
public struct DocumentClock: Sendable {
  /// Returns the time since any fixed moment.
  public var now: @Sendable () -> Duration
  /// Suspends the task until a moment, as counted by ``now``; throws if the task is canceled.
  public var sleepUntil: @Sendable (_ moment: Duration) async throws -> Void

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (_ moment: Duration) async throws -> Void
  ) {
    self.now = now
    self.sleepUntil = sleepUntil
  }

  /// The system's clock, which keeps running while the system sleeps.
  public static let continuous: DocumentClock = {
    let start = ContinuousClock.now
    return DocumentClock(
      now: { ContinuousClock.now - start },
      sleepUntil: { try await Task.sleep(until: start + $0, clock: .continuous) })
  }()
}
