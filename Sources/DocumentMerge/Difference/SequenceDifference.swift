/// The difference between two sequences of numbers, which stand for lines or words.
///
/// It is the difference that git finds, so that texts merge as they do in git: the shortest path from one
/// sequence to the other, searched from both ends at once (E. Myers, An O(ND) difference algorithm and its
/// variations, 1986). Elements that the other sequence doesn't have, or has very often, are left out of the
/// search. A change with several possible places is put next to a change of the other sequence, or else as
/// late as possible.
struct SequenceDifference {
  private var old: ComparedSequence
  private var new: ComparedSequence
  /// The furthest positions reached on each diagonal, from the start and from the end.
  private var forward: [Int] = []
  private var backward: [Int] = []
  /// The index of diagonal 0 in both.
  private var middle = 0
  /// The number of changes at which a search ends with the best path found so far.
  private var costLimit = 0

  /// Returns the changes, in order, from one sequence of numbers below `count` to another.
  ///
  /// At least one equal element is between two changes.
  static func changes(from old: [Int32], to new: [Int32], count: Int) -> [LineChange] {
    var difference = SequenceDifference(old: ComparedSequence(old), new: ComparedSequence(new))
    return difference.run(count: count)
  }

  private init(old: ComparedSequence, new: ComparedSequence) {
    (self.old, self.new) = (old, new)
  }

  private mutating func run(count: Int) -> [LineChange] {
    let (start, end) = commonEnds()
    let counts = (old: old.counts(count), new: new.counts(count))
    old.choose(start..<old.count - end, counts: counts.new)
    new.choose(start..<new.count - end, counts: counts.old)
    let diagonals = old.kept.count + new.kept.count + 3
    forward = [Int](repeating: 0, count: diagonals)
    backward = forward
    middle = new.kept.count + 1
    costLimit = max(256, diagonals.roughRoot)
    compare()
    old.slide(beside: new)
    new.slide(beside: old)
    return changes()
  }

