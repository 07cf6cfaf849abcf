internal import DocumentVersions
internal import Foundation

/// A document in conflict: `{"base", "conflicts", "current", "document", "mergesCleanly", "questions"}`.
///
/// | key | value |
/// | --- | --- |
/// | `base` | the version that all are based on, or null |
/// | `conflicts` | the unresolved conflict versions |
/// | `current` | the current version |
/// | `document` | the path |
/// | `mergesCleanly` | whether merging leaves nothing to decide |
/// | `questions` | the questions that merging leaves, as in `MergeDecision` |
struct ConflictReport: Encodable, Sendable {
  private enum CodingKeys: CodingKey {
    case document, current, conflicts, base, mergesCleanly, questions
  }

  let conflict: Conflict
  let questions: [MergeDecision]

  var mergesCleanly: Bool { questions.isEmpty }

  /// Reports a conflict with the proposal of a merge.
  init(_ conflict: Conflict, _ proposal: MergeProposal) {
    self.conflict = conflict
    questions = proposal.questions
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(conflict.document.path, forKey: .document)
    try container.encode(VersionReport(conflict.current), forKey: .current)
    try container.encode(
      conflict.versions.dropFirst().map(VersionReport.init), forKey: .conflicts)
    try container.encode(conflict.base.map(VersionReport.init), forKey: .base)
    try container.encode(mergesCleanly, forKey: .mergesCleanly)
    try container.encode(questions, forKey: .questions)
  }
}
