/// An answer to a clash.
public enum MergeAnswer: Sendable, Equatable {
  /// What ours has.
  case ours
  /// What theirs has.
  case theirs
  /// What ours has, then what theirs has.
  case both
  /// What base has.
  case base
  /// Something else, in the form that ``MergeClash`` shows the sides in.
  ///
  /// In a text, a missing last line feed is added. In a structured document, what is not a value as the format
  /// writes it stands for a text, if ours is one: `red` for `"red"`.
  case text([UInt8])

  /// An answer, whatever the text.
  public enum Choice: String, Sendable, CaseIterable {
    case ours, theirs, both, base, text
  }

  /// Which answer it is.
  public var choice: Choice {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .both: .both
    case .base: .base
    case .text: .text
    }
  }

  /// What the answered decision is.
  var kind: MergeDecision.Kind {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .both, .base, .text: .combined
    }
  }
}
