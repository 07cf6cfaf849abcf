internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
package import Foundation
internal import Synchronization

/// The status of a folder's watcher: its work since it started, and its pending work.
package struct WatchStatus: Codable, Sendable {
  /// The exchanges with a remote.
  package struct Exchanges: Codable, Sendable {
    /// The date of the last successful exchange; nil if there was none.
    package internal(set) var last: Date?
    /// The reason why the latest exchange failed; nil if it didn't.
    package internal(set) var failure: String?
  }

  /// A failure that hasn't been followed by a success.
  package struct Failure: Codable, Sendable {
    /// The path of the document; nil if the failure doesn't concern a single document.
    package let document: String?
    package let date: Date
    package let message: String
  }

  /// The id of the watching process.
  package let process: Int32
  /// The path of the folder.
  package let folder: String
  package let since: Date
  /// The time without changes after which a document is saved, in seconds.
  package let pause: Double
  /// The number of versions that it has made.
  package internal(set) var versions = 0
  /// The date when it made the latest version.
  package internal(set) var lastVersion: Date?
  /// The number of conflicted copies that it has adopted.
  package internal(set) var adopted = 0
  /// The number of deletions that it has recorded.
  package internal(set) var deleted = 0
  /// The number of documents that have changed and are saved when editing pauses; nil from an older watcher.
  package internal(set) var toSave: Int?
  /// The paths of the conflicted copies that need a decision.
  package internal(set) var copies: [String] = []
  /// The exchanges with each remote, by its name.
  package internal(set) var remotes: [String: Exchanges] = [:]
  /// The failures, latest last.
  package internal(set) var failures: [Failure] = []
  /// True while the folder is missing.
  package internal(set) var isMissing = false
  /// True if the folder is searched from time to time, because not every change in it is reported.
  package internal(set) var isPolling = false
}

/// The status of a running watcher.
final class WatchRecord: Sendable {
  private let state: Mutex<WatchStatus>
  private let clock: @Sendable () -> Date
  private let describe: @Sendable (any Error) -> String
  private static let mostFailures = 20

  init(_ watcher: FolderWatcher, of folder: URL) {
    clock = watcher.store.clock
    describe = watcher.describe
    state = Mutex(
      WatchStatus(
        process: getpid(), folder: folder.path, since: watcher.store.clock(),
        pause: watcher.policy.pause / .seconds(1)))
  }

  /// The present status.
  var status: WatchStatus { state.withLock { $0 } }

  /// Records an event.
  func take(_ event: WatchEvent) {
    let now = clock()
    state.withLock { status in
      switch event {
      case .looked: status.isMissing = false
      case .saved(let documents):
        status.versions += documents.count
        status.lastVersion = now
        if !status.failures.isEmpty {
          let paths = Set(documents.map(\.url.path))
          status.failures.removeAll { $0.document.map(paths.contains) == true }
        }
      case .deleted(let versions): status.deleted += versions.count
      case .merged(let versions):
        status.versions += versions.count
        status.lastVersion = now
      case .vanished, .unmounted, .leftOut, .undecided: break
      case .adopted(let document):
        status.adopted += document.copies.count(where: \.isTaken)
        status.failures.removeAll { $0.document == document.document.path }
        if let failure = document.failure { fail(document.document, failure, now, &status) }
      case .synced(let outcome, _):
        for document in outcome.documents {
          status.failures.removeAll { $0.document == document.document.path }
          if let failure = document.failure { fail(document.document, failure, now, &status) }
        }
      case .notSynced(let error, let remote):
        status.remotes[remote, default: .init()].failure = describe(error)
      case .failed(let documents):
        for document in documents.suffix(Self.mostFailures) {
          fail(document.url, document.error, now, &status)
        }
      case .missing: status.isMissing = true
      case .polling: status.isPolling = true
      }
    }
  }

  private func fail(
    _ document: URL?, _ error: any Error, _ now: Date, _ status: inout WatchStatus
  ) {
    status.failures.removeAll { $0.document == document?.path }
    status.failures.append(
      .init(document: document?.path, date: now, message: describe(error)))
    if status.failures.count > Self.mostFailures { status.failures.removeFirst() }
  }

  /// Records a successful exchange.
  func synced(with remote: String) {
    let now = clock()
    state.withLock { $0.remotes[remote] = .init(last: now) }
  }

  /// Records the number of documents to save.
  func keep(toSave count: Int) { state.withLock { $0.toSave = count } }

  /// Records the copies that need a decision.
  func keep(waiting copies: [String]) { state.withLock { $0.copies = copies } }

  /// Records that the folder exists and is observed.
  func isObserving() {
    state.withLock { ($0.isPolling, $0.isMissing) = (false, false) }
  }
}
