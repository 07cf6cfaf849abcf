internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import Synchronization
package import SystemPackage

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
    if count >= DeferredWait.fewest {
      environment.syncGroup = Self.syncGroup(in: first.deletingLastPathComponent())
    }
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
    ForkJoin.map(count, atMost: Self.mostAtOnce) { index in perform { try body(index, $0) } }
  }

  fileprivate static let mostAtOnce = 16

  /// Returns the group of operations that wait for the disk of a folder; `nil` if each waits on its own.
  private static func syncGroup(in folder: URL) -> SyncGroup? {
    do {
      return try SyncGroup(onFileSystemOf: folder.filePath)
    } catch {
      // The operation on the document reports the error.
      return nil
    }
  }
}

extension StoreEnvironment {
  /// Performs operations on many documents in turns: only one runs at a time, and another one while it waits for the
  /// disk.
  ///
  /// So they can share waits, and also what threads can't use at the same time, such as open repositories. An operation
  /// that must not let another one run in between uses ``waitingAlone``.
  ///
  /// - Parameters:
  ///   - count: the number of the documents.
  ///   - folder: a folder on the file system of their stores.
  ///   - body: performs the operation with a number, in an environment.
  /// - Throws: the first error of an operation, after which no other one begins.
  package func inTurns(
    _ count: Int, in folder: FilePath, _ body: (Int, StoreEnvironment) throws -> Void
  ) throws {
    guard count >= DeferredWait.fewest,
      let group = try SyncGroup(onFileSystemOf: folder, takingTurns: true)
    else {
      for number in 0..<count { try body(number, self) }
      return
    }
    var environment = self
    environment.syncGroup = group
    let failure = Mutex<(any Error)?>(nil)
    withoutActuallyEscaping(body) { body in
      // Safe, because only the operation whose turn it is uses it and what it captures: the group's semaphore orders the
      // turns, and a turn changes only in a wait for the disk, in which nothing of that is used.
      nonisolated(unsafe) let body = body
      ForkJoin.perform(count, atMost: ManyDocuments.mostAtOnce) { [environment] number in
        group.join {
          guard failure.withLock({ $0 == nil }) else { return }
          do { try body(number, environment) } catch {
            failure.withLock { $0 = $0 ?? error }
          }
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
