internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// Finds documents that were renamed outside docversions, as by `mv`, and were not saved since.
package struct RenamedDocuments {
  /// The new places of documents by their former ones.
  ///
  /// Only the folders that the documents were in are read.
  ///
  /// - Parameter documents: where documents with versions are or were.
  /// - Returns: nothing of a document that is at its place, in another folder, or nowhere.
  /// - Throws: ``FileError`` where a folder can't be listed.
  package static func places(of documents: [URL]) throws -> [URL: URL] {
    var missing: [FilePath: [String: URL]] = [:]
    for document in documents {
      let location = try DocumentLocation(of: document)
      do {
        guard let mark = try location.markWhereMissing else { continue }
        missing[location.document.parentFolder, default: [:]][mark] = document
      } catch {
        // Opening this document reports what is wrong with it.
      }
    }
    package var places: [URL: URL] = [:]
    for (folder, documents) in missing {
      let items = try DocumentLocation.unsavedItems(in: folder, among: Set(documents.keys))
      for (mark, item) in items {
        guard let document = documents[mark],
          try !item.isPutAside(from: DocumentLocation(of: document))
        else { continue }
        places[document] = item.url
      }
    }
    return places
  }
}
