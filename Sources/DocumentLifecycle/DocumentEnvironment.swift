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
  let clock: DocumentClock
  /// Whether documents observe their files; otherwise they notice changes only when asked to check.
  package var observesFiles = true
  /// Whether accesses are coordinated with other programs.
  package var isCoordinated = true
  /// The longest time that an access waits for other programs, and again for their answers.
  package var patience = Duration.seconds(5)

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - store: the store that keeps the versions.
  ///   - autosave: the policy for autosaving.
  ///   - clock: the clock for autosaving, which tests can replace.
  public init(
    store: VersionStore = VersionStore(), autosave: AutosavePolicy = AutosavePolicy(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.autosave = autosave
    self.clock = DocumentClock(clock)
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

/// The clock that documents wait with, which counts from any fixed moment.
struct DocumentClock: Sendable {
  /// Returns the time since that moment.
  let now: @Sendable () -> Duration
  /// Suspends the task until a moment, as counted by ``now``; throws if the task is canceled.
  let sleepUntil: @Sendable (_ moment: Duration) async throws -> Void

  init<Base: Clock<Duration>>(_ clock: Base) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
