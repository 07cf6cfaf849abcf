/// A place where the sides contradict each other, with all that is needed to decide about it.
public struct MergeClash: Sendable, Equatable {
  /// The place of the clash, and the reason why the merge could not decide.
  public let decision: MergeDecision
  /// The whole content of base there; `nil` for nothing.
  ///
  /// Lines of text are as the merge sees them: UTF-8 (or the bytes of an unknown encoding), each ended by a line
  /// feed. Values of structured documents are as they are written there.
  public let base: [UInt8]?
  /// The whole content of ours there; `nil` for nothing.
  public let ours: [UInt8]?
  /// The whole content of theirs there; `nil` for nothing.
  public let theirs: [UInt8]?
  /// The lines before it, in a text.
  public let before: [UInt8]
  /// The lines after it, in a text.
  public let after: [UInt8]
  /// The possible answers.
  public let choices: Set<MergeAnswer.Choice>

  /// Creates a clash.
  /// - Parameters:
  ///   - decision: Where it is, and why the merge could not decide.
  ///   - sides: What each side has there, whole.
  ///   - before: The lines before it, in a text.
  ///   - after: The lines after it, in a text.
  ///   - choices: What can be answered.
  package init(
    _ decision: MergeDecision, _ sides: MergeSides<[UInt8]?>, before: [UInt8] = [],
    after: [UInt8] = [], choices: Set<MergeAnswer.Choice>
  ) {
    self.decision = decision
    base = sides.base ?? nil
    ours = sides.ours
    theirs = sides.theirs
    self.before = before
    self.after = after
    self.choices = choices
  }

  /// The same clash, seen from the package that holds the document.
  func inside(_ member: PackagePath) -> MergeClash { with(decision.inside(member)) }

  /// The same clash, seen from the text that it is about a part of.
  func inWhole(_ part: PartPlaces) -> MergeClash { with(decision.inWhole(part)) }

  private func with(_ decision: MergeDecision) -> MergeClash {
    MergeClash(
      decision, MergeSides(base: base, ours: ours, theirs: theirs), before: before, after: after,
      choices: choices)
  }
}

extension MergeDecision {
  /// The decision that a clash becomes with an answer.
  /// - Parameter answer: The answer.
  package func answered(_ answer: MergeAnswer) -> MergeDecision {
    MergeDecision(
      kind: answer.kind, place: place, base: base, ours: ours, theirs: theirs,
      explanation: "An answer decided about \(place).")
  }
}
