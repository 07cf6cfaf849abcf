/// A changed place between two texts: lines of the old text that became lines of the new one.
package struct LineChange: Sendable, Equatable {
  /// The lines of the first text, counted from 0; empty if lines were only added.
  package let old: Range<Int>
  /// The lines of the second text, counted from 0; empty if lines were only removed.
  package let new: Range<Int>

  /// Creates a change.
  package init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}

extension LineChange {
  /// Returns the change shifted for sequences that have more elements before it.
  func shifted(by count: Int) -> LineChange {
    LineChange(
      old: old.lowerBound + count..<old.upperBound + count,
      new: new.lowerBound + count..<new.upperBound + count)
  }

  /// Returns one change for everything between the equal starts and ends of two sequences.
  static func between<Element>(
    _ old: [Element], _ new: [Element], areEqual: (Element, Element) -> Bool
  ) -> LineChange {
    let start = zip(old, new).prefix(while: areEqual).count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix(while: areEqual).count
    return LineChange(old: start..<old.count - end, new: start..<new.count - end)
  }
}

extension [LineChange] {
  /// Returns the pairs of unchanged elements between the changes from one sequence to another.
  func unchanged(_ oldCount: Int, _ newCount: Int) -> [(old: Int, new: Int)] {
    var (old, new) = (0, 0)
    let end = LineChange(old: oldCount..<oldCount, new: newCount..<newCount)
    return (self + [end]).flatMap { change in
      defer { (old, new) = (change.old.upperBound, change.new.upperBound) }
      return zip(old..<change.old.lowerBound, new..<change.new.lowerBound).map { ($0, $1) }
    }
  }
}
