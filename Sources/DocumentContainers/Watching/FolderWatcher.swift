package import DocumentFiles
package import DocumentMerge
package import DocumentStore
package import DocumentTransport
package import Foundation

/// Watches a folder of documents: saves edits once they have settled, adopts conflicted copies, and exchanges
/// versions with the folder's remotes.
///
/// ```swift
/// for try await event in FolderWatcher().events(of: folder) { log.append(event) }
/// ```
///
/// The watcher never saves a file that is being written: a document must be unchanged for a while, no program
/// may have it open for writing, and it must not change while it is read. Versions that the watcher makes
/// become discardable when another one follows, and are thinned by ``WatchPolicy/retention``; those that a
/// person saved stay.
package struct FolderWatcher: Sendable {
  /// The store, with the identity and the clock of saves; with its `isDryRun`, nothing is changed.
  package var store: VersionStore
  /// The engines that merge conflicted copies.
  package var engines = MergeEngines()
  /// The watch policy.
  package var policy = WatchPolicy()
  /// The access to the servers of remotes.
  package var access = RemoteAccess()
  /// Returns the text for a failure in the answer to ``status(of:in:)``.
  package var describe: @Sendable (any Error) -> String = { "\($0)" }

  /// Creates a watcher.
  package init(store: VersionStore = VersionStore()) {
    self.store = store
  }

  /// Watches a folder until the task that reads the events is canceled; when they end, another watcher can begin.
  ///
  /// The folder becomes a container, unless it is in one.
  ///
  /// - Parameter isOnce: whether it does all pending work, and ends; files that have just changed are left for
  ///   the next time.
  /// - Throws: ``FileError``: `not-found` if there is no such folder; `busy` if another watcher watches it;
  ///   and the errors of the first listing of the folder. Later failures are events, and the work is tried
  ///   again.
  package func events(of folder: URL, once isOnce: Bool = false) -> TaskStream<WatchEvent> {
    TaskStream { continuation in
      var run = WatchRun(self, of: folder) { continuation.yield($0) }
      try await run.run(once: isOnce)
    }
  }
}
