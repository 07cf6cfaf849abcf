internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Operations on several documents at the same time, which share folder listings and waits for the disk.
struct ManyDocuments {
  /// The environment of each operation.
  let environment: StoreEnvironment

  /// - Parameters:
  ///   - count: the number of the documents.
  ///   - first: one of them.
  init(_ count: Int, near first: URL, in environment: StoreEnvironment) {
    var environment = environment
    environment.temporaryItems = TemporaryItems.Listings()
    environment.listings = environment.listings ?? ContainerListings()
    if count >= DeferredWait.fewest { environment.syncGroup = Self.syncGroup(of: first) }
    self.environment = environment
  }

  /// Performs one of the operations.
  func perform<Outcome>(
    _ body: (StoreEnvironment) throws -> Outcome
  ) -> Result<Outcome, any Error> {
    Result {
      guard let group = environment.syncGroup else { return try body(environment) }
      return try group.join { try body(environment) }
    }
  }

  /// Performs operations at the same time.
  ///
  /// - Returns: their results, in order.
  func perform<Outcome: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int, StoreEnvironment) throws -> Outcome
  ) -> [Result<Outcome, any Error>] {
    let results = Mutex<[Int: Result<Outcome, any Error>]>([:])
    ForkJoin.perform(count, atMost: Self.mostAtOnce) { index in
      let result = perform { try body(index, $0) }
      results.withLock { $0[index] = result }
    }
    return results.withLock { results in (0..<count).compactMap { results[$0] } }
  }

  private static let mostAtOnce = 16

  /// Returns the group of operations that wait for a document's disk.
  private static func syncGroup(of document: URL) -> SyncGroup? {
    do {
      return try document.deletingLastPathComponent().filePath.withPlatformString {
        SyncGroup(onFileSystemOf: $0.nullTerminated)
      }
    } catch {
      // The operation on the document reports the error.
      return nil
    }
  }
}
