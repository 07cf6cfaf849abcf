/// A merged text with its clashes still open to be answered one by one.
public struct TextMerge: Sendable {
  /// The text in pieces.
  ///
  /// Answers count the clashes among them, from 0.
  public var pieces: [TextPiece] { result.pieces }
  private let result: any AnswerableMerge

  init(_ result: some AnswerableMerge) { self.result = result }

  /// The document, with the clashes settled that have an answer.
  ///
  /// The others carry conflict markers, in the document's own encoding and line endings, and longer
  /// than any such run in the content. A document that is not text carries none: there ours stands.
  /// - Parameter answers: What somebody wants, by the number of the clash.
  /// - Returns: The document, and what was decided.
  /// - Throws: ``MergeError`` with ``MergeError/Code/invalidAnswer`` if an answer is for no clash,
  ///   asks for a base where there is none, for both of what is not text, or for text that the
  ///   document's encoding does not allow.
  public func outcome(answers: [Int: TextAnswer] = [:]) throws(MergeError) -> MergeOutcome {
    guard !answers.isEmpty else { return try result.outcome(answers: [:]) }
    let clashes = pieces.count { if case .clash = $0 { true } else { false } }
    if let number = answers.keys.first(where: { !(0..<clashes).contains($0) }) {
      throw MergeError(.invalidAnswer, "There is no clash number \(number): there are \(clashes).")
    }
    return try result.outcome(answers: answers)
  }
}

/// What a text merge came to: nothing to do, a clash of the whole, or lines.
protocol AnswerableMerge: Sendable {
  var pieces: [TextPiece] { get }
  func outcome(answers: [Int: TextAnswer]) throws(MergeError) -> MergeOutcome
}
