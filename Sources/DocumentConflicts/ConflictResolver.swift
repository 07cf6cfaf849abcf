internal import DocumentFiles
public import DocumentMerge
public import DocumentStore
public import Foundation

/// Resolves conflicts with a strategy.
///
/// A resolution is one version that follows all versions in conflict.
///
/// ```swift
/// let outcome = try await ConflictResolver(.merge(else: .latest)).resolve(url)
/// ```
public struct ConflictResolver: Sendable {
  /// The strategy that decides conflicts.
  package var strategy: ResolutionStrategy
  /// The store, with the identity and the clock of resolutions.
  ///
  /// If its `isDryRun` is set, the resolver only reports what it would do.
  package var store: VersionStore
  /// The engines that merge files.
  package var engines: MergeEngines
  /// True if answers from earlier resolutions, on any device, are reused.
  public var remembersAnswers = true
  /// True if no person asked for the resolution, so that its version names the author and the device of the current
  /// version, and depends only on the versions in conflict: every device that resolves them makes the same one.
  package var isAutomatic = false

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - strategy: the strategy that decides conflicts.
  ///   - store: the store, with the identity and the clock of resolutions.
  ///   - engines: the engines that merge files, which may include your own.
  public init(
    _ strategy: ResolutionStrategy, store: VersionStore = VersionStore(),
    engines: MergeEngines = MergeEngines()
  ) {
    self.strategy = strategy
    self.store = store
    self.engines = engines
  }

  /// Resolves a document's conflict, if it has one.
  ///
  /// Unsaved edits become a version first, and take part in the conflict; they remain a version even if the conflict
  /// stays. All versions stay in the document's history. The resolution takes effect at one moment: before that,
  /// nothing else has changed; after that, the conflict is resolved on this device, and on all others once the
  /// resolution arrives there.
  ///
  /// - Throws: the errors of reading and writing, of the strategy, and ``VersionError`` with code `changedMeanwhile` if
  ///   the document keeps changing, or the strategy's decision is outdated; with code `noSuchVersion` if the version to
  ///   keep isn't in conflict; ``FileError`` with code `changing` if the document was moved away.
  public func resolve(_ document: URL) async throws -> ResolutionOutcome {
    try await resolve(document) { try await $0() }
  }

  /// Writes the resolution, once the strategy has decided.
  package typealias Settling = @Sendable () async throws -> FileVersion

  /// Resolves a document's conflict in the same way.
  ///
  /// - Parameter settling: performs the step that it receives, for example in a coordinated access: only that step
  ///   writes the document, while the strategy may wait for a person.
  package func resolve(
    _ document: URL, settling: (@escaping Settling) async throws -> FileVersion
  ) async throws -> ResolutionOutcome {
    var attempt = 1
    while true {
      do {
        return try await resolveOnce(document, settling)
      } catch let error as VersionError where error.code == .changedMeanwhile && attempt < 3 {
        attempt += 1
      }
    }
  }

  private func resolveOnce(
    _ document: URL, _ settling: (@escaping Settling) async throws -> FileVersion
  ) async throws -> ResolutionOutcome {
    var store = store
    // All steps share one progress, because the session of the conflict spans them.
    store.progress = store.progress ?? OperationProgress()
    guard let session = try await store.perform({ try $0.beginResolving(document) }) else {
      return .noConflict
    }
    let conflict = Conflict(
      session, store: store, engines: engines, remembersAnswers: remembersAnswers)
    let keptEdits = session.state.keptEdits
    var remembered: [RememberedAnswer] = []
    var decision: (settlement: Settlement, reason: String, decisions: [MergeDecision])
    switch try await strategy.decide(conflict) {
    case .undecided(let questions):
      return .unresolved(questions: questions, keptEdits: keptEdits)
    case .keep(let named, let reason):
      let version = try conflict.version(toKeep: named.id)
      let settlement = Settlement(contents: .version(version), path: version.path, kind: .resolve)
      decision = (settlement, reason, [conflict.decision(keeping: version, because: reason)])
    case .merged(let proposal, let reason):
      try conflict.refuseOutdated(proposal)
      let settlement = Settlement(
        contents: .new(proposal.contents), path: proposal.path, kind: .merge,
        answers: proposal.answers)
      decision = (settlement, reason, proposal.decisions)
      remembered = proposal.remembered
    case .contents(let data, let reason):
      let contents = try await conflict.contents(writtenAs: data)
      // New contents don't decide about a rename.
      let settlement = Settlement(
        contents: .new(contents), path: try await conflict.proposal().path, kind: .merge)
      let written = MergeDecision(
        kind: .combined, explanation: "The contents were written by hand.")
      decision = (settlement, reason, [written])
    }
    decision.settlement.isAutomatic = isAutomatic
    let version = try await settling { [store, settlement = decision.settlement] in
      try await store.perform { try $0.settle(session, with: settlement) }
    }
    return .resolved(
      Resolution(
        version: version, strategy: strategy.name, reason: decision.reason,
        chosen: decision.settlement.chosenVersion, settled: conflict.versions,
        decisions: decision.decisions, remembered: remembered, keptEdits: keptEdits))
  }
}

