internal import DocumentFiles
package import Foundation

/// Operations on documents that the library keeps or follows by itself.
extension DocumentHistory {
  /// Returns whether a document is in conflict, after any running change of its versions has ended; `nil` if
  /// it has no versions.
  ///
  /// - Parameter seconds: the longest time to wait for that change.
  /// - Throws: ``FileError`` with code `busy` if the change takes longer.
  package static func isInConflict(
    _ document: URL, waitingAtMost seconds: Double, in store: SynchronousStore
  ) throws -> Bool? {
    let location = try DocumentLocation(of: document)
    guard try location.hasStore else { return nil }
    if try RestingDocuments.document(of: location) != nil { return false }
    do {
      let lock = try FileLock(StoreFile.lock.path(in: location.store), waitingAtMost: seconds)
      lock.releaseAsFound()
    } catch let error as FileError where error.code != .busy {
      // A reader without the right to lock reads the present state.
    }
    return try store.environment.readingIfSaved(document) { try $0.heads.divergent().count > 1 }
  }

  /// Saves a document that has the same identity on every device.
  ///
  /// - Parameter text: the text that determines its id, if it has no versions yet.
  @discardableResult
  package static func save(
    _ document: URL, identifiedBy text: String, in store: SynchronousStore
  ) throws -> SaveOutcome {
    try Saving(store.environment).save(document, identifier: DocumentIdentifier(madeOf: text))
  }
}
