internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization

/// A running search, which reads the changes since the last update when the next one is requested.
final class QueryRun: Sendable {
  private let query: DocumentQuery
  private let store: VersionStore
  private let listing: QueryListing
  private let changes: ChangeSignal
  private let hasBegun = Mutex(false)

  init(_ query: DocumentQuery, in store: VersionStore) {
    self.query = query
    self.store = store
    let changes = ChangeSignal()
    self.changes = changes
    listing = QueryListing(query, in: store.synchronous) { changes.send() }
  }

  func next() async throws -> DocumentQuery.Update? {
    do {
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst {
        let documents = try await store.perform { [listing] _ in try listing.begin() }
        return DocumentQuery.Update(
          isInitial: true, added: query.sorted(documents), changed: [], removed: [])
      }
      while true {
        try Task.checkCancellation()
        await changes.next(within: listing.isComplete ? .seconds(3_600) : Self.pollingInterval)
        // Changes made together are reported together.
        try await Task.sleep(for: Self.batchingInterval)
        let found = try await store.perform { [listing] _ in try listing.update() }
        guard !found.isEmpty else { continue }
        return DocumentQuery.Update(
          isInitial: false, added: query.sorted(found.added), changed: query.sorted(found.changed),
          removed: query.sorted(found.removed))
      }
    } catch is CancellationError {
      return nil
    }
  }

  private static let batchingInterval = Duration.milliseconds(60)
  private static let pollingInterval = Duration.seconds(2)
}
