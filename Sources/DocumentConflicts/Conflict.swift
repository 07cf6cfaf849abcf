public import DocumentMerge
public import DocumentStore
public import Foundation

/// A conflict: versions of one document that no version brings together yet.
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
  /// Whether answers given in an earlier resolution are reused.
  let remembersAnswers: Bool

  init(
    _ session: ConflictSession, store: VersionStore, engines: MergeEngines, remembersAnswers: Bool
  ) {
    self.init(
      session.state, in: session, store: store, engines: engines,
      remembersAnswers: remembersAnswers)
  }

  private init(
    _ state: ConflictState, in session: ConflictSession? = nil, store: VersionStore,
    engines: MergeEngines, remembersAnswers: Bool = true
  ) {
    self.remembersAnswers = remembersAnswers
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
  ///   - store: the store that has the document.
  ///   - engines: the engines that merge files.
  /// - Returns: nil when it is in none.
  public static func of(
    _ document: URL, store: VersionStore = VersionStore(), engines: MergeEngines = MergeEngines()
  ) async throws -> Conflict? {
    var store = store
    store.isDryRun = true
    return try await store.perform { try $0.beginResolving(document)?.state }
      .map { [store] in Conflict($0, store: store, engines: engines) }
  }

  /// The conflict that a document is in, and its proposal: the same as ``of(_:store:engines:)`` and
  /// ``proposal(answers:)`` return, but the versions are read once.
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

  /// The same, of which all questions are asked.
  package var askingAgain: Conflict {
    Conflict(
      state, in: session, store: store, engines: engines, remembersAnswers: false)
  }

  /// The version that is current on every device.
  public var current: FileVersion {
    versions[0]
  }

  /// Merges all versions.
  ///
  /// Computed anew at each call; nothing is changed.
  ///
  /// - Parameter answers: the answers to clashes of earlier proposals.
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

/// The result of merging a conflict's versions.
public struct MergeProposal: Sendable {
  /// The merged bytes, with conflict markers where questions are left; nil for a package, for a file that is too large
  /// to be held in memory, and where the result is a deletion.
  public let bytes: [UInt8]?
  /// The decisions of the merge, and those that are left.
  public let decisions: [MergeDecision]
  /// The clashes that can be answered now, with the value, the author and the time of each side.
  ///
  /// Of three versions or more, two are merged first; what they clash about is asked before the next one is
  /// merged in. So a proposal with answers may have new clashes.
  public let clashes: [ConflictClash]
  /// The document's path in its container afterwards.
  package let path: String
  /// The clashes for which an answer of an earlier resolution is reused.
  ///
  /// Where a resolver does not remember answers, they are among ``clashes``.
  package let remembered: [RememberedAnswer]

  var contents: VersionContents
  /// The versions that it brings together; it settles a conflict of no others.
  let versions: Set<FileVersion.PersistentIdentifier>
  /// The answers that it follows from, as the resolution's record keeps them.
  var answers: [GivenAnswer]

  /// Whether nothing is left to decide.
  public var isComplete: Bool { questions.isEmpty }

  /// The decisions that are left to make.
  package var questions: [MergeDecision] { decisions.filter { $0.kind == .clash } }
}

/// A clash that was answered in an earlier resolution of the document, on whatever device: at the same place of the same
/// base, with the same contents on both sides.
///
/// It counts, too, where the one side has what was answered then, and the other what was decided against. Answers that
/// were typed are not remembered, nor those about versions as wholes.
package struct RememberedAnswer: Sendable {
  /// The clash.
  package let clash: ConflictClash
  /// The answer.
  package let answer: MergeAnswer
  /// The version in which it was given, the latest where there are several.
  package let resolution: FileVersion
}

/// A place where versions contradict each other, with the value, the author and the time of each side.
public struct ConflictClash: Sendable, Identifiable {
  /// The identity of a clash: with other versions on either side, it is another one.
  public struct ID: Sendable, Hashable {
    let ours: [FileVersion.PersistentIdentifier]
    let theirs: FileVersion.PersistentIdentifier
    let number: Int
  }

  /// The identity of the clash.
  public let id: ID
  /// The place, the values of the sides, and the answers that are allowed.
  public let clash: MergeClash
  /// Whether it is about the versions as wholes, such as an edited one and a deletion.
  package let isOfWholeVersions: Bool
  /// The versions that have our side: one, or several where more than two are in conflict.
  public let ours: [FileVersion]
  /// The version that is theirs.
  public let theirs: FileVersion
}
