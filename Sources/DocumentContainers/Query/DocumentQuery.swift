internal import DocumentFiles
public import DocumentStore
public import Foundation

/// A search for documents that goes on (`NSMetadataQuery`).
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
/// Documents are the files and packages in folders, with versions or not; hidden files, and what programs and sync tools
/// put beside documents for a moment, are none, nor is what is in a folder below that keeps versions of its own.
public struct DocumentQuery: Sendable {
  /// The condition.
  public let predicate: DocumentPredicate
  /// The folders in which documents are searched, and in those below.
  public let searchScopes: [URL]
  /// The order of results; by path where it leaves one open.
  public let sortDescriptors: [DocumentSortDescriptor]

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - searchScopes: the folders; what is below several of them is found once.
  ///   - sortDescriptors: the order of results.
  public init(
    _ predicate: DocumentPredicate = .all, in searchScopes: [URL],
    sortedBy sortDescriptors: [DocumentSortDescriptor] = []
  ) {
    self.predicate = predicate
    self.searchScopes = searchScopes
    self.sortDescriptors = sortDescriptors
  }

  /// The documents that are found now, in order.
  ///
  /// - Throws: ``FileError`` for a scope that is no folder or can't be listed.
  public func results(
    in store: VersionStore = VersionStore()
  ) async throws -> [DocumentMetadata] {
    try await store.perform { try results(in: $0) }
  }

  /// The synchronous form of ``results(in:)``.
  package func results(in store: SynchronousStore) throws -> [DocumentMetadata] {
    sorted(try QueryListing(self, in: store, notifying: nil).begin())
  }

  /// The documents that are found, and what becomes of them.
  ///
  /// The first update has all documents; each further one the differences since the one before, batched. It goes on until
  /// the task that iterates is cancelled. What happens while no update is asked for is in the next one.
  ///
  /// File events and the changes of versions, also those that a sync brings, make an update; where a file system reports
  /// no events, the folders are read again every two seconds.
  public func updates(in store: VersionStore = VersionStore()) -> Updates {
    Updates(query: self, store: store)
  }

  /// A batch of differences.
  public struct Update: Sendable {
    /// Whether this is the first update, which adds all documents.
    public let isInitial: Bool
    /// Documents that are found and were not before, in order.
    public let added: [DocumentMetadata]
    /// Documents that were found before and differ, in order.
    public let changed: [DocumentMetadata]
    /// Documents that were found before, as they were then.
    public let removed: [DocumentMetadata]
  }

  /// The updates of a query.
  public struct Updates: AsyncSequence, Sendable {
    fileprivate let query: DocumentQuery
    fileprivate let store: VersionStore

    /// Begins the search.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: QueryRun(query, in: store))
    }

    /// One search that goes on.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: QueryRun

      /// The next update; nil once the task is cancelled.
      ///
      /// - Throws: ``FileError`` for a scope that is no folder or can't be listed.
      public mutating func next() async throws -> Update? { try await run.next() }
    }
  }

  /// Applies an update to a list of results, which stays in order.
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

  /// The documents in the query's order.
  func sorted(_ documents: [DocumentMetadata]) -> [DocumentMetadata] {
    documents.sorted(by: precedes)
  }

  private func precedes(_ left: DocumentMetadata, _ right: DocumentMetadata) -> Bool {
    for descriptor in sortDescriptors {
      if let precedes = descriptor.precedes(left, right) { return precedes }
    }
    return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
  }

  /// Whether the relation of documents to their versions has to be known.
  var readsEditState: Bool { predicate.readsEditState }
}
