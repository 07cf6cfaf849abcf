public import DocumentMerge
public import DocumentStore
public import Foundation

/// Versions of one document that are in conflict.
public struct Conflict: Sendable {
  /// The document.
  public let document: URL
  /// The versions, the current one first.
  public let versions: [FileVersion]
  /// The latest version that all of them are based on; `nil` if they have no common base.
  public let base: FileVersion?

  let state: ConflictState
  /// The open store, while the conflict is being resolved.
  private let session: ConflictSession?
  let store: VersionStore
  let engines: MergeEngines
  /// True if answers given in an earlier resolution are reused.
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

  /// Returns the present conflict of a document.
  ///
  /// This changes nothing, and unsaved edits take no part.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - store: the store that has the document.
  ///   - engines: the engines that merge files.
  /// - Returns: the conflict; `nil` if the document isn't in conflict.
  public static func of(
    _ document: URL, store: VersionStore = VersionStore(), engines: MergeEngines = MergeEngines()
  ) async throws -> Conflict? {
    var store = store
    store.isDryRun = true
    return try await store.perform { try $0.beginResolving(document)?.state }
      .map { [store] in Conflict($0, store: store, engines: engines) }
  }

  /// Returns the conflict of a document and its proposal, reading the versions only once.
  ///
  /// - Returns: the conflict; `nil` if the document isn't in conflict.
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

  /// The same conflict, in which all questions are asked again.
  package var askingAgain: Conflict {
    Conflict(
      state, in: session, store: store, engines: engines, remembersAnswers: false)
  }

  /// True if the document is in conflict again because a resolution was undone, and neither side has changed
  /// since.
  package var isReopened: Bool {
    let sides = versions.filter { $0.kind == .undo }.map(\.parents)
    return Set(sides).count < sides.count
  }

  /// The version that is current on every device.
  public var current: FileVersion {
    versions[0]
  }

  /// Merges all versions.
  ///
  /// Each call computes the merge again and changes nothing.
  ///
  /// - Parameter answers: the answers to clashes of earlier proposals.
  /// - Throws: the errors of reading the versions, and ``MergeError``: `invalidAnswer` for an answer that isn't
  ///   allowed.
  public func proposal(
    answers: [ConflictClash.ID: MergeAnswer] = [:]
  ) async throws -> MergeProposal {
    try await reading { reader in
      try VersionMerge(conflict: self, answers: answers, reader: reader).proposal()
    }
  }

  /// Reads the versions, in the open store if there is one.
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
  /// The merged bytes, with conflict markers for open questions; `nil` for a package, for a file that is too large for
  /// memory, and for a deletion.
  public let bytes: [UInt8]?
  /// The decisions of the merge, including the open ones.
  public let decisions: [MergeDecision]
  /// The clashes that can be answered now, with the value, the author and the time of each side.
  ///
  /// With three or more versions, two are merged first, and their clashes are asked before the next version is merged
  /// in. So a proposal with answers may have new clashes.
  public let clashes: [ConflictClash]
  /// The document's path in its container after the merge.
  package let path: String
  /// The clashes for which an answer of an earlier resolution is reused.
  ///
  /// If a resolver doesn't remember answers, they are among ``clashes``.
  package let remembered: [RememberedAnswer]

  var contents: VersionContents
  /// The versions that it merges; it resolves only a conflict of exactly these.
  let versions: Set<FileVersion.PersistentIdentifier>
  /// The answers that it is based on, as the resolution's record keeps them.
  var answers: [GivenAnswer]

  /// True if no question is open.
  public var isComplete: Bool { questions.isEmpty }

  /// The open questions.
  package var questions: [MergeDecision] { decisions.filter { $0.kind == .clash } }
}

/// A clash that was answered in an earlier resolution of the document, on any device: at the same place of the same
/// base, with the same contents on both sides.
///
/// It also counts if one side has the earlier answer, and the other side the rejected value. Typed answers, and answers
/// about whole versions, aren't remembered.
package struct RememberedAnswer: Sendable {
  /// The clash.
  package let clash: ConflictClash
  /// The answer.
  package let answer: MergeAnswer
  /// The version that contains the answer, the latest if there are several.
  package let resolution: FileVersion
}

/// A place where versions contradict each other, with the value, the author and the time of each side.
public struct ConflictClash: Sendable, Identifiable {
  /// The identity of a clash, which depends on the versions on both sides.
  public struct ID: Sendable, Hashable {
    let ours: [FileVersion.PersistentIdentifier]
    let theirs: FileVersion.PersistentIdentifier
    let number: Int
  }

  /// The identity of the clash.
  public let id: ID
  /// The place, the values of the sides, and the answers that are allowed.
  public let clash: MergeClash
  /// True if the clash is about whole versions, such as an edited one and a deletion.
  package let isOfWholeVersions: Bool
  /// The versions with our side: one, or several if more than two are in conflict.
  public let ours: [FileVersion]
  /// The version with their side.
  public let theirs: FileVersion
}
