package import DocumentStore
package import Foundation

extension SynchronousStore {
  /// The documents below a folder that differ from their last version.
  ///
  /// One that can't be read keeps the others from nothing: the exchange reports what is wrong with it.
  package func editedDocuments(below folder: URL) throws -> [URL] {
    let unchanged = try unchangedDocuments(below: folder)
    var edited: [URL] = []
    var found: [URL: Int] = [:]
    for document in try documents(below: folder) ?? []
    where unchanged?.versions(of: document) == nil {
      let read = Result { try stateAndHistory(of: document, newest: 1) }
      guard case .success((let state, let history)?) = read else { continue }
      if state == .edited { edited.append(document) }
      if state == .unchanged, history.unresolvedConflicts.isEmpty {
        found[document] = history.count
      }
    }
    // Those that were opened for nothing are not opened the next time.
    unchanged?.record(found)
    return edited
  }
}
