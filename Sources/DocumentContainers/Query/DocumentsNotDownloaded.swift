internal import DocumentFiles
internal import DocumentSync
internal import Foundation
internal import SystemPackage

/// The documents of a query that are listed and not on this device.
struct DocumentsNotDownloaded {
  /// A document before and after a change; nil if the query doesn't find it.
  typealias Change = (before: DocumentMetadata?, after: DocumentMetadata?)

  private struct Item {
    let metadata: DocumentMetadata
    let fits: Bool
    var isShown = false
  }

  private var items: [FilePath: Item] = [:]

  /// The documents that the query finds.
  var shown: [DocumentMetadata] { items.values.filter(\.isShown).map(\.metadata) }

  /// Sets the documents that are listed now.
  ///
  /// - Returns: the differences from the previous ones.
  mutating func set(
    _ documents: [DocumentMetadata], fitting predicate: DocumentPredicate
  ) throws -> [Change] {
    let former = items
    items = [:]
    for document in documents {
      // Its contents aren't here, so they can't be searched.
      let fits = predicate.holds(of: document) { _ in false }
      items[FilePath(document.path)] = Item(metadata: document, fits: fits)
    }
    return try Set(former.keys).union(items.keys).compactMap { path in
      let before = former[path].flatMap { $0.isShown ? $0.metadata : nil }
      return try change(at: path, from: before)
    }
  }

  /// Checks paths again at which items on disk appeared or disappeared; a file there is found instead of the
  /// listed document.
  mutating func changes(at paths: some Collection<FilePath>) throws -> [Change] {
    guard !items.isEmpty else { return [] }
    return try paths.filter { items[$0] != nil }.compactMap { path in
      try change(at: path, from: items[path].flatMap { $0.isShown ? $0.metadata : nil })
    }
  }

  private mutating func change(at path: FilePath, from before: DocumentMetadata?) throws -> Change?
  {
    if let item = items[path] {
      items[path]?.isShown = try item.fits && FileStatus.of(path) == nil
    }
    let after = items[path].flatMap { $0.isShown ? $0.metadata : nil }
    return before == after ? nil : (before, after)
  }
}

extension DocumentMetadata {
  /// Creates the metadata of a document that is not on this device.
  init(_ listed: ListedDocument, _ type: TypesByName.Found) {
    self.init(
      path: listed.document.path, name: listed.document.lastPathComponent, size: listed.size,
      contentChangeDate: listed.modificationDate, contentType: type.identifier,
      contentTypeTree: type.tree, isPackage: listed.isPackage,
      hasUnresolvedConflicts: listed.unresolvedConflicts > 0, downloadingStatus: .notDownloaded)
  }
}
