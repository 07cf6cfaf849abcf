/// Waits for a pause in editing, or for the longest time that changes may be only in memory, and then saves.
///
/// A document with unsaved changes lives until they are saved, whether or not the app still refers to it.
@MainActor
final class Autosaver {
  private weak var document: Document?
  private let policy: AutosavePolicy
  private let clock: DocumentClock
  private var task: Task<Void, Never>?
  /// When the first and the last unsaved change was made.
  private var first = Duration.zero
  private var last = Duration.zero
  /// How often saving has failed since it worked last.
  private(set) var failures = 0
  /// When it may be tried again.
  private var earliest = Duration.zero

  init(of document: Document) {
    self.document = document
    policy = document.environment.autosave
    clock = document.environment.clock
  }

  /// Notes a change.
  func schedule() {
    last = clock.now()
    guard task == nil, let document else { return }
    first = last
    task = Task { [self] in
      while due > clock.now() {
        do { try await clock.sleepUntil(due) } catch { return }
      }
      guard !Task.isCancelled else { return }
      task = nil
      await document.saveByItself()
    }
  }

  /// Forgets the changes: they were saved, or taken back.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Begins anew: saving works.
  func noteSuccess() { (failures, earliest) = (0, .zero) }

  /// Tries again after a pause, which is twice as long each time.
  func noteFailure() {
    failures += 1
    let pause = policy.idleTime * (1 << min(failures - 1, 16))
    earliest = clock.now() + min(pause, max(policy.idleTime, Self.longestPause))
    schedule()
  }

  private static let longestPause = Duration.seconds(300)

  /// Whether the file is about to be written.
  var isDue: Bool { task != nil && due <= clock.now() }

  /// When the file is to be written.
  private var due: Duration {
    max(earliest, min(last + policy.idleTime, first + policy.longestDelay))
  }
}
