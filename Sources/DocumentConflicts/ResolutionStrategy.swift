internal import DocumentFiles
public import DocumentMerge
public import DocumentStore
public import Foundation

/// A strategy for resolving conflicts, which can be combined with other strategies.
///
/// ```swift
/// ConflictResolver(.merge(else: .latest))
/// ConflictResolver(.merge.otherwise(.ask { question in … }))
/// ```
public struct ResolutionStrategy: Sendable {
  /// The decision of a strategy on a conflict.
  public enum Verdict: Sendable {
    /// Take one of the conflict's versions as a whole.
    case keep(FileVersion, because: String)
    /// Take merged contents, a result of ``Conflict/proposal(answers:)`` for the conflict's versions.
    case merged(MergeProposal, because: String)
    /// Take these bytes as the document's contents.
    case contents(Data, because: String)
    /// Leave the conflict unresolved; the questions give the reasons.
    case undecided([MergeDecision])
  }

  /// The strategy's name, as outcomes report it.
  package let name: String
  let decide: @Sendable (Conflict) async throws -> Verdict
  /// Answers one question of a merge; `nil` for a strategy that decides only about whole versions.
  private var answer: (@Sendable (ConflictClash) -> MergeAnswer?)?

  /// Creates a custom strategy.
  ///
  /// - Parameters:
  ///   - name: the strategy's name, as outcomes report it.
  ///   - decide: a closure that decides a conflict. It may take any time, and may be called again if the versions
  ///     change in the meantime.
  public init(
    name: String, decide: @escaping @Sendable (Conflict) async throws -> Verdict
  ) {
    self.name = name
    self.decide = decide
  }

  /// Returns this strategy, followed by another strategy for conflicts that it leaves undecided.
  public func otherwise(_ next: ResolutionStrategy) -> ResolutionStrategy {
    ResolutionStrategy(name: "\(name), else \(next.name)") { conflict in
      let verdict = try await decide(conflict)
      guard case .undecided = verdict else { return verdict }
      return try await next.decide(conflict)
    }
  }

  /// Returns this strategy, which shows each conflict to an observer before it decides.
  package func observed(
    by observer: @escaping @Sendable (Conflict) -> Void
  ) -> ResolutionStrategy {
    ResolutionStrategy(name: name) { conflict in
      observer(conflict)
      return try await decide(conflict)
    }
  }

  // MARK: The strategies

  /// Takes the version that was modified last.
  ///
  /// A deletion is taken only if every version is one, so choosing never loses an edit.
  public static let latest = ResolutionStrategy(name: "latest") { conflict in
    let live = conflict.versions.filter { !$0.isDeletion }
    // The current version comes first, so that it wins among equals.
    let latest = live.reduce(live.first ?? conflict.current) {
      $1.modificationDate > $0.modificationDate ? $1 : $0
    }
    let isTie = live.contains { $0 != latest && $0.modificationDate == latest.modificationDate }
    guard isTie else {
      return .keep(latest, because: "it was modified last, on \(latest.savingDevice)")
    }
    let rule = latest.isCurrent ? "it is the current one" : "it stands before the others"
    return .keep(
      latest, because: "another one was modified at the same moment, none later, and \(rule)")
  }.answering { clash in
    let ours = clash.ours.filter { !$0.isDeletion }.map(\.modificationDate).max()
    let theirs = clash.theirs.isDeletion ? nil : clash.theirs.modificationDate
    let answer: MergeAnswer = (theirs ?? .distantPast) > (ours ?? .distantPast) ? .theirs : .ours
    return clash.clash.choices.contains(answer.choice) ? answer : nil
  }

  /// Combines the changes of all versions; undecided if any of them contradict each other.
  public static let merge = ResolutionStrategy(name: "merge") { conflict in
    let proposal = try await conflict.proposal()
    guard proposal.isComplete else { return .undecided(proposal.questions) }
    return .merged(proposal, because: proposal.reason)
  }

  /// Combines the changes of all versions, with another strategy for contradictions.
  ///
  /// With ``latest``, the side that was modified last decides each open question, and changes without a question stay
  /// combined.
  public static func merge(else next: ResolutionStrategy) -> ResolutionStrategy {
    guard let answer = next.answer else { return merge.otherwise(next) }
    return ResolutionStrategy(name: "\(merge.name), else \(next.name)") { conflict in
      let first = try await conflict.proposal()
      guard !first.isComplete else { return .merged(first, because: first.reason) }
      guard var answered = try await conflict.proposal(answeredBy: answer, from: first) else {
        return try await next.decide(conflict)
      }
      // No person gave these answers, so they aren't reused.
      answered.answers = []
      return .merged(answered, because: "its questions were answered by what was modified last")
    }
  }

  /// Returns this strategy, which also answers single questions of a merge.
  private func answering(
    _ answer: @escaping @Sendable (ConflictClash) -> MergeAnswer?
  ) -> ResolutionStrategy {
    var strategy = self
    strategy.answer = answer
    return strategy
  }

