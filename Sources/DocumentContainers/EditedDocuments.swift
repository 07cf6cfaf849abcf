internal import DocumentFiles
package import DocumentStore
package import Foundation

extension SynchronousStore {
  /// The documents that differ from their last version, among those of which it is known which certainly do not.
  ///
  /// One that can't be read keeps the others from nothing: the exchange reports what is wrong with it.
  package func editedDocuments(among all: UnchangedDocuments?) throws -> [URL] {
    try changedDocuments(among: all).edited
  }

  /// The documents below a folder to save: those that differ from their last version, and those that can't be read, whose
  /// saves report what is wrong.
  package func documentsToSave(below folder: URL) throws -> [URL] {
    try documentsToSave(among: unchangedDocuments(below: folder))
  }

  /// The same, among documents of which it is known which certainly do not differ.
  package func documentsToSave(among all: UnchangedDocuments?) throws -> [URL] {
    let (edited, unreadable) = try changedDocuments(among: all)
    return edited + unreadable
  }

  private func changedDocuments(
    among all: UnchangedDocuments?
  ) throws -> (edited: [URL], unreadable: [URL]) {
    guard let all else { return ([], []) }
    var edited: [URL] = []
    var unreadable: [URL] = []
    var found: [URL: Int] = [:]
    for document in all.unclear {
      do {
        guard let (state, history) = try stateAndHistory(of: document, newest: 1) else { continue }
        if state == .edited { edited.append(document) }
        if state == .unchanged, history.unresolvedConflicts.isEmpty {
          found[document] = history.count
        }
      } catch let error as CancellationError {
        throw error
      } catch let error as FileError where error.code == .notFound {
        // It has gone meanwhile.
      } catch {
        unreadable.append(document)
      }
    }
    // Those that were opened for nothing are not opened the next time.
    all.record(found)
    return (edited, unreadable)
  }
}
