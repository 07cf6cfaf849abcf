/// A document whose sides can only be chosen as wholes.
struct WholeClash: AnswerableMerge {
  let sides: MergeSides<[UInt8]>
  /// The reason, as a sentence.
  let reason: String

  private var decision: MergeDecision { MergeDecision(.clash, sides.map(Self.words), reason) }

  var clashes: [MergeClash] {
    let choices: Set<MergeAnswer.Choice> = [.ours, .theirs, .text]
    return [
      MergeClash(
        decision, sides.map { $0 }, choices: sides.base == nil ? choices : choices.union([.base]))
    ]
  }

  func outcome(answers: [Int: MergeAnswer]) -> MergeOutcome {
    guard let answer = answers[0] else {
      return MergeOutcome(bytes: sides.ours, decisions: [decision])
    }
    let bytes =
      switch answer {
      case .ours, .both: sides.ours
      case .theirs: sides.theirs
      case .base: sides.base ?? []
      case .text(let bytes): bytes
      }
    return MergeOutcome(bytes: bytes, decisions: [decision.answered(answer)])
  }

  /// Describes a document in a few words for a decision.
  static func words(for document: [UInt8]) -> String {
    guard let text = DecodedText(document) else { return "\(document.count) bytes, not text" }
    return excerpt(text.text)
  }
}
