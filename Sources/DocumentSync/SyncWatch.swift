internal import DocumentFiles
internal import DocumentStore
internal import DocumentTransport
internal import Foundation
internal import SystemPackage

/// A continuous sync.
struct SyncWatch {
  private let store: VersionStore
  private let container: URL
  private let name: String?
  private let interval: Duration
  private let folder: FilePath

  init(
    _ store: VersionStore, of container: URL, with name: String?, interval: Duration
  ) async throws {
    self.store = store
    self.container = container
    self.name = name
    self.interval = interval
    folder = try await store.perform { store in
      let folder = try store.replicatedContainer(container).folder
      _ = try RemoteList(of: folder).remote(named: name)
      try Folder.create(SyncFile.folder(of: folder))
      return folder
    }
  }

  /// Runs until the task is canceled.
  func run(
    _ access: RemoteAccess, preparing prepare: (() async -> Void)?, _ report: (SyncEvent) -> Void
  ) async throws {
    let changes = ChangeSignal()
    // The journal of saved versions is there. If changes aren't reported, it is checked from time to time.
    let observation = FolderObserver.shared.observe(SyncFile.folder(of: folder)) { changes.send() }
    var pause = Pause(interval: interval)
    while true {
      try Task.checkCancellation()
      await prepare?()
      let journal = try await position()
      do {
        let outcome = try await store.sync(container, with: name, access: access)
        pause.succeeded(hasNews: prepare != nil || outcome.sent + outcome.received > 0)
        report(.finished(outcome))
      } catch let error as CancellationError {
        throw error
      } catch let error as VersionError where error.code == .invalidArgument {
        throw error
      } catch {
        pause.failed()
        report(.failed(error, retryAfter: pause.time))
      }
      let end = ContinuousClock.now + pause.time
      while ContinuousClock.now < end, try await position() == journal || pause.isAfterFailure {
        let rest = end - ContinuousClock.now
        await changes.next(within: observation == nil ? min(rest, .seconds(5)) : rest)
        try Task.checkCancellation()
      }
      // Versions that are saved together are sent together.
      try await Task.sleep(for: min(.seconds(2), interval / 10))
    }
  }

  /// Returns the end of the journal of saved versions.
  private func position() async throws -> ChangeJournal.Position? {
    let container = container
    return try await store.perform { try $0.replicatedContainer(container).journalEnd() }
  }
}

/// The time to wait before the next sync.
struct Pause {
  private let interval: Duration
  private var factor = 1.0
  private var failures = 0

  init(interval: Duration) { self.interval = interval }

  /// The time, which varies by a fifth.
  private(set) var time = Duration.zero

  var isAfterFailure: Bool { failures > 0 }

  mutating func succeeded(hasNews: Bool) {
    failures = 0
    factor = hasNews ? 1 : min(10, factor * 1.5)
    time = interval * (factor * Double.random(in: 0.8...1.2))
  }

  mutating func failed() {
    failures += 1
    factor = 1
    time =
      min(interval * 10, interval / 6 * (1 << min(failures - 1, 10))) * Double.random(in: 0.8...1.2)
  }
}
