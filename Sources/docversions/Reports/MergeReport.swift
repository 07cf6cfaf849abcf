internal import DocumentVersions

/// The outcome of a merge of files, as a file for programs.
///
/// | key | value |
/// | --- | --- |
/// | `schema` | 1; later versions of this format only add keys |
/// | `complete` | true if no decision is left |
/// | `decisions` | the decisions, in the order of the document, as in `MergeDecision` |
struct MergeReport: Encodable {
  private enum CodingKeys: CodingKey {
    case schema, complete, decisions
  }

  private let schema = 1
  private let complete: Bool
  let decisions: [MergeDecision]

  init(_ outcome: MergeOutcome) {
    complete = outcome.isComplete
    decisions = outcome.decisions
  }
}
