internal import DocumentVersions

/// The outcome of a merge of files, as a file for programs.
///
/// | key | value |
/// | --- | --- |
/// | `schema` | 1: later versions of this form only add keys |
/// | `complete` | whether nothing is left to decide |
/// | `decisions` | what was decided, in the order of the document, as `MergeDecision` has it |
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
