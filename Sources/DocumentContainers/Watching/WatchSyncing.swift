internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import Foundation

/// The exchanges of a watched folder with its remotes: when a version was saved, and from time to time.
struct WatchSyncing {
  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  private let record: WatchRecord
  /// When each remote that failed is tried again.
  private var retries: [String: BackOff] = [:]
  private var reported: [String: String] = [:]
  /// What was reported last of documents that stay for a later exchange.
  private var waiting: [String: [String]] = [:]
  /// When the next exchange is due.
  private(set) var next: ContinuousClock.Instant? = .now

  init(
    _ watcher: FolderWatcher, of folder: URL, _ record: WatchRecord,
    _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.record = record
    var watcher = watcher
    watcher.store.environment.fileClock.longestWriting =
      SettlingFiles(pause: watcher.policy.pause).longest
    self.watcher = watcher
    self.folder = folder
    self.report = report
  }

  /// Makes the next exchange due in a moment.
  mutating func syncSoon() { next = .now + .seconds(2) }

  /// Exchanges with all remotes, where it is time, or where there is something new.
  ///
  /// - Returns: the documents that are in a conflict after it.
  mutating func syncIfDue(hasNews: Bool) async throws -> [URL] {
    let now = ContinuousClock.now
    if !hasNews, let next, next > now { return [] }
    var conflicts: [URL] = []
    let interval = max(watcher.policy.syncInterval, .seconds(1))
    next = now + interval
    do {
      for remote in try await watcher.store.perform({ [folder] in try $0.remotes(of: folder) }) {
        if let retry = retries[remote.name]?.next, retry > now {
          next = min(next ?? retry, retry)
          continue
        }
        conflicts += try await sync(with: remote.name, every: interval)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.failed(nil, error))
    }
    return conflicts
  }

  private mutating func sync(
    with remote: String, every interval: Duration
  ) async throws -> [URL] {
    do {
      let outcome = try await watcher.store.sync(folder, with: remote, access: watcher.access)
      retries[remote] = nil
      reported[remote] = nil
      record.synced(with: remote)
      let failures = outcome.documents.compactMap { $0.failure.map { "\($0)" } }
      let isKnown = failures.isEmpty || waiting.updateValue(failures, forKey: remote) == failures
      if failures.isEmpty { waiting[remote] = nil }
      if outcome.sent + outcome.received > 0 || !isKnown {
        report(.synced(outcome, remote: remote))
      }
      return outcome.documentsInConflict
    } catch let error as CancellationError {
      throw error
    } catch {
      var retry = retries[remote] ?? BackOff(from: interval / 3, to: interval * 10)
      retry.fail(at: .now)
      retries[remote] = retry
      if let time = retry.next { next = min(next ?? time, time) }
      if reported.updateValue("\(error)", forKey: remote) != "\(error)" {
        report(.notSynced(error, remote: remote))
      }
      return []
    }
  }
}
