/// The wait after which a document that is not on disk counts as deleted: editors remove a file for a moment when they
/// write it anew.
@MainActor
final class FileAbsence {
  private let clock: DocumentClock
  private var wait: Task<Void, Never>?
  private var end = Duration.zero
  /// Whether the document is missing, and not closed for that yet.
  private(set) var isPending = false

  private static let patience = Duration.seconds(1)

  init(_ clock: DocumentClock) { self.clock = clock }

  deinit { wait?.cancel() }

  /// Whether the wait is about to end.
  var isDue: Bool { wait != nil && clock.now() >= end }

  /// Begins to wait, unless it waits already.
  ///
  /// - Parameter isOver: called when the document did not come back in time.
  func begin(_ isOver: @escaping @MainActor () async -> Void) {
    guard wait == nil else { return }
    end = clock.now() + Self.patience
    isPending = true
    wait = Task { [weak self, clock, end] in
      do { try await clock.sleepUntil(end) } catch { return }
      self?.wait = nil
      await isOver()
      if self?.wait == nil { self?.isPending = false }
    }
  }

  /// Ends it: the document is there.
  func stop() {
    wait?.cancel()
    wait = nil
    isPending = false
  }
}
