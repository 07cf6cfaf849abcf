internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import Foundation
internal import Synchronization

/// The exchanges of a watched folder with its remotes: when a version was saved, and from time to time.
///
/// They go on beside the watcher's other work, one at a time: a server that does not answer keeps nothing from being saved.
struct WatchSyncing {
  /// An exchange with all remotes.
  private final class Exchange: Sendable {
    typealias Outcomes = [(remote: String, outcome: Result<ExchangeOutcome, any Error>)]
    private let state = Mutex<Result<Outcomes, any Error>?>(nil)

    /// What came of it; nil while it goes on.
    var result: Result<Outcomes, any Error>? { state.withLock { $0 } }

    func finish(_ result: Result<Outcomes, any Error>) { state.withLock { $0 = result } }
  }

  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  private let record: WatchRecord
  /// When each remote that failed is tried again.
  private var retries: [String: BackOff] = [:]
  private var reported: [String: String] = [:]
  /// What was reported last of documents that stay for a later exchange.
  private var waiting: [String: [String]] = [:]
  /// When the next exchange is due, unless one goes on.
  private var due: ContinuousClock.Instant? = .now
  private var running: (exchange: Exchange, task: Task<Void, Never>)?
  /// Sent when an exchange has ended.
  private let signal: ChangeSignal

  init(
    _ watcher: FolderWatcher, of folder: URL, _ record: WatchRecord,
    signaling signal: ChangeSignal, _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.record = record
    self.signal = signal
    var watcher = watcher
    watcher.store.environment.fileClock.longestWriting =
      SettlingFiles(pause: watcher.policy.pause).longest
    self.watcher = watcher
    self.folder = folder
    self.report = report
  }

  /// When there is something to do: an exchange is due, or one has ended.
  var next: ContinuousClock.Instant? {
    guard let running else { return due }
    return running.exchange.result == nil ? nil : .now
  }

  /// Whether an exchange goes on: files may have arrived whose documents are not there yet.
  var isRunning: Bool { running != nil }

  /// Makes the next exchange due in a moment.
  mutating func syncSoon() { due = .now + .seconds(2) }

  /// Begins an exchange with all remotes, where it is time, or where there is something new.
  ///
  /// While one goes on, something new makes the next one due.
  mutating func beginIfDue(hasNews: Bool) {
    let now = ContinuousClock.now
    guard running == nil else {
      if hasNews { due = now }
      return
    }
    guard hasNews || due.map({ $0 <= now }) ?? false else { return }
    due = now + interval
    let left = retries.compactMapValues(\.next).filter { $0.value > now }
    if let retry = left.values.min() { due = min(due ?? retry, retry) }
    let exchange = Exchange()
    let task = Task { [watcher, folder, signal] in
      do {
        var outcomes: Exchange.Outcomes = []
        let remotes = try await watcher.store.perform { try $0.remotes(of: folder) }
        for remote in remotes where left[remote.name] == nil {
          do {
            let outcome = try await watcher.store.sync(
              folder, with: remote.name, access: watcher.access)
            outcomes.append((remote.name, .success(outcome)))
          } catch let error as CancellationError {
            throw error
          } catch {
            outcomes.append((remote.name, .failure(error)))
          }
        }
        exchange.finish(.success(outcomes))
      } catch {
        exchange.finish(.failure(error))
      }
      signal.send()
    }
    running = (exchange, task)
  }

  private var interval: Duration { max(watcher.policy.syncInterval, .seconds(1)) }

  /// Takes what has come of an exchange that has ended.
  ///
  /// - Returns: the documents that are in a conflict after it.
  mutating func takeOutcome() throws -> [URL] {
    guard let result = running?.exchange.result else { return [] }
    running = nil
    do {
      return try result.get().flatMap { take($0.outcome, of: $0.remote) }
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.failed(nil, error))
      return []
    }
  }

  /// Exchanges with all remotes, and waits for that.
  mutating func sync() async throws -> [URL] {
    beginIfDue(hasNews: true)
    await waitForEnd()
    return try takeOutcome()
  }

  /// Waits until an exchange that goes on has ended.
  ///
  /// When this task is cancelled, so is the exchange.
  func waitForEnd() async {
    guard let task = running?.task else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private mutating func take(
    _ result: Result<ExchangeOutcome, any Error>, of remote: String
  ) -> [URL] {
    do {
      let outcome = try result.get()
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
    } catch {
      var retry = retries[remote] ?? BackOff(from: interval / 3, to: interval * 10)
      retry.fail(at: .now)
      retries[remote] = retry
      if let time = retry.next { due = min(due ?? time, time) }
      if reported.updateValue("\(error)", forKey: remote) != "\(error)" {
        report(.notSynced(error, remote: remote))
      }
      return []
    }
  }
}
