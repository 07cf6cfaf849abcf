/// A merge that takes one side as a whole.
struct SettledMerge: AnswerableMerge {
  let sides: MergeSides<[UInt8]>
  let kind: MergeDecision.Kind
  let labels: MergeLabels

  private var bytes: [UInt8] { kind == .theirs ? sides.theirs : sides.ours }

  var clashes: [MergeClash] { [] }

  func outcome(answers: [Int: MergeAnswer]) -> MergeOutcome {
    MergeOutcome(bytes: bytes, decisions: sides.base == bytes ? [] : [decision])
  }

  private var decision: MergeDecision {
    let texts = sides.map(WholeClash.words)
    return MergeDecision(
      kind: kind, base: texts.base, ours: texts.ours, theirs: texts.theirs,
      explanation: labels.explanation(of: kind, what: "the document"))
  }
}
