internal import DocumentCoordination

/// Saves a document after a pause in editing, or after the longest time that changes may stay only in memory.
///
/// It keeps a document with unsaved changes alive until they are saved, whether or not the app still refers to it.
@MainActor
final class Autosaver {
  private weak var document: Document?
  private let policy: AutosavePolicy
  private let clock: DocumentClock
  private var task: Task<Void, Never>?
  /// The times of the first and the last unsaved change.
  private var first = Duration.zero
  private var last = Duration.zero
  /// The number of failed saves since the last successful one.
  private(set) var failures = 0
  /// The time of the next attempt.
  private var earliest = Duration.zero

  init(of document: Document) {
    self.document = document
    policy = document.environment.autosave
    clock = document.environment.clock
  }

  /// Records a change.
  func schedule() {
    last = clock.now()
    guard task == nil, let document else { return }
    first = last
    // Edits may be made inside an access to any item, to which the save doesn't belong.
    task = Task.outsideAccesses { [self] in
      while due > clock.now() {
        do { try await clock.sleepUntil(due) } catch { return }
      }
      guard !Task.isCancelled else { return }
      task = nil
      await document.saveByItself()
    }
  }

  /// Drops the recorded changes after they were saved or undone.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Resets the failures after a successful save.
  func noteSuccess() { (failures, earliest) = (0, .zero) }

  /// Schedules another attempt after a pause, which doubles each time.
  func noteFailure() {
    failures += 1
    let pause = policy.idleTime * (1 << min(failures - 1, 16))
    earliest = clock.now() + min(pause, max(policy.idleTime, Self.longestPause))
    schedule()
  }

  private static let longestPause = Duration.seconds(300)

  /// True if the file is due to be written.
  var isDue: Bool { task != nil && due <= clock.now() }

  /// The time at which the file is due to be written.
  private var due: Duration {
    max(earliest, min(last + policy.idleTime, first + policy.longestDelay))
  }
}
