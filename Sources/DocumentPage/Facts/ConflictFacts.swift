internal import DocumentVersions
internal import Foundation

/// A conflict for a page: the versions, the questions with their answers, the decisions, and the result.
struct ConflictFacts: Encodable {
  struct Question: Encodable {
    let name, place, reason: String
    let base, ours, theirs: String?
    let before, after: String
    /// The versions that the side comes from, by their position in ``versions``.
    let oursFrom: [Int]
    let theirsFrom: Int
    let choices: [String]
    let answer: String?
    let typed: String?
  }

  struct Decision: Encodable {
    let kind, place, reason: String
    let base, ours, theirs: String?
    let lines: MergePlace.Lines?
    /// The path to the value that it concerns; nil if there is none.
    let path: String?
    /// True if it is the result of an answer.
    let isAnswer: Bool
  }

  let versions: [VersionFacts]
  let base: VersionFacts?
  /// The texts of the versions and of their base; nil for contents that aren't text, or aren't on this
  /// device.
  let texts: [String?]
  let baseText: String?
  let questions: [Question]
  let decisions: [Decision]
  let merged: String?
  let isComplete: Bool

  @MainActor
  init(_ conflict: Conflict, answers: ConflictAnswers) async throws {
    let (proposal, questions) = try await answers.review(conflict)
    versions = conflict.versions.map(VersionFacts.init)
    base = conflict.base.map(VersionFacts.init)
    var texts: [String?] = []
    for version in conflict.versions { texts.append(await Self.text(of: version)) }
    self.texts = texts
    baseText = if let base = conflict.base { await Self.text(of: base) } else { nil }
    let positions = Dictionary(
      uniqueKeysWithValues: conflict.versions.enumerated().map { ($1.id, $0) })
    self.questions = questions.map { name, question in
      Question(name, question, answer: answers.given[question.id], positions: positions)
    }
    let answered = Set(
      questions.filter { answers.given[$0.clash.id] != nil }.map {
        Self.source(of: $0.clash.clash.decision)
      })
    decisions = proposal.decisions.filter { $0.kind != .clash }.map {
      Decision($0, isAnswer: answered.contains(Self.source(of: $0)))
    }
    merged = proposal.bytes.flatMap { String(validating: $0, as: UTF8.self) }
    isComplete = proposal.isComplete
  }

  /// Returns the place of a decision in the versions, which no answer changes.
  private static func source(of decision: MergeDecision) -> String {
    let lines = decision.place.lines
    return "\(decision.place) \(lines.map { "\($0.ours) \($0.theirs)" } ?? "")"
  }

  private static func text(of version: FileVersion) async -> String? {
    guard !version.isDeletion, version.size <= PageFolder.largestText else { return nil }
    // Packages, and contents that aren't on this device, have no text to show.
    do { return String(validating: try await version.contents(), as: UTF8.self) } catch {
      return nil
    }
  }
}

extension ConflictFacts.Question {
  fileprivate init(
    _ name: String, _ question: ConflictClash, answer: MergeAnswer?,
    positions: [FileVersion.PersistentIdentifier: Int]
  ) {
    let clash = question.clash
    func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    self.name = name
    place = clash.decision.place.description
    reason = clash.decision.explanation
    base = text(clash.base)
    ours = text(clash.ours)
    theirs = text(clash.theirs)
    before = String(decoding: clash.before, as: UTF8.self)
    after = String(decoding: clash.after, as: UTF8.self)
    oursFrom = question.ours.compactMap { positions[$0.id] }
    theirsFrom = positions[question.theirs.id] ?? 0
    choices = clash.choices.map(\.rawValue).sorted()
    self.answer = answer?.choice.rawValue
    typed = if case .text(let bytes) = answer { text(bytes) } else { nil }
  }
}

extension ConflictFacts.Decision {
  fileprivate init(_ decision: MergeDecision, isAnswer: Bool) {
    self.isAnswer = isAnswer
    kind = decision.kind.rawValue
    place = decision.place.description
    reason = decision.explanation
    base = decision.base
    ours = decision.ours
    theirs = decision.theirs
    lines = decision.place.lines
    path = decision.place.path
  }
}
