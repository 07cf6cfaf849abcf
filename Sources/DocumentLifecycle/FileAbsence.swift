internal import DocumentCoordination

/// The time after which a missing document counts as deleted, because some editors remove a file for a moment when they
/// rewrite it.
@MainActor
final class FileAbsence {
  private let clock: DocumentClock
  private var wait: Task<Void, Never>?
  private var end = Duration.zero
  /// True if the document is missing, but not closed yet.
  private(set) var isPending = false

  private static let patience = Duration.seconds(1)

  init(_ clock: DocumentClock) { self.clock = clock }

  deinit { wait?.cancel() }

  /// True if the wait is about to end.
  var isDue: Bool { wait != nil && clock.now() >= end }

  /// Starts to wait, unless it already waits.
  ///
  /// - Parameter isOver: called if the document doesn't come back in time.
  func begin(_ isOver: @escaping @MainActor () async -> Void) {
    guard wait == nil else { return }
    end = clock.now() + Self.patience
    isPending = true
    wait = Task.outsideAccesses { [weak self, clock, end] in
      do { try await clock.sleepUntil(end) } catch { return }
      self?.wait = nil
      await isOver()
      if self?.wait == nil { self?.isPending = false }
    }
  }

  /// Ends the wait, because the document is present.
  func stop() {
    wait?.cancel()
    wait = nil
    isPending = false
  }
}
