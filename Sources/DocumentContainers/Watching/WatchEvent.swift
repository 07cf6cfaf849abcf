package import DocumentFiles
package import DocumentStore
package import DocumentSync
package import Foundation

/// An event of a watcher: work that it has done, or that failed.
package enum WatchEvent: Sendable {
  /// The watcher searched the folder, at the beginning or after reports of changes were lost.
  case looked(WatchedFiles)
  /// Files have appeared that don't become documents automatically.
  case leftOut(tooLarge: WatchedFiles.Some, unknown: WatchedFiles.Some)
  /// Documents were saved together or, in a dry run, would be.
  case saved([SavedDocument])
  /// The deletions of documents whose files had disappeared were recorded.
  case deleted([FileVersion])
  /// Most documents disappeared at once, and their deletions aren't recorded.
  case vanished(count: Int)
  /// A subfolder is gone because its file system was unmounted.
  case unmounted(URL)
  /// Conflicted copies of a document were adopted, or left.
  case adopted(AdoptedDocument)
  /// Conflicts that left no question were merged or, in a dry run, would be.
  case merged([FileVersion])
  /// A document is in a conflict that needs a decision.
  case undecided(URL)
  /// Everything was exchanged with a remote.
  case synced(ExchangeOutcome, remote: String)
  /// An exchange with a remote failed, and is tried again.
  case notSynced(any Error, remote: String)
  /// Operations failed together; some are tried again.
  case failed([FailedDocument])
  /// The folder is missing, or no longer a folder with documents; the watcher waits for it.
  case missing
  /// The folder is searched periodically, because not every change in it is reported.
  case polling(FolderObserver.Obstacle)
}

extension WatchEvent {
  /// A document that was saved.
  package struct SavedDocument: Sendable {
    package let url: URL
    /// The version; nil in a dry run.
    package let version: FileVersion?
    package let isFirst: Bool
    /// The version that had been written over the document, and of which the saved contents have nothing.
    package let missed: FileVersion?
    /// The former location, if the document was renamed or moved.
    package var formerPlace: URL?
  }

  /// A failure, and the document that it concerns.
  package struct FailedDocument: Sendable {
    /// The document; nil if the failure doesn't concern a single document.
    package let url: URL?
    package let error: any Error
  }

  /// Returns the event for a single failure.
  static func failed(_ url: URL?, _ error: any Error) -> WatchEvent {
    .failed([FailedDocument(url: url, error: error)])
  }
}

/// The counts of files in a watched folder.
package struct WatchedFiles: Sendable {
  /// Documents with versions.
  package internal(set) var documents = 0
  /// Documents that have edits, and files that become documents.
  package internal(set) var toSave = 0
  /// Documents whose files are missing.
  package internal(set) var missing = 0
  /// Files and folders that rules leave out.
  package internal(set) var ignored = 0
  /// Files that are too large to become documents automatically.
  package internal(set) var tooLarge = Some()
  /// Files that have no known type and aren't texts.
  package internal(set) var unknown = Some()

  /// A number of files, and the names of the first ones.
  package struct Some: Sendable {
    package private(set) var count = 0
    package private(set) var first: [URL] = []

    mutating func append(_ file: URL) {
      count += 1
      if count <= 3 { first.append(file) }
    }
  }
}
