public import DocumentStore

/// The surroundings of documents: the store of their versions, when they save by themselves, and the clock for that.
public struct DocumentEnvironment: Sendable {
  /// The store that keeps the versions.
  public var store: VersionStore
  /// When documents save by themselves.
  public var autosave: AutosavePolicy
  /// The clock that autosaving waits with.
  public var clock: DocumentClock
  /// Whether documents observe their files; otherwise they notice changes only when asked to check.
  package var observesFiles = true
  /// Whether accesses are coordinated with other programs.
  package var isCoordinated = true
  /// How long an access waits for other programs, and as long again for their answers.
  public var patience = Duration.seconds(5)

  /// Makes surroundings.
  public init(
    store: VersionStore = VersionStore(), autosave: AutosavePolicy = AutosavePolicy(),
    clock: DocumentClock = .continuous
  ) {
    self.store = store
    self.autosave = autosave
    self.clock = clock
  }
}

/// When a document with unsaved changes saves by itself.
///
/// An autosave writes the file, and makes no version: a document that is edited all day would have thousands. Versions are
/// made by saving, on closing, before something else replaces the contents, and from time to time.
public struct AutosavePolicy: Sendable, Equatable {
  /// The pause in editing after which the file is written.
  public var idleTime: Duration
  /// The longest time that changes are only in memory; a crash loses no more.
  public var longestDelay: Duration
  /// The longest time of editing without a version; such a version is discardable.
  public var versionInterval: Duration

  /// Makes a policy; the defaults are those of Apple's document classes, as far as they are known.
  public init(
    idleTime: Duration = .seconds(2), longestDelay: Duration = .seconds(15),
    versionInterval: Duration = .seconds(600)
  ) {
    self.idleTime = idleTime
    self.longestDelay = longestDelay
    self.versionInterval = versionInterval
  }
}

/// The clock that documents wait with; tests have one of their own instead of waiting.
public struct DocumentClock: Sendable {
  /// The time since any fixed moment.
  public var now: @Sendable () -> Duration
  /// Suspends the task until a moment, as ``now`` counts; throws when it is cancelled.
  public var sleepUntil: @Sendable (_ moment: Duration) async throws -> Void

  /// Makes a clock.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (_ moment: Duration) async throws -> Void
  ) {
    self.now = now
    self.sleepUntil = sleepUntil
  }

  /// The system's clock, which goes on while the system sleeps.
  public static let continuous: DocumentClock = {
    let start = ContinuousClock.now
    return DocumentClock(
      now: { ContinuousClock.now - start },
      sleepUntil: { try await Task.sleep(until: start + $0, clock: .continuous) })
  }()
}
