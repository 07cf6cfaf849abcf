public import DocumentMerge
public import DocumentStore
public import Foundation

/// A conflict: the versions of one document that nobody has brought together yet.
public struct Conflict: Sendable {
  /// The document.
  public let document: URL
  /// The versions, the current one first.
  public let versions: [FileVersion]
  /// The latest version that all of them were made from; nil where they began apart.
  public let base: FileVersion?

  let state: ConflictState
  let store: VersionStore

  init(_ state: ConflictState, store: VersionStore) {
    self.state = state
    self.store = store
    document = state.document
    versions = state.versions
    base = state.base
  }

  /// The conflict that a document is in, as it is now.
  ///
  /// Nothing is changed: edits that were not saved take no part.
  ///
  /// - Returns: nil when it is in none.
  public static func of(
    _ document: URL, store: VersionStore = VersionStore()
  ) async throws -> Conflict? {
    var store = store
    store.isDryRun = true
    return try await store.perform { try $0.conflictState(of: document) }
      .map { [store] in Conflict($0, store: store) }
  }

  /// The version that is current on every device.
  public var current: FileVersion {
    versions[0]
  }

  /// What merging all versions comes to.
  ///
  /// Computed anew at each call; nothing is changed.
  ///
  /// - Throws: the errors of reading the versions, and ``MergeError``.
  public func proposal() async throws -> MergeProposal {
    try await store.perform { _ in try VersionMerge(conflict: self).proposal() }
  }
}

/// What merging a conflict's versions comes to.
public struct MergeProposal: Sendable {
  /// The merged bytes, with conflict markers where questions are left; nil for a package, and where the
  /// result is a deletion.
  public let bytes: [UInt8]?
  /// What was taken from whom, and what is left to decide.
  public let decisions: [MergeDecision]
  /// The merged text piece by piece, to answer its questions one by one; nil for packages, and for more
  /// than two versions.
  public let text: TextMerge?
  /// The document's path in its container afterwards.
  public let path: String

  let contents: VersionContents

  /// Whether nothing is left to decide.
  public var isComplete: Bool { questions.isEmpty }

  /// The decisions that somebody has to make.
  public var questions: [MergeDecision] { decisions.filter { $0.kind == .clash } }
}
