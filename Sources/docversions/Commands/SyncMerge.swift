internal import DocumentVersions
internal import Foundation

/// Merges the conflicts that a sync brought and that leave no question, so that the next sync sends the results.
struct SyncMerge: Sendable {
  let coordination: CoordinationOptions

  /// Merges what leaves no question.
  ///
  /// A document that a question is left of stays as it is, also its unsaved edits.
  ///
  /// - Parameter documents: documents that may be in a conflict.
  /// - Returns: the versions that were merged, and the failures, each with its document.
  func merge(
    _ documents: [URL], in store: SynchronousStore
  ) async throws -> (merged: [URL], failures: [CommandFailure]) {
    let engines = try MergeSettings.engines()
    let resolver = ConflictResolver(.merge, store: VersionStore(store), engines: engines)
    var merged: [URL] = []
    var failures: [CommandFailure] = []
    for document in documents {
      do {
        let found = try Conflict.proposed(of: document, store: store, engines: engines)
        guard found?.proposal.isComplete == true else { continue }
        let outcome = try await coordination.whileWriting(document, in: store) {
          try await resolver.resolve(document)
        }
        if case .resolved = outcome { merged.append(document) }
      } catch let error as CancellationError {
        throw error
      } catch {
        failures.append(CommandFailure(error, in: DocumentArgument(document)))
      }
    }
    return (merged, failures)
  }
}

extension ExchangeOutcome {
  /// The documents that are in a conflict after it.
  var documentsInConflict: [URL] {
    documents.filter { $0.unresolvedConflicts > 0 && $0.failure == nil }.map(\.document)
  }
}
