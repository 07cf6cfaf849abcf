package import DocumentFiles
package import DocumentStore
package import DocumentSync
package import Foundation

/// What a watched folder's watcher has done, or could not do.
package enum WatchEvent: Sendable {
  /// It looked through the folder, at the beginning or where reports of changes were lost.
  case looked(WatchedFiles)
  /// Files have appeared that become no documents by themselves.
  case leftOut(tooLarge: WatchedFiles.Some, unknown: WatchedFiles.Some)
  /// Documents were saved in one go; in a dry run, would be.
  case saved([SavedDocument])
  /// Files of documents had gone, and their deletions were recorded.
  case deleted([FileVersion])
  /// Most documents have gone at once: their deletions are not recorded.
  case vanished(count: Int)
  /// A folder below is not there any more, because what was mounted there was unmounted.
  case unmounted(URL)
  /// Conflicted copies of a document were taken in, or left.
  case adopted(AdoptedDocument)
  /// Conflicts that left no question were merged; in a dry run, would be.
  case merged([FileVersion])
  /// A document is in a conflict that takes a decision.
  case undecided(URL)
  /// Everything was exchanged with a remote.
  case synced(ExchangeOutcome, remote: String)
  /// An exchange with a remote failed, and is tried again.
  case notSynced(any Error, remote: String)
  /// Things failed in one go; some are tried again.
  case failed([FailedDocument])
  /// The folder is not there, or is no folder with documents any more; it is waited for.
  case missing
  /// The folder is looked through again and again: not every change in it is reported.
  case polling(FolderObserver.Obstacle)
}

extension WatchEvent {
  /// A document that was saved.
  package struct SavedDocument: Sendable {
    package let url: URL
    /// The version; nil in a dry run.
    package let version: FileVersion?
    package let isFirst: Bool
    /// The version that had been written over the document, and of which the saved contents show nothing.
    package let missed: FileVersion?
    /// Where the document was before, if it was renamed or moved.
    package var formerPlace: URL?
  }

  /// What failed.
  package struct FailedDocument: Sendable {
    /// The document; nil for what concerns none alone.
    package let url: URL?
    package let error: any Error
  }

  /// Something failed alone.
  static func failed(_ url: URL?, _ error: any Error) -> WatchEvent {
    .failed([FailedDocument(url: url, error: error)])
  }
}

/// The files in a watched folder, as they were counted.
package struct WatchedFiles: Sendable {
  /// Documents with versions.
  package internal(set) var documents = 0
  /// Documents that have edits, and files that become documents.
  package internal(set) var toSave = 0
  /// Documents whose files are not there.
  package internal(set) var missing = 0
  /// Files and folders that rules leave out.
  package internal(set) var ignored = 0
  /// Files that are too large to become documents by themselves.
  package internal(set) var tooLarge = Some()
  /// Files of no type that is known, and no text.
  package internal(set) var unknown = Some()

  /// Files, of which the first ones are named.
  package struct Some: Sendable {
    package private(set) var count = 0
    package private(set) var first: [URL] = []

    mutating func append(_ file: URL) {
      count += 1
      if count <= 3 { first.append(file) }
    }
  }
}
