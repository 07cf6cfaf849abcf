internal import DocumentFiles
public import DocumentStore
public import Foundation

/// A search for documents, once or with live updates (`NSMetadataQuery`).
///
/// ```swift
/// let query = DocumentQuery(.like(\.name, "*.txt"), in: [notes])
/// var items: [DocumentMetadata] = []
/// for try await update in query.updates() {
///   query.apply(update, to: &items)
///   show(items)
/// }
/// ```
///
/// A query finds the files and packages in folders, with or without versions. It leaves out hidden files, temporary
/// files of programs and sync tools, and the contents of containers inside a container.
public struct DocumentQuery: Sendable {
  /// The condition.
  public let predicate: DocumentPredicate
  /// The folders to search, including their subfolders.
  public let searchScopes: [URL]
  /// The sort order of the results; documents that are equal in it are sorted by path.
  public let sortDescriptors: [DocumentSortDescriptor]

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - searchScopes: the folders to search; a document below several of them is found once.
  ///   - sortDescriptors: the sort order of the results.
  public init(
    _ predicate: DocumentPredicate = .all, in searchScopes: [URL],
    sortedBy sortDescriptors: [DocumentSortDescriptor] = []
  ) {
    self.predicate = predicate
    self.searchScopes = searchScopes
    self.sortDescriptors = sortDescriptors
  }

  /// Returns the documents that match at present, in order.
  ///
  /// - Throws: ``FileError`` if a scope isn't a folder or can't be listed.
  public func results(
    in store: VersionStore = VersionStore()
  ) async throws -> [DocumentMetadata] {
    try await store.perform { try results(in: $0) }
  }

  /// The synchronous form of ``results(in:)``.
  package func results(in store: SynchronousStore) throws -> [DocumentMetadata] {
    sorted(try QueryListing(self, in: store, notifying: nil).begin())
  }

  /// Returns the matching documents and their changes, as a sequence of updates.
  ///
  /// The first update contains all documents; each further update contains the differences since the previous one, in
  /// one batch. The sequence ends when the iterating task is canceled. Changes between two requests are in the next
  /// update.
  ///
  /// File events and changes of versions, including those by a sync, cause an update. If a file system reports no
  /// events, the folders are read again every two seconds.
  public func updates(in store: VersionStore = VersionStore()) -> Updates {
    Updates(query: self, store: store)
  }

  /// A batch of changes to a query's results.
  public struct Update: Sendable {
    /// True if this is the first update, which adds all documents.
    public let isInitial: Bool
    /// Documents that newly match, in order.
    public let added: [DocumentMetadata]
    /// Documents that still match and have changed, in order.
    public let changed: [DocumentMetadata]
    /// Documents that no longer match, with their previous attributes.
    public let removed: [DocumentMetadata]
  }

  /// The updates of a query.
  public struct Updates: AsyncSequence, Sendable {
    fileprivate let query: DocumentQuery
    fileprivate let store: VersionStore

    /// Starts the search.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: QueryRun(query, in: store))
    }

    /// A running search.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: QueryRun

      /// Returns the next update; `nil` after the task is canceled.
      ///
      /// - Throws: ``FileError`` if a scope isn't a folder or can't be listed.
      public mutating func next() async throws -> Update? { try await run.next() }
    }
  }

  /// Applies an update to a list of results, keeping its order.
  public func apply(_ update: Update, to items: inout [DocumentMetadata]) {
    if update.isInitial {
      items = update.added
      return
    }
    let gone = Set(update.removed.map(\.path) + update.changed.map(\.path))
    if !gone.isEmpty { items.removeAll { gone.contains($0.path) } }
    for item in update.added + update.changed {
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(items[middle], item) { low = middle + 1 } else { high = middle }
      }
      items.insert(item, at: low)
    }
  }

  /// Returns documents in the query's order.
  func sorted(_ documents: [DocumentMetadata]) -> [DocumentMetadata] {
    documents.sorted(by: precedes)
  }

  private func precedes(_ left: DocumentMetadata, _ right: DocumentMetadata) -> Bool {
    for descriptor in sortDescriptors {
      if let precedes = descriptor.precedes(left, right) { return precedes }
    }
    return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
  }

  /// True if the query uses the edit state of documents.
  var readsEditState: Bool { predicate.readsEditState }
}
