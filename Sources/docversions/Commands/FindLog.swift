internal import DocumentVersions
internal import Foundation

/// A continuous search, with lines for each batch of differences.
struct FindLog: Sendable {
  let listing: FindListing
  let isJSON: Bool

  /// Runs until a signal stops it.
  func run(_ query: DocumentQuery, in store: SynchronousStore) throws {
    try AsyncWork.waitUntilStopped {
      for try await update in query.updates(in: VersionStore(store)) {
        if isJSON {
          try Console.print(json: FindUpdateReport(update))
        } else {
          Console.print(lines: listing.lines(update))
        }
      }
    }
    try Console.check()
  }
}
