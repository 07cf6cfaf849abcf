/// The difference between two sequences of numbers, which stand for lines, words or the like.
///
/// It is what git finds, so that texts merge here as they merge there: the shortest path from one sequence to the other,
/// searched from both ends at once (E. Myers, An O(ND) difference algorithm and its variations, 1986), after elements
/// that are nowhere in the other sequence, or all over it, were left out; and changes that could stand in several
/// places stand as late as possible, or beside a change of the other sequence.
struct SequenceDifference {
  private var old: ComparedSequence
  private var new: ComparedSequence
  /// The furthest places that were reached on each diagonal, from the start and from the end.
  private var forward: [Int] = []
  private var backward: [Int] = []
  /// The index of diagonal 0 in both.
  private var middle = 0
  /// From this many changes on, a search ends with the best that it has found.
  private var costLimit = 0

  /// The changes that turn one sequence of numbers below `count` into the other, in order; at least one equal element
  /// stands between two.
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

  /// The number of equal elements at the start and at the end.
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

  /// The marks of both sequences as changes.
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

  // MARK: The search

  /// A part of both sequences.
  private struct Box {
    var rows: Range<Int>
    var columns: Range<Int>
    /// Whether it is divided on a shortest path, however long that takes to find.
    let isExact: Bool
  }

  /// The point where a box is divided, and which of its parts are divided exactly.
  private struct Division {
    let row: Int
    let column: Int
    var isExactBefore = true
    var isExactAfter = true
  }

  /// Diagonals that were reached, every other one of a range.
  private struct Diagonals {
    var low: Int
    var high: Int

    func contains(_ diagonal: Int) -> Bool { low <= diagonal && diagonal <= high }
    var descending: StrideThrough<Int> { stride(from: high, through: low, by: -2) }
  }

  /// Marks what is not common to what is kept of both sequences.
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

  /// Takes away what is equal at both ends.
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

  /// A point on a shortest path through a box, whose ends differ; on a good path, if the shortest takes too long.
  ///
  /// Diagonals are numbered by row less column. Each round allows one more change from each end.
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

  /// One more diagonal on each side, and beyond it one that is never taken; at the edges of the box, one less.
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

  /// The place furthest from one of the ends that was reached so far.
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
  /// A power of two that is about the square root.
  var roughRoot: Int { self <= 0 ? 1 : 1 << ((Int.bitWidth - leadingZeroBitCount + 1) / 2) }
}
