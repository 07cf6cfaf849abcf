/// The difference between two sequences of numbers, which stand for lines or words.
///
/// It is the difference that `git diff --patience` finds (an algorithm by B. Cohen). Elements that occur once
/// in both sequences are its anchors. The longest list of anchors in the same order in both is unchanged, and
/// so are the equal elements around each. The parts between anchors may have anchors of their own; those
/// without are compared by their ``ShortestPath``. A shortest path through everything would take a section for
/// another one that has more lines in common with it, and an edit would be merged into the wrong one.
///
/// A change with several possible places is put next to a change of the other sequence, or else as late as
/// possible.
struct SequenceDifference {
  private var old: ComparedSequence
  private var new: ComparedSequence

  /// Returns the changes, in order, from one sequence of numbers below `count` to another.
  ///
  /// At least one equal element is between two changes.
  static func changes(from old: [Int32], to new: [Int32], count: Int) -> [LineChange] {
    var difference = SequenceDifference(
      old: ComparedSequence(old, below: count), new: ComparedSequence(new, below: count))
    difference.compare()
    difference.old.slide(beside: difference.new)
    difference.new.slide(beside: difference.old)
    return difference.changes()
  }

  private init(old: ComparedSequence, new: ComparedSequence) {
    (self.old, self.new) = (old, new)
  }

  /// Returns the changes that the marks of both sequences describe.
  private func changes() -> [LineChange] {
    var changes: [LineChange] = []
    var (row, column) = (0, 0)
    while row < old.count || column < new.count {
      let (oldStart, newStart) = (row, column)
      while old.isChanged(row) { row += 1 }
      while new.isChanged(column) { column += 1 }
      if row > oldStart || column > newStart {
        changes.append(LineChange(old: oldStart..<row, new: newStart..<column))
      } else {
        row += 1
        column += 1
      }
    }
    return changes
  }

  // MARK: Search

  /// A place in both sequences.
  private struct Place {
    var row: Int
    var column: Int
  }

  /// A part of both sequences.
  private struct Part {
    var start: Place
    var end: Place
    /// The number of parts that it was divided from.
    let depth: Int

    var rows: Range<Int> { start.row..<end.row }
    var columns: Range<Int> { start.column..<end.column }
    var isEmpty: Bool { rows.isEmpty && columns.isEmpty }
  }

  /// The depth from which on parts aren't divided by anchors, because each level takes time for all elements.
  private static let depthLimit = 64

  /// Marks everything that the sequences don't have in common.
  private mutating func compare() {
    let end = Place(row: old.count, column: new.count)
    var parts = [Part(start: Place(row: 0, column: 0), end: end, depth: 0)]
    while let part = parts.popLast() {
      if part.rows.isEmpty || part.columns.isEmpty {
        old.mark(part.rows)
        new.mark(part.columns)
        continue
      }
      old.countNumbers(in: part.rows)
      new.countNumbers(in: part.columns)
      let anchors = part.depth < Self.depthLimit ? anchors(in: part) : []
      if anchors.isEmpty {
        markShortestPath(through: part)
      } else {
        append(part, dividedBy: anchors, to: &parts)
      }
      old.resetCounts(in: part.rows)
      new.resetCounts(in: part.columns)
    }
  }

  /// Returns the longest list of anchors that have the same order in both sequences.
  private func anchors(in part: Part) -> [Place] {
    let (numbers, counts) = (old.numbers, old.counts)
    let (newCounts, newPlaces) = (new.counts, new.lastPlaces)
    var anchors: [Place] = []
    for row in part.rows {
      let number = Int(numbers[row])
      guard counts[number] == 1, newCounts[number] == 1 else { continue }
      anchors.append(Place(row: row, column: Int(newPlaces[number])))
    }
    return anchors.longestRise(by: \.column)
  }

  /// Appends the parts between anchors, without the equal elements around each anchor.
  private func append(_ part: Part, dividedBy anchors: [Place], to parts: inout [Part]) {
    var gap = Part(start: part.start, end: part.end, depth: part.depth + 1)
    for anchor in anchors {
      gap.end = anchor
      if !gap.isEmpty { skipEqualEnd(of: &gap) }
      if !gap.isEmpty { skipEqualStart(of: &gap) }
      if !gap.isEmpty { parts.append(gap) }
      gap.start = Place(row: anchor.row + 1, column: anchor.column + 1)
    }
    gap.end = part.end
    skipEqualStart(of: &gap)
    if !gap.isEmpty { parts.append(gap) }
  }

  /// Marks everything in a part that is not on the shortest path through it.
  private mutating func markShortestPath(through part: Part) {
    var inner = part
    skipEqualStart(of: &inner)
    skipEqualEnd(of: &inner)
    let rows = old.chooseSearched(in: inner.rows, of: part.rows, beside: new)
    let columns = new.chooseSearched(in: inner.columns, of: part.columns, beside: old)
    let changes = ShortestPath.changes(
      from: rows.map { old.numbers[$0] }, to: columns.map { new.numbers[$0] })
    for change in changes {
      old.mark(rows[change.old])
      new.mark(columns[change.new])
    }
  }

  private func skipEqualStart(of part: inout Part) {
    while !part.rows.isEmpty, !part.columns.isEmpty,
      old.numbers[part.start.row] == new.numbers[part.start.column]
    {
      part.start.row += 1
      part.start.column += 1
    }
  }

  private func skipEqualEnd(of part: inout Part) {
    while !part.rows.isEmpty, !part.columns.isEmpty,
      old.numbers[part.end.row - 1] == new.numbers[part.end.column - 1]
    {
      part.end.row -= 1
      part.end.column -= 1
    }
  }
}
