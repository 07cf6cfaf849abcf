internal import DocumentFiles
public import DocumentMerge
public import DocumentStore
public import Foundation

/// Resolves conflicts by a strategy: one version that follows all versions in conflict, or nothing.
///
/// ```swift
/// let outcome = try await ConflictResolver(.merge(else: .latest)).resolve(url)
/// ```
public struct ConflictResolver: Sendable {
  /// The strategy that decides conflicts.
  package var strategy: ResolutionStrategy
  /// The store, with the identity and the clock of resolutions.
  ///
  /// With its `isDryRun`, the resolver only reports what it would do.
  package var store: VersionStore
  /// The engines that merge files.
  package var engines: MergeEngines
  /// Whether answers given in an earlier resolution, on whatever device, are reused.
  public var remembersAnswers = true

  /// Makes a resolver.
  ///
  /// - Parameters:
  ///   - strategy: decides conflicts.
  ///   - store: the store, with the identity and the clock of resolutions.
  ///   - engines: merge files; engines of your own can be among them.
  public init(
    _ strategy: ResolutionStrategy, store: VersionStore = VersionStore(),
    engines: MergeEngines = MergeEngines()
  ) {
    self.strategy = strategy
    self.store = store
    self.engines = engines
  }

  /// Resolves a document's conflict, if it is in one.
  ///
  /// Edits that were not saved become a version first, and take part; that stays so where the conflict stays. All
  /// versions stay in the document's history. The resolution happens at one moment: before it nothing else is
  /// changed, after it the conflict is settled, on this device and, once it has travelled there, on all others.
  ///
  /// - Throws: the errors of reading and writing, of the strategy, and ``VersionError`` with code
  ///   `changedMeanwhile` when the document keeps changing, or the strategy decides by what was before; with code
  ///   `noSuchVersion` when the version to keep is in no conflict; ``FileError`` with code `changing` when the document was
  ///   moved away.
  public func resolve(_ document: URL) async throws -> ResolutionOutcome {
    var attempt = 1
    while true {
      do {
        return try await resolveOnce(document)
      } catch let error as VersionError where error.code == .changedMeanwhile && attempt < 3 {
        attempt += 1
      }
    }
  }

  private func resolveOnce(_ document: URL) async throws -> ResolutionOutcome {
    var store = store
    // One for all steps: the session of the conflict goes on from one to the next.
    store.progress = store.progress ?? OperationProgress()
    guard let session = try await store.perform({ try $0.beginResolving(document) }) else {
      return .noConflict
    }
    let conflict = Conflict(
      session, store: store, engines: engines, remembersAnswers: remembersAnswers)
    let keptEdits = session.state.keptEdits
    var remembered: [RememberedAnswer] = []
    let decision: (settlement: Settlement, reason: String, decisions: [MergeDecision])
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
      // New contents decide nothing about a rename.
      let settlement = Settlement(
        contents: .new(contents), path: try await conflict.proposal().path, kind: .merge)
      let written = MergeDecision(
        kind: .combined, explanation: "The contents were written by hand.")
      decision = (settlement, reason, [written])
    }
    let version = try await store.perform { try $0.settle(session, with: decision.settlement) }
    return .resolved(
      Resolution(
        version: version, strategy: strategy.name, reason: decision.reason,
        chosen: decision.settlement.chosenVersion, settled: conflict.versions,
        decisions: decision.decisions, remembered: remembered, keptEdits: keptEdits))
  }
}

/// The outcome of resolving a conflict.
public enum ResolutionOutcome: Sendable {
  /// The conflict is settled.
  case resolved(Resolution)
  /// The conflict stays: the strategy left these questions.
  ///
  /// The document and its versions are as they were, but for edits that were not saved: they are a version now, which
  /// takes part in the conflict.
  case unresolved(questions: [MergeDecision], keptEdits: FileVersion?)
  /// There was none.
  case noConflict
}

/// A settled conflict: what was chosen and why.
public struct Resolution: Sendable {
  /// The version that follows all versions in conflict; the current one of them in a dry run.
  public let version: FileVersion
  /// The strategy's name.
  package let strategy: String
  /// Why it decided so: the end of a sentence that begins "because".
  package let reason: String
  /// The version whose contents were taken whole; nil where they were merged or written.
  package let chosen: FileVersion?
  /// The versions that were in conflict, the current one first.
  ///
  /// They stay in the document's history.
  package let settled: [FileVersion]
  /// The decisions of the merge, place by place.
  public let decisions: [MergeDecision]
  /// The questions for which an answer of an earlier resolution was reused.
  package let remembered: [RememberedAnswer]
  /// The version that edits on disk became before; nil where there were none.
  public let keptEdits: FileVersion?
}

extension Settlement {
  fileprivate var chosenVersion: FileVersion? {
    guard case .version(let version) = contents else { return nil }
    return version
  }
}

extension Conflict {
  /// New contents of a document that is a file, which stays as runnable as it is.
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
        message: "“\(name)” is a package; bytes can’t be its contents.")
    }
  }

  /// - Throws: ``VersionError`` with code `changedMeanwhile` for a proposal that brings together other versions than those
  ///   in conflict now.
  fileprivate func refuseOutdated(_ proposal: MergeProposal) throws {
    guard proposal.versions != Set(versions.map(\.id)) else { return }
    let name = document.lastPathComponent
    throw VersionError(
      .changedMeanwhile, document: name,
      message: "The proposal is not of the versions that are in conflict now of “\(name)”.",
      recovery: .tryAgain, hint: "Nothing was decided; ask for a proposal again.")
  }

  /// The one decision that choosing a version is.
  fileprivate func decision(keeping version: FileVersion, because reason: String) -> MergeDecision {
    MergeDecision(
      kind: version == current ? .ours : .theirs,
      explanation: """
        The version of \(version.author) (\(version.savingDevice)) was taken whole, because \(reason).
        """)
  }
}
