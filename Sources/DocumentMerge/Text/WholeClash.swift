/// A document whose sides cannot be merged inside.
struct WholeClash: AnswerableMerge {
  let sides: MergeSides<[UInt8]>
  /// Why not, as a sentence.
  let reason: String

  var pieces: [TextPiece] {
    [.clash(base: sides.base, ours: sides.ours, theirs: sides.theirs)]
  }

  func outcome(answers: [Int: TextAnswer]) throws(MergeError) -> MergeOutcome {
    let answer = answers[0]
    let texts = sides.map(Self.words)
    let decision = MergeDecision(
      kind: answer?.kind ?? .clash, base: texts.base, ours: texts.ours, theirs: texts.theirs,
      explanation: answer == nil ? reason : "Somebody decided about the document.")
    return MergeOutcome(bytes: try bytes(for: answer), decisions: [decision])
  }

  private func bytes(for answer: TextAnswer?) throws(MergeError) -> [UInt8] {
    switch (answer, sides.base) {
    case (nil, _), (.ours, _): return sides.ours
    case (.theirs, _): return sides.theirs
    case (.base, let base?): return base
    case (.text(let bytes), _): return bytes
    case (.base, nil):
      throw MergeError(.invalidAnswer, "The document has no base to take.")
    case (.both, _):
      throw MergeError(.invalidAnswer, "One document cannot hold both sides: choose one.")
    }
  }

  /// A document in few words, for a decision.
  static func words(for document: [UInt8]) -> String {
    guard let text = DecodedText(document) else { return "\(document.count) bytes, not text" }
    return excerpt(text.text)
  }
}