/// The outcome of resolving a conflict.
public enum ResolutionOutcome: Sendable {
  /// The conflict is resolved.
  case resolved(Resolution)
  /// The conflict stays, because the strategy left these questions.
  ///
  /// The document and its versions are unchanged, except that unsaved edits are now a version that takes part in the
  /// conflict.
  case unresolved(questions: [MergeDecision], keptEdits: FileVersion?)
  /// The document wasn't in conflict.
  case noConflict
}

/// A resolved conflict: the result and its reasons.
public struct Resolution: Sendable {
  /// The version that follows all versions in conflict; in a dry run, the current one of them.
  public let version: FileVersion
  /// The strategy's name.
  package let strategy: String
  /// The reason for the decision, as the end of a sentence that begins with "because".
  public let reason: String
  /// The version whose contents were taken as a whole; `nil` if contents were merged or written.
  public let chosen: FileVersion?
  /// The versions that were in conflict, the current one first.
  ///
  /// All of them stay in the document's history.
  package let settled: [FileVersion]
  /// The decisions of the merge, place by place.
  public let decisions: [MergeDecision]
  /// The questions for which an answer of an earlier resolution was reused.
  package let remembered: [RememberedAnswer]
  /// The version that unsaved edits on disk became; `nil` if there were none.
  public let keptEdits: FileVersion?
}

extension Settlement {
  fileprivate var chosenVersion: FileVersion? {
    guard case .version(let version) = contents else { return nil }
    return version
  }
}

extension Conflict {
  /// New contents of a document that is a file; its executable bit stays unchanged.
  fileprivate func contents(writtenAs data: Data) async throws -> VersionContents {
    let current = current
    switch try await reading({ try $0.contents(of: current) }) {
    case .file(_, let isExecutable): return .file(Array(data), isExecutable: isExecutable)
    case .largeFile(let file): return .file(Array(data), isExecutable: file.isExecutable)
    case .deleted: return .file(Array(data), isExecutable: false)
    case .package:
      let name = document.lastPathComponent
      throw VersionError(
        .invalidArgument, document: name,
        message: "“\(name)” is a package, so its contents can’t be bytes.")
    }
  }

  /// - Throws: ``VersionError`` with code `changedMeanwhile` for a proposal that merges other versions than those in
  ///   conflict now.
  fileprivate func refuseOutdated(_ proposal: MergeProposal) throws {
    guard proposal.versions != Set(versions.map(\.id)) else { return }
    let name = document.lastPathComponent
    throw VersionError(
      .changedMeanwhile, document: name,
      message: "The proposal isn’t for the versions of “\(name)” that are in conflict now.",
      recovery: .tryAgain, hint: "Nothing was decided; ask for a proposal again.")
  }

  /// Returns the single decision that choosing a version makes.
  fileprivate func decision(keeping version: FileVersion, because reason: String) -> MergeDecision {
    MergeDecision(
      kind: version == current ? .ours : .theirs,
      explanation: """
        The version of \(version.author) (\(version.savingDevice)) was taken whole, because \(reason).
        """)
  }
}
