/// A stretch of merged text.
///
/// The lines are as the merge sees them: UTF-8 (or the bytes of an unknown encoding), each line ended
/// by a line feed. A document that could not be merged by lines is one clash of its own bytes.
public enum TextPiece: Sendable, Equatable {
  /// Lines that need nobody.
  case merged([UInt8])
  /// Lines that both sides changed differently; base is `nil` if there is none.
  case clash(base: [UInt8]?, ours: [UInt8], theirs: [UInt8])
}

/// What somebody wants for a clash.
public enum TextAnswer: Sendable, Equatable {
  /// Ours' lines.
  case ours
  /// Theirs' lines.
  case theirs
  /// Ours' lines, then theirs'.
  case both
  /// Base's lines.
  case base
  /// Other lines, in the form that ``TextPiece`` has them; a missing last line feed is added.
  case text([UInt8])

  /// What the answered decision is.
  var kind: MergeDecision.Kind {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .both, .base, .text: .combined
    }
  }
}