  /// Asks a closure, for example one that shows a dialog.
  ///
  /// The closure is called again if its answers lead to more questions, which may happen if more than two versions are
  /// in conflict.
  ///
  /// - Parameter answer: a closure that receives the versions and a proposed result, and returns the decision.
  public static func ask(
    _ answer: @escaping @Sendable (ConflictQuestion) async throws -> ConflictAnswer
  ) -> ResolutionStrategy {
    ResolutionStrategy(name: "ask") { conflict in
      var answers: [ConflictClash.ID: MergeAnswer] = [:]
      while true {
        try Task.checkCancellation()
        let proposal = try await conflict.proposal(answers: answers)
        if !answers.isEmpty, proposal.isComplete {
          return .merged(proposal, because: "its questions were answered")
        }
        switch try await answer(ConflictQuestion(conflict: conflict, proposal: proposal)) {
        case .keep(let identifier):
          return .keep(try conflict.version(toKeep: identifier), because: "it was chosen")
        case .useProposal: return .merged(proposal, because: "the proposal was accepted")
        case .use(let contents): return .contents(contents, because: "it was given as the answer")
        case .skip: return .undecided(proposal.questions)
        case .answer(let given):
          if proposal.isComplete {
            return .merged(proposal, because: proposal.reason)
          }
          let isNew = given.contains { answers[$0.key] == nil }
          answers.merge(given) { $1 }
          // Questions that were left unanswered aren't asked again.
          guard isNew, proposal.clashes.allSatisfy({ answers[$0.id] != nil }) else {
            return .undecided(try await conflict.proposal(answers: answers).questions)
          }
        }
      }
    }
  }

  /// Takes a given version, which must be in the conflict.
  public static func keep(
    _ identifier: FileVersion.PersistentIdentifier
  ) -> ResolutionStrategy {
    ResolutionStrategy(name: "keep") { conflict in
      .keep(try conflict.version(toKeep: identifier), because: "it was named")
    }
  }
}

/// The question for an ``ResolutionStrategy/ask(_:)`` closure.
public struct ConflictQuestion: Sendable {
  /// The conflict: its versions, the current one first, and their base.
  public let conflict: Conflict
  /// The result of merging, with the questions that it leaves.
  public let proposal: MergeProposal
}

/// The answer of an ``ResolutionStrategy/ask(_:)`` closure.
public enum ConflictAnswer: Sendable {
  /// Take this version as a whole.
  case keep(FileVersion.PersistentIdentifier)
  /// Take the proposed result unchanged, including the conflict markers of a file with open questions.
  case useProposal
  /// Take the proposed result with these answers to its clashes; the conflict stays if a clash has no answer.
  case answer([ConflictClash.ID: MergeAnswer])
  /// Take these bytes as the contents, for a document that is a file.
  case use(Data)
  /// Leave the conflict unresolved.
  case skip
}

extension Conflict {
  /// Returns the proposal with all questions answered; `nil` if a question has no answer, or an answer isn't
  /// allowed.
  fileprivate func proposal(
    answeredBy answer: (ConflictClash) -> MergeAnswer?, from first: MergeProposal
  ) async throws -> MergeProposal? {
    var proposal = first
    var answers: [ConflictClash.ID: MergeAnswer] = [:]
    while !proposal.isComplete {
      // Answers about earlier versions may lead to more questions about the next one.
      guard !proposal.clashes.isEmpty else { return nil }
      for clash in proposal.clashes {
        guard answers[clash.id] == nil, let given = answer(clash) else { return nil }
        answers[clash.id] = given
      }
      do { proposal = try await self.proposal(answers: answers) } catch let error as MergeError {
        guard error.code == .invalidAnswer else { throw error }
        return nil
      }
    }
    return proposal
  }
}

extension MergeProposal {
  /// The reason for having no open question.
  package var reason: String {
    remembered.isEmpty
      ? "the changes do not contradict each other" : "its questions were answered before"
  }
}

extension Conflict {
  /// Returns the version of the conflict to keep.
  ///
  /// - Throws: ``VersionError`` with code `noSuchVersion` for a version that isn't in conflict.
  func version(toKeep identifier: FileVersion.PersistentIdentifier) throws -> FileVersion {
    if let version = versions.first(where: { $0.id == identifier }) { return version }
    let name = document.lastPathComponent
    // Edits on disk follow the named version, and take its place in the conflict.
    let edits = state.keptEdits.flatMap { $0.parents.contains(identifier) ? $0.id.short : nil }
    let reason =
      edits.map { "; edits that were not saved followed it, and are version \($0) now" } ?? ""
    throw VersionError(
      .noSuchVersion, document: name,
      message: """
        Version \(identifier.short) is not one of the versions in conflict of “\(name)”\(reason).
        """,
      recovery: .listConflicts)
  }
}
