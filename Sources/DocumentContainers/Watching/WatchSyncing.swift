internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import DocumentTransport
internal import Foundation
internal import Synchronization

/// The exchanges of a watched folder with its remotes, after each save and from time to time.
///
/// They run beside the watcher's other work, one at a time, so a server that doesn't answer delays no save.
struct WatchSyncing {
  /// An exchange with all remotes.
  private final class Exchange: Sendable {
    typealias Outcomes = [(remote: String, outcome: Result<ExchangeOutcome, any Error>)]
    private let state = Mutex<Result<Outcomes, any Error>?>(nil)
    private let waiting = Atomic(false)

    /// The result; nil while the exchange is running.
    var result: Result<Outcomes, any Error>? { state.withLock { $0 } }
    /// True while it waits for a server; then every file that has arrived has its versions.
    var isWaiting: Bool { waiting.load(ordering: .sequentiallyConsistent) }

    func finish(_ result: Result<Outcomes, any Error>) { state.withLock { $0 = result } }
    func setWaiting(_ isWaiting: Bool) {
      waiting.store(isWaiting, ordering: .sequentiallyConsistent)
    }
  }

  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  private let record: WatchRecord
  /// The times when failed remotes are tried again.
  private var retries: [String: BackOff] = [:]
  private var reported: [String: String] = [:]
  /// The last report about documents that are left for a later exchange.
  private var waiting: [String: [String]] = [:]
  /// The time when the next exchange is due, unless one is running.
  private var due: ContinuousClock.Instant? = .now
  private var running: (exchange: Exchange, task: Task<Void, Never>)?
  /// The signal that is sent when an exchange has ended.
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

  /// The time of the next work: an exchange is due, or one has ended.
  var next: ContinuousClock.Instant? {
    guard let running else { return due }
    return running.exchange.result == nil ? nil : .now
  }

  /// True while an exchange is running.
  var isRunning: Bool { running != nil }
  /// True while files may have arrived whose documents aren't known yet.
  var isReceiving: Bool { running.map { !$0.exchange.isWaiting } ?? false }

  /// Makes the next exchange due in a moment.
  mutating func syncSoon() { due = .now + .seconds(2) }

  /// Begins an exchange with all remotes if it is due, or if there are new versions.
  ///
  /// While an exchange is running, new versions make the next one due.
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
    var access = watcher.access
    access.waits = { exchange.setWaiting($0) }
    let task = Task { [watcher, folder, signal, access] in
      do {
        var outcomes: Exchange.Outcomes = []
        let remotes = try await watcher.store.perform { try $0.remotes(of: folder) }
        for remote in remotes where left[remote.name] == nil {
          do {
            let outcome = try await watcher.store.sync(
              folder, with: remote.name, access: access)
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

  /// Takes the outcome of an exchange that has ended.
  ///
  /// - Returns: the documents that are in conflict after the exchange.
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

  /// Exchanges with all remotes, and waits for the end.
  mutating func sync() async throws -> [URL] {
    beginIfDue(hasNews: true)
    await waitForEnd()
    return try takeOutcome()
  }

  /// Waits until a running exchange has ended.
  ///
  /// If this task is canceled, so is the exchange.
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
