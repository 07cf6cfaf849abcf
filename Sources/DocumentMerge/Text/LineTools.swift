/// What the text engine needs from outside: a way to compare lines.
///
/// It is handed in, so that the engine stands on git's proven algorithm without knowing git.
public protocol LineTools: Sendable {
  /// The changes that turn one text into the other.
  ///
  /// Lines end with a line feed. The changes are in order, and at least one unchanged line stands
  /// between two of them.
  /// - Parameters:
  ///   - old: The first text.
  ///   - new: The second text.
  /// - Returns: The changed lines.
  /// - Throws: An error if the texts cannot be compared, never a guess.
  func changes(from old: [UInt8], to new: [UInt8]) throws -> [LineChange]
}

/// One changed place between two texts: some lines of the one became some lines of the other.
public struct LineChange: Sendable, Equatable {
  /// The lines of the first text, counted from 0; empty where lines were only added.
  public let old: Range<Int>
  /// The lines of the second text, counted from 0; empty where lines were only removed.
  public let new: Range<Int>

  /// Creates a change.
  /// - Parameters:
  ///   - old: The lines of the first text.
  ///   - new: The lines of the second text.
  public init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}
