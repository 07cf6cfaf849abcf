/// An answer to a clash.
public enum MergeAnswer: Sendable, Equatable {
  /// The content of ours.
  case ours
  /// The content of theirs.
  case theirs
  /// The content of ours, then that of theirs.
  case both
  /// The content of base.
  case base
  /// Something else, in the form that ``MergeClash`` shows the sides in.
  ///
  /// In a text, a missing last line feed is added. In a structured document, what is not a value as the format
  /// writes it stands for a text, if ours is one: `red` for `"red"`.
  case text([UInt8])

  /// The kind of an answer, regardless of its text.
  public enum Choice: String, Sendable, CaseIterable {
    case ours, theirs, both, base, text
  }

  /// The kind of the answer.
  public var choice: Choice {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .both: .both
    case .base: .base
    case .text: .text
    }
  }

  /// The kind of the answered decision.
  var kind: MergeDecision.Kind {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .both, .base, .text: .combined
    }
  }
}
