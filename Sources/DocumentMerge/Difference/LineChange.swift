/// One changed place between two texts: some lines of the one became some lines of the other.
package struct LineChange: Sendable, Equatable {
  /// The lines of the first text, counted from 0; empty if lines were only added.
  package let old: Range<Int>
  /// The lines of the second text, counted from 0; empty if lines were only removed.
  package let new: Range<Int>

  /// Creates a change.
  /// - Parameters:
  ///   - old: The lines of the first text.
  ///   - new: The lines of the second text.
  package init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}