  /// Returns the number of equal elements at the start and at the end.
  private func commonEnds() -> (start: Int, end: Int) {
    let most = min(old.count, new.count)
    var start = 0
    while start < most, old.numbers[start] == new.numbers[start] { start += 1 }
    var end = 0
    while end < most - start,
      old.numbers[old.count - 1 - end] == new.numbers[new.count - 1 - end]
    {
      end += 1
    }
    return (start, end)
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

  /// A part of both sequences.
  private struct Box {
    var rows: Range<Int>
    var columns: Range<Int>
    /// True if it must be divided on a shortest path, however long finding that takes.
    let isExact: Bool
  }

  /// The point that divides a box, and which of the two parts must be divided exactly.
  private struct Division {
    let row: Int
    let column: Int
    var isExactBefore = true
    var isExactAfter = true
  }

  /// The diagonals that were reached: every other one of a range.
  private struct Diagonals {
    var low: Int
    var high: Int

    func contains(_ diagonal: Int) -> Bool { low <= diagonal && diagonal <= high }
    var descending: StrideThrough<Int> { stride(from: high, through: low, by: -2) }
  }

  /// Marks everything that the searched elements of both sequences don't have in common.
  private mutating func compare() {
    var boxes = [Box(rows: 0..<old.kept.count, columns: 0..<new.kept.count, isExact: false)]
    while var box = boxes.popLast() {
      trim(&box)
      if box.rows.isEmpty {
        for column in box.columns { new.markKept(column) }
      } else if box.columns.isEmpty {
        for row in box.rows { old.markKept(row) }
      } else {
        let division = division(of: box)
        boxes.append(
          Box(
            rows: division.row..<box.rows.upperBound,
            columns: division.column..<box.columns.upperBound, isExact: division.isExactAfter))
        boxes.append(
          Box(
            rows: box.rows.lowerBound..<division.row,
            columns: box.columns.lowerBound..<division.column, isExact: division.isExactBefore))
      }
    }
  }

  /// Removes the equal elements at both ends.
  private func trim(_ box: inout Box) {
    var (row, column) = (box.rows.lowerBound, box.columns.lowerBound)
    var (rowEnd, columnEnd) = (box.rows.upperBound, box.columns.upperBound)
    while row < rowEnd, column < columnEnd, old.kept[row] == new.kept[column] {
      row += 1
      column += 1
    }
    while row < rowEnd, column < columnEnd, old.kept[rowEnd - 1] == new.kept[columnEnd - 1] {
      rowEnd -= 1
      columnEnd -= 1
    }
    (box.rows, box.columns) = (row..<rowEnd, column..<columnEnd)
  }

  /// Returns a point on a shortest path through a box whose ends differ, or on a good path if the shortest
  /// takes too long.
  ///
  /// Diagonals are numbered by row minus column. Each round allows one more change from each end.
  private mutating func division(of box: Box) -> Division {
    let lowest = box.rows.lowerBound - box.columns.upperBound
    let highest = box.rows.upperBound - box.columns.lowerBound
    let (first, last) = (
      box.rows.lowerBound - box.columns.lowerBound, box.rows.upperBound - box.columns.upperBound
    )
    let isOdd = (first - last) % 2 != 0
    var front = Diagonals(low: first, high: first)
    var back = Diagonals(low: last, high: last)
    forward[middle + first] = box.rows.lowerBound
    backward[middle + last] = box.rows.upperBound
    var cost = 0
    while true {
      cost += 1
      Self.widen(&front, lowest, highest, &forward, middle, with: -1)
      for diagonal in front.descending {
        let index = middle + diagonal
        var row = max(forward[index - 1] + 1, forward[index + 1])
        while row < box.rows.upperBound, row - diagonal < box.columns.upperBound,
          old.kept[row] == new.kept[row - diagonal]
        {
          row += 1
        }
        forward[index] = row
        if isOdd, back.contains(diagonal), backward[index] <= row {
          return Division(row: row, column: row - diagonal)
        }
      }
      Self.widen(&back, lowest, highest, &backward, middle, with: .max)
      for diagonal in back.descending {
        let index = middle + diagonal
        var row = min(backward[index - 1], backward[index + 1] - 1)
        while row > box.rows.lowerBound, row - diagonal > box.columns.lowerBound,
          old.kept[row - 1] == new.kept[row - 1 - diagonal]
        {
          row -= 1
        }
        backward[index] = row
        if !isOdd, front.contains(diagonal), row <= forward[index] {
          return Division(row: row, column: row - diagonal)
        }
      }
      if cost >= costLimit, !box.isExact { return bestDivision(of: box, front, back) }
    }
  }

  /// Adds a diagonal on each side, with one beyond it that is never chosen; at the edges of the box, removes
  /// one.
  private static func widen(
    _ diagonals: inout Diagonals, _ lowest: Int, _ highest: Int, _ reached: inout [Int],
    _ middle: Int, with beyond: Int
  ) {
    if diagonals.low > lowest {
      diagonals.low -= 1
      reached[middle + diagonals.low - 1] = beyond
    } else {
      diagonals.low += 1
    }
    if diagonals.high < highest {
      diagonals.high += 1
      reached[middle + diagonals.high + 1] = beyond
    } else {
      diagonals.high -= 1
    }
  }

  /// Returns the position furthest from one of the ends that was reached so far.
  private func bestDivision(
    of box: Box, _ front: Diagonals, _ back: Diagonals
  ) -> Division {
    let (rows, columns) = (box.rows, box.columns)
    var ahead = (sum: -1, row: -1)
    for diagonal in front.descending {
      let row = min(
        forward[middle + diagonal], rows.upperBound, columns.upperBound + diagonal)
      let sum = 2 * row - diagonal
      if ahead.sum < sum { ahead = (sum, row) }
    }
    var behind = (sum: Int.max, row: Int.max)
    for diagonal in back.descending {
      let row = max(
        backward[middle + diagonal], rows.lowerBound, columns.lowerBound + diagonal)
      let sum = 2 * row - diagonal
      if sum < behind.sum { behind = (sum, row) }
    }
    let isAhead =
      rows.upperBound + columns.upperBound - behind.sum
      < ahead.sum - rows.lowerBound - columns.lowerBound
    let best = isAhead ? ahead : behind
    return Division(
      row: best.row, column: best.sum - best.row, isExactBefore: isAhead, isExactAfter: !isAhead)
  }
}

extension Int {
  /// A power of two near the square root.
  var roughRoot: Int { self <= 0 ? 1 : 1 << ((Int.bitWidth - leadingZeroBitCount + 1) / 2) }
}
