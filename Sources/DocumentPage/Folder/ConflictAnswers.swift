internal import DocumentVersions
internal import NIOHTTP1

/// The answers that a person has given to a conflict's questions so far, including questions that other
/// answers have removed.
@MainActor
final class ConflictAnswers {
  private var clashes: [ConflictClash] = []
  private(set) var given: [ConflictClash.ID: MergeAnswer] = [:]
  private var versions: [FileVersion.PersistentIdentifier] = []

  /// Returns the open and the answered questions of a conflict, with their answers.
  ///
  /// - Returns: the proposal that follows from the answers, and each question with its name on the page.
  func review(
    _ conflict: Conflict
  ) async throws -> (proposal: MergeProposal, questions: [(name: String, clash: ConflictClash)]) {
    let versions = conflict.versions.map(\.id)
    if versions != self.versions {
      self.versions = versions
      clashes = []
      given = [:]
    }
    let proposal: MergeProposal
    do { proposal = try await conflict.proposal(answers: given) } catch is MergeError {
      // A question was answered that another answer has removed.
      given = [:]
      clashes = []
      proposal = try await conflict.proposal()
    }
    let open = Set(proposal.clashes.map(\.id))
    for clash in proposal.clashes where !clashes.contains(where: { $0.id == clash.id }) {
      clashes.append(clash)
    }
    let questions = clashes.enumerated().filter { open.contains($1.id) || given[$1.id] != nil }
    return (proposal, questions.map { (String($0), $1) })
  }

  /// Answers a question, or withdraws the answer.
  ///
  /// - Throws: ``PageError`` for a question that isn't asked, or an answer that it doesn't allow.
  func answer(_ name: String, with answer: MergeAnswer?) throws {
    guard let number = Int(name), clashes.indices.contains(number) else {
      throw PageError(.conflict, "The conflict has changed in the meantime.")
    }
    let clash = clashes[number]
    if let answer, !clash.clash.choices.contains(answer.choice) {
      throw PageError(.badRequest, "The question does not take this answer.")
    }
    given[clash.id] = answer
  }
}
