package import DocumentFiles
package import DocumentStore
package import DocumentSync
package import Foundation

/// What a watched folder's watcher has done, or could not do.
package enum WatchEvent: Sendable {
  /// It looked through the folder, at the beginning or where reports of changes were lost.
  case looked(WatchedFiles)
  /// A document was saved; in a dry run, would be.
  case saved(URL, FileVersion?, isFirst: Bool)
  /// Conflicted copies of a document were taken in, or left.
  case adopted(AdoptedDocument)
  /// Everything was exchanged with a remote.
  case synced(ExchangeOutcome, remote: String)
  /// An exchange with a remote failed, and is tried again.
  case notSynced(any Error, remote: String)
  /// Something failed, and is tried again; nil for what concerns no document alone.
  case failed(URL?, any Error)
  /// The folder is not there, or is no folder with documents any more; it is waited for.
  case missing
  /// The folder is looked through again and again: not every change in it is reported.
  case polling(FolderObserver.Obstacle)
}

/// The files in a watched folder, as they were counted.
package struct WatchedFiles: Sendable {
  /// Documents with versions.
  package internal(set) var documents = 0
  /// Documents that have edits, and files that become documents.
  package internal(set) var toSave = 0
  /// Files and folders that rules leave out.
  package internal(set) var ignored = 0
  /// Files that are too large to become documents by themselves.
  package internal(set) var tooLarge: [URL] = []
  /// Files of no type that is known, and no text.
  package internal(set) var unknown: [URL] = []
}
