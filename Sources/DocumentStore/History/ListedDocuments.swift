internal import DocumentFiles
package import Foundation
package import SystemPackage

/// The documents with versions below a folder, as the places of their stores.
///
/// This takes little memory, because there may be very many.
package struct ListedDocuments: Sendable {
  let container: FilePath
  /// The documents, in the order of their paths.
  let all: [Layout.StoredDocument]
  /// The bytes with which each document's path begins.
  private let root: [UInt8]

  init(below folder: FilePath, in container: FilePath) throws {
    self.container = container
    root = Array(container.string.utf8) + (container.components.isEmpty ? [] : [slash])
    all = try Layout.documents(in: container).below(folder, in: container)
  }

  package var count: Int { all.count }

  /// The URLs of all documents, in the order of their paths.
  package var documents: [URL] { all.map { $0.url(in: container) } }

  func document(_ place: Int) -> URL { all[place].url(in: container) }

  /// Returns whether a file is one of the documents.
  package func contains(_ file: FilePath) -> Bool { place(of: file) != nil }

  /// The documents directly in one folder, by their names.
  package struct InFolder {
    fileprivate let listed: ListedDocuments
    /// The beginning of the paths of their stores.
    fileprivate let start: [UInt8]

    /// Returns whether a file with a name is one of these documents.
    package func contains(_ name: [UInt8]) -> Bool {
      listed.place(ofStore: start + Layout.storePath(of: name)) != nil
    }
  }

  /// Returns the documents directly in a folder; `nil` if the folder isn't in the container.
  package func documents(in folder: FilePath) -> InFolder? {
    guard let path = path(of: folder.string + "/") else { return nil }
    return InFolder(listed: self, start: Layout.folderPath(of: path))
  }

  /// Returns the place of a document; `nil` for any other file.
  func place(of file: FilePath) -> Int? {
    path(of: file.string).flatMap { place(ofStore: Layout.storePath(of: $0)) }
  }

  /// Returns the path in the container; `nil` for a file that isn't in it.
  private func path(of file: String) -> Substring.UTF8View? {
    file.utf8.starts(with: root) ? file.utf8.dropFirst(root.count) : nil
  }

  private func place(ofStore store: [UInt8]) -> Int? {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].precedes(store) { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low].store == store ? low : nil
  }
}

private let slash = UInt8(ascii: "/")
