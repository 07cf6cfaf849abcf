internal import DocumentFiles
package import DocumentMerge
package import DocumentStore
package import DocumentTransport
package import Foundation

/// Watches a folder of documents, and keeps it: what is edited becomes a version when it has settled, conflicted copies are
/// taken in, and versions are exchanged with the folder’s remotes.
///
/// ```swift
/// for try await event in FolderWatcher().events(of: folder) { log.append(event) }
/// ```
///
/// Never saves what is being written: a document was left alone for a while, no program has it open for writing, and it
/// does not change while it is read. Versions that the watcher makes are discardable as soon as another one follows, and
/// thinned by ``WatchPolicy/retention``; those that a person saved are never touched.
package struct FolderWatcher: Sendable {
  /// Who saves, and when; with its `isDryRun` nothing is changed.
  package var store: VersionStore
  /// What merges conflicted copies.
  package var engines = MergeEngines()
  /// How the folder is watched.
  package var policy = WatchPolicy()
  /// How the servers of remotes are reached.
  package var access = RemoteAccess()
  /// The words of a failure in the answer to ``status(of:in:)``.
  package var describe: @Sendable (any Error) -> String = { "\($0)" }

  /// Makes a watcher.
  package init(store: VersionStore = VersionStore()) {
    self.store = store
  }

  /// Watches a folder until the task that reads the events is cancelled.
  ///
  /// The folder becomes a container, unless it is in one.
  ///
  /// - Throws: ``FileError``: `not-found` if there is no such folder; `busy` if another watcher keeps it; as the
  ///   listing of the folder does at the beginning. Later failures are events, and tried again.
  package func events(of folder: URL) -> AsyncThrowingStream<WatchEvent, any Error> {
    events(of: folder, once: false)
  }

  /// Does all that there is to do in a folder now, and ends: what has just changed is left for the next time.
  ///
  /// - Throws: as ``events(of:)``.
  package func eventsOnce(in folder: URL) -> AsyncThrowingStream<WatchEvent, any Error> {
    events(of: folder, once: true)
  }

  private func events(
    of folder: URL, once isOnce: Bool
  ) -> AsyncThrowingStream<WatchEvent, any Error> {
    AsyncThrowingStream(yieldedBy: { continuation in
      var run = WatchRun(self, of: folder) { continuation.yield($0) }
      try await run.run(once: isOnce)
    })
  }
}
