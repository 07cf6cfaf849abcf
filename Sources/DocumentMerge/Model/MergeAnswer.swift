/// An answer to a clash.
public enum MergeAnswer: Sendable, Equatable {
  /// The content of ours.
  case ours
  /// The content of theirs.
  case theirs
  /// The content of ours, followed by the content of theirs.
  case both
  /// The content of base.
  case base
  /// Other content, in the form in which ``MergeClash`` has the sides.
  ///
  /// In a text, a missing final line feed is added. In a structured document, content that isn't a value in the
  /// format's syntax represents a text, if ours is one: `red` for `"red"`.
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
