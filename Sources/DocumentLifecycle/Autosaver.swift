/// Waits for a pause in editing, or for the longest time that changes may be only in memory, and then saves.
@MainActor
final class Autosaver {
  private let policy: AutosavePolicy
  private let clock: DocumentClock
  private let save: @MainActor () async -> Void
  private var task: Task<Void, Never>?
  /// When the first and the last unsaved change was made.
  private var first = Duration.zero
  private var last = Duration.zero

  /// - Parameter save: called when that is due.
  init(_ environment: DocumentEnvironment, save: @escaping @MainActor () async -> Void) {
    policy = environment.autosave
    clock = environment.clock
    self.save = save
  }

  deinit { task?.cancel() }

  /// Notes a change.
  func schedule() {
    last = clock.now()
    guard task == nil else { return }
    first = last
    task = Task { [weak self, clock] in
      while let due = self?.due, due > clock.now() {
        do { try await clock.sleepUntil(due) } catch { return }
      }
      guard !Task.isCancelled, let self else { return }
      task = nil
      await save()
    }
  }

  /// Forgets the changes: they were saved, or taken back.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Whether the file is about to be written.
  var isDue: Bool { task != nil && due <= clock.now() }

  /// When the file is to be written.
  private var due: Duration { min(last + policy.idleTime, first + policy.longestDelay) }
}
