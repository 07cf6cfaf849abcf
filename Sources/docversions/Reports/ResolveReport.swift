internal import DocumentVersions

/// The outcome of resolving one document.
///
/// | key | value |
/// | --- | --- |
/// | `document` | the path |
/// | `outcome` | `resolved`, `unresolved` or `no-conflict` |
/// | `version` | the version that follows all versions in conflict, or null |
/// | `strategy`, `reason` | the strategy that decided, and its reason; or null |
/// | `chosen` | the identifier of the version that was taken whole, or null if contents were combined |
/// | `settled` | the identifiers of the versions that were in conflict |
/// | `decisions` | the parts taken from each side, as in `MergeDecision` |
/// | `questions` | the open questions |
/// | `remembered` | the reused answers: `place`, `answer`, and the `version` in which each was given |
/// | `keptEdits` | the version that unsaved edits became, or null |
struct ResolveReport: Encodable {
  enum Outcome: String, Encodable {
    case resolved, unresolved
    case noConflict = "no-conflict"
  }

  let document: String
  let outcome: Outcome
  @Nullable var version: VersionReport? = nil
  @Nullable var strategy: String? = nil
  @Nullable var reason: String? = nil
  @Nullable var chosen: String? = nil
  @Nullable var keptEdits: VersionReport? = nil
  var settled: [String] = []
  var decisions: [MergeDecision] = []
  var questions: [MergeDecision] = []
  var remembered: [Remembered] = []

  /// A question answered as in an earlier resolution.
  struct Remembered: Encodable {
    let place: MergePlace
    let answer: String
    let version: String
  }

  init(_ path: String, _ outcome: ResolutionOutcome) {
    document = path
    switch outcome {
    case .noConflict:
      self.outcome = .noConflict
    case .unresolved(let questions, let edits):
      self.outcome = .unresolved
      self.questions = questions
      keptEdits = edits.map(VersionReport.init)
    case .resolved(let resolution):
      self.outcome = .resolved
      version = VersionReport(resolution.version)
      strategy = resolution.strategy
      reason = resolution.reason
      chosen = resolution.chosen?.id.description
      keptEdits = resolution.keptEdits.map(VersionReport.init)
      settled = resolution.settled.map(\.id.description)
      decisions = resolution.decisions
      remembered = resolution.remembered.map {
        Remembered(
          place: $0.clash.clash.decision.place, answer: $0.answer.choice.rawValue,
          version: $0.resolution.id.description)
      }
    }
  }
}
