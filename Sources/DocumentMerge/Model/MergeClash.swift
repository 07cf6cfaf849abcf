/// A place where the sides contradict each other, with everything needed to decide it.
public struct MergeClash: Sendable, Equatable {
  /// The place of the clash, and the reason why the merge couldn't decide it.
  public let decision: MergeDecision
  /// The full content of base at the place; `nil` if there is none.
  ///
  /// Lines of text are UTF-8 (or the bytes of an unknown encoding), each ending with a line feed. Values of structured
  /// documents have their form in the document.
  public let base: [UInt8]?
  /// The full content of ours at the place; `nil` if there is none.
  public let ours: [UInt8]?
  /// The full content of theirs at the place; `nil` if there is none.
  public let theirs: [UInt8]?
  /// The preceding lines, in a text.
  public let before: [UInt8]
  /// The following lines, in a text.
  public let after: [UInt8]
  /// The possible answers.
  public let choices: Set<MergeAnswer.Choice>

  /// Creates a clash from a decision about a place, and from the lines before and after it in a text.
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

  /// Returns the same clash, seen from the package that holds the document.
  func inside(_ member: PackagePath) -> MergeClash { with(decision.inside(member)) }

  /// Returns the same clash, seen from the text that contains the part.
  func inWhole(_ part: PartPlaces) -> MergeClash { with(decision.inWhole(part)) }

  private func with(_ decision: MergeDecision) -> MergeClash {
    MergeClash(
      decision, MergeSides(base: base, ours: ours, theirs: theirs), before: before, after: after,
      choices: choices)
  }
}

extension MergeDecision {
  /// Returns the decision that the clash becomes with an answer.
  package func answered(_ answer: MergeAnswer) -> MergeDecision {
    MergeDecision(
      kind: answer.kind, place: place, base: base, ours: ours, theirs: theirs,
      explanation: "An answer decided about \(place).")
  }
}
