package import DocumentConflicts
package import DocumentCoordination
internal import DocumentFiles
package import DocumentMerge
package import DocumentStore
package import Foundation

/// Merges conflicts that leave no question.
///
/// A document with an open question stays unchanged, including its unsaved edits, and so does one whose
/// resolution a person has undone.
package struct CleanMerges: Sendable {
  /// The store, with the identity and the clock of merges; with its `isDryRun`, nothing is changed.
  let store: VersionStore
  private let engines: MergeEngines
  private let coordinator: FileCoordinator

  /// - Parameters:
  ///   - store: the store of the documents.
  ///   - engines: the engines that merge files.
  ///   - coordinator: asks programs that have a document open to write it first.
  package init(
    in store: VersionStore, engines: MergeEngines, coordinator: FileCoordinator
  ) {
    self.store = store
    self.engines = engines
    self.coordinator = coordinator
  }

  /// Merges a document’s conflict.
  ///
  /// - Throws: as ``ConflictResolver/resolve(_:)``, and ``CoordinationError``.
  package func merge(_ document: URL) async throws -> ResolutionOutcome {
    let found = try await store.perform { [engines] in
      try Conflict.proposed(of: document, store: $0, engines: engines)
    }
    guard let (conflict, proposal) = found else { return .noConflict }
    guard proposal.questions.isEmpty, !conflict.isReopened else {
      return .unresolved(questions: proposal.questions, keptEdits: nil)
    }
    var resolver = ConflictResolver(.merge, store: store, engines: engines)
    // Other devices may merge the same versions at the same time.
    resolver.isAutomatic = true
    if store.isDryRun { return try await resolver.resolve(document) }
    return try await coordinator.coordinateInPlace(
      with: [.writingIntent(with: document, options: .forMerging)]
    ) {
      try await store.perform { _ in try FileUse.check(document.filePath) }
      return try await resolver.resolve(document)
    }
  }
}
