internal import DocumentFiles
package import DocumentStore
package import Foundation

extension SynchronousStore {
  /// Returns the documents that differ from their last version, given those that certainly don't.
  ///
  /// An unreadable document doesn't affect the others; the exchange reports its fault.
  ///
  /// - Parameter withBegun: whether documents are included whose first save was interrupted.
  package func editedDocuments(
    among all: UnchangedDocuments?, withBegun: Bool = false
  ) throws -> [URL] {
    let changed = try changedDocuments(among: all)
    return changed.edited + (withBegun ? changed.begun : [])
  }

  /// Returns the documents below a folder to save: those that differ from their last version, also under a
  /// name that they got outside docversions, those whose first save was interrupted, and unreadable ones, whose saves
  /// report the fault.
  package func documentsToSave(below folder: URL) throws -> [URL] {
    try documentsToSave(among: unchangedDocuments(below: folder))
  }

  /// Returns the documents to save, given those that certainly don't differ.
  package func documentsToSave(among all: UnchangedDocuments?) throws -> [URL] {
    let (edited, begun, unreadable) = try changedDocuments(among: all)
    let renamed = try renamedDocuments(among: all?.unclear ?? []).values.filter { document in
      // Saving an unreadable one reports the fault.
      do { return try state(of: document) == .edited } catch { return true }
    }
    return edited + begun + renamed.sorted { $0.path < $1.path } + unreadable
  }

  private func changedDocuments(
    among all: UnchangedDocuments?
  ) throws -> (edited: [URL], begun: [URL], unreadable: [URL]) {
    guard let all else { return ([], [], []) }
    var edited: [URL] = []
    var begun: [URL] = []
    var unreadable: [URL] = []
    var found: [URL: Int] = [:]
    for document in all.unclear {
      do {
        guard let (state, history) = try stateAndHistory(of: document, newest: 1) else {
          begun.append(document)
          continue
        }
        if state == .edited { edited.append(document) }
        if state == .unchanged, history.unresolvedConflicts.isEmpty {
          found[document] = history.count
        }
      } catch let error as CancellationError {
        throw error
      } catch let error as FileError where error.code == .notFound {
        // The document has disappeared in the meantime.
      } catch {
        unreadable.append(document)
      }
    }
    // Documents that turned out to be unchanged aren't opened the next time.
    all.record(found)
    return (edited, begun, unreadable)
  }
}
