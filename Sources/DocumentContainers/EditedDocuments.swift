package import DocumentStore
package import Foundation

extension SynchronousStore {
  /// The documents below a folder that differ from their last version.
  ///
  /// One that can't be read keeps the others from nothing: the exchange reports what is wrong with it.
  package func editedDocuments(below folder: URL) throws -> [URL] {
    try editedDocuments(among: unchangedDocuments(below: folder))
  }

  /// The documents that differ from their last version, among those of which it is known which do certainly not.
  func editedDocuments(among all: UnchangedDocuments?) throws -> [URL] {
    guard let all else { return [] }
    var edited: [URL] = []
    var found: [URL: Int] = [:]
    for document in all.unclear {
      let read = Result { try stateAndHistory(of: document, newest: 1) }
      guard case .success((let state, let history)?) = read else { continue }
      if state == .edited { edited.append(document) }
      if state == .unchanged, history.unresolvedConflicts.isEmpty {
        found[document] = history.count
      }
    }
    // Those that were opened for nothing are not opened the next time.
    all.record(found)
    return edited
  }
}
