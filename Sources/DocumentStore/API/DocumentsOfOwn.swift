internal import DocumentFiles
package import Foundation

/// What the library asks of documents that it keeps or follows by itself.
extension DocumentHistory {
  /// Returns whether a document is in a conflict, once a change of its versions that goes on is done; nil where it has no
  /// versions.
  ///
  /// - Parameter seconds: the longest time to wait for that change.
  /// - Throws: ``FileError`` with code `busy` where it goes on after that time.
  package static func isInConflict(
    _ document: URL, waitingAtMost seconds: Double, in store: SynchronousStore
  ) throws -> Bool? {
    let location = try DocumentLocation(of: document)
    guard try location.hasStore else { return nil }
    do {
      let lock = try FileLock(StoreFile.lock.path(in: location.store), waitingAtMost: seconds)
      lock.releaseAsFound()
    } catch let error as FileError where error.code != .busy {
      // Who may not lock it, reads it as it is.
    }
    return try store.environment.readingIfSaved(document) { try $0.heads.divergent().count > 1 }
  }

  /// Saves a document that is the same one on every device, wherever it begins.
  ///
  /// - Parameter text: what its id is made of, if it has no versions yet.
  @discardableResult
  package static func save(
    _ document: URL, identifiedBy text: String, in store: SynchronousStore
  ) throws -> SaveOutcome {
    try Saving(store.environment).save(document, identifier: DocumentIdentifier(madeOf: text))
  }
}
