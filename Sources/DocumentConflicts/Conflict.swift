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
  /// The open store, while the conflict is resolved.
  private let session: ConflictSession?
  let store: VersionStore
  let engines: MergeEngines

  init(_ session: ConflictSession, store: VersionStore, engines: MergeEngines) {
    self.init(session.state, in: session, store: store, engines: engines)
  }

  private init(
    _ state: ConflictState, in session: ConflictSession? = nil, store: VersionStore,
    engines: MergeEngines
  ) {
    self.state = state
    self.session = session
    self.store = store
    self.engines = engines
    document = state.document
    versions = state.versions
    base = state.base
  }

  /// The conflict that a document is in, as it is now.
  ///
  /// Nothing is changed: edits that were not saved take no part.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - store: where, and when.
  ///   - engines: what merges files.
  /// - Returns: nil when it is in none.
  public static func of(
    _ document: URL, store: VersionStore = VersionStore(), engines: MergeEngines = MergeEngines()
  ) async throws -> Conflict? {
    var store = store
    store.isDryRun = true
    return try await store.perform { try $0.beginResolving(document)?.state }
      .map { [store] in Conflict($0, store: store, engines: engines) }
  }

  /// The conflict that a document is in, and what merging it comes to: as ``of(_:store:engines:)`` and
  /// ``proposal(answers:)`` tell it, but the versions are read once.
  ///
  /// - Returns: nil when it is in none.
  package static func proposed(
    of document: URL, store: SynchronousStore, engines: MergeEngines
  ) throws -> (conflict: Conflict, proposal: MergeProposal)? {
    var store = store
    store.isDryRun = true
    return try store.readingConflict(of: document) { [store] state, reader in
      let conflict = Conflict(state, store: VersionStore(store), engines: engines)
      return (
        conflict, try VersionMerge(conflict: conflict, answers: [:], reader: reader).proposal()
      )
    }
  }

  /// The version that is current on every device.
  public var current: FileVersion {
    versions[0]
  }

  /// What merging all versions comes to.
  ///
  /// Computed anew at each call; nothing is changed.
  ///
  /// - Parameter answers: what somebody wants for clashes of earlier proposals.
  /// - Throws: the errors of reading the versions, and ``MergeError``: `invalidAnswer` for an answer that does not
  ///   fit.
  public func proposal(
    answers: [ConflictClash.ID: MergeAnswer] = [:]
  ) async throws -> MergeProposal {
    try await reading { reader in
      try VersionMerge(conflict: self, answers: answers, reader: reader).proposal()
    }
  }

  /// Reads the versions, in the open store where there is one.
  func reading<Result: Sendable>(
    _ body: @escaping @Sendable (VersionReader) throws -> Result
  ) async throws -> Result {
    try await store.perform { [session] store in
      try session?.reading(body) ?? store.readingVersions(of: document, body)
    }
  }
}

/// What merging a conflict's versions comes to.
public struct MergeProposal: Sendable {
  /// The merged bytes, with conflict markers where questions are left; nil for a package, for a file that is too large
  /// to be held in memory, and where the result is a deletion.
  public let bytes: [UInt8]?
  /// What was taken from whom, and what is left to decide.
  public let decisions: [MergeDecision]
  /// The clashes that can be answered now, with what each side has there, and who and when.
  ///
  /// Of three versions or more, two are merged first; what they clash about is asked before the next one is
  /// merged in. So a proposal with answers may have new clashes.
  public let clashes: [ConflictClash]
  /// The document's path in its container afterwards.
  public let path: String

  let contents: VersionContents
  /// The versions that it brings together; it settles a conflict of no others.
  let versions: Set<FileVersion.PersistentIdentifier>

  /// Whether nothing is left to decide.
  public var isComplete: Bool { questions.isEmpty }

  /// The decisions that somebody has to make.
  public var questions: [MergeDecision] { decisions.filter { $0.kind == .clash } }
}

/// A place where versions contradict each other, with what each has there, and who and when.
public struct ConflictClash: Sendable, Identifiable {
  /// What tells a clash from all others: with other versions on either side, it is another one.
  public struct ID: Sendable, Hashable {
    let ours: [FileVersion.PersistentIdentifier]
    let theirs: FileVersion.PersistentIdentifier
    let number: Int
  }

  /// What tells it from the others.
  public let id: ID
  /// Where it is, what the sides have there, and what can be answered.
  public let clash: MergeClash
  /// Whether it is about the versions as wholes, such as an edited one and a deletion.
  public let isOfWholeVersions: Bool
  /// The versions that ours is merged of: one, or several where more than two are in conflict.
  public let ours: [FileVersion]
  /// The version that is theirs.
  public let theirs: FileVersion
}
