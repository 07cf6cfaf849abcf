internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// Requests that compare texts and decide conflicts.
extension PageRoutes {
  struct Text: Decodable {
    /// The name of the document or the member, which determines its format.
    let name: String
    let text: String
  }

  struct Tree: Encodable {
    /// The tree of values; nil if the text's format has none, or the text isn't valid.
    let tree: DocumentTree?
  }

  func tree(_ text: Text) throws -> PageResponse {
    do {
      let tree = try MergeEngines().tree(of: Array(text.text.utf8), named: text.name)
      return try PageResponse(json: Tree(tree: tree))
    } catch is MergeError {
      return try PageResponse(json: Tree(tree: nil))
    }
  }

  struct Answer: Decodable {
    let document, question: String
    /// A choice such as "ours"; nil to withdraw the answer.
    let choice: String?
    let text: String?
  }

  func answer(_ request: Answer) async throws -> PageResponse {
    let answers = folder.answers(about: request.document)
    let answer: MergeAnswer? = try request.choice.map { choice in
      switch MergeAnswer.Choice(rawValue: choice) {
      case .ours: .ours
      case .theirs: .theirs
      case .both: .both
      case .base: .base
      case .text: .text(Array((request.text ?? "").utf8))
      case nil: throw PageError(.badRequest, "There is no such answer.")
      }
    }
    let conflict = try await currentConflict(of: request.document)
    _ = try await answers.review(conflict)
    try answers.answer(request.question, with: answer)
    return try PageResponse(json: try await ConflictFacts(conflict, answers: answers))
  }

  struct Resolving: Decodable {
    let document: String
    /// The versions that the page showed.
    let versions: [String]
    /// The version to keep; nil for the merged result.
    let keep: String?
    /// The result as edited by a person; nil for the one that follows from the answers.
    let text: String?
  }

  struct Resolved: Encodable {
    let isResolved: Bool
  }

  func resolve(_ request: Resolving) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    let answers = folder.answers(about: request.document).given
    let strategy = ResolutionStrategy.ask { question in
      // The conflict differs from the one that was shown, so the page shows it before anything is decided.
      guard question.conflict.versions.map(\.id.description) == request.versions else {
        return .skip
      }
      if let keep = request.keep {
        guard let identifier = FileVersion.PersistentIdentifier(keep) else { return .skip }
        return .keep(identifier)
      }
      if let text = request.text { return .use(Data(text.utf8)) }
      guard !question.proposal.isComplete else { return .useProposal }
      let asked = question.proposal.clashes.compactMap { clash in
        answers[clash.id].map { (clash.id, $0) }
      }
      return .answer(Dictionary(asked, uniquingKeysWith: { $1 }))
    }
    let outcome: ResolutionOutcome
    if let open = folder.shown(request.document), open.phase == .open {
      outcome = try await open.document.resolve(strategy)
    } else {
      outcome = try await ConflictResolver(strategy, store: folder.store).resolve(place)
    }
    let isResolved = if case .unresolved = outcome { false } else { true }
    return try PageResponse(json: Resolved(isResolved: isResolved))
  }
}
