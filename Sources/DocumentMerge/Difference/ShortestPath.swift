/// The shortest path from one sequence of numbers to another.
///
/// It is searched from both ends at once, as git does it (E. Myers, An O(ND) difference algorithm and its
/// variations, 1986).
struct ShortestPath {
  private let old: [Int32]
  private let new: [Int32]
  /// The furthest positions reached on each diagonal, from the start and from the end.
  private var forward: [Int]
  private var backward: [Int]
  /// The index of diagonal 0 in both.
  private let middle: Int
  /// The number of changes at which a search ends with the best path found so far.
  private let costLimit: Int

  /// Returns the removed and the added elements, in order.
  static func changes(from old: [Int32], to new: [Int32]) -> [LineChange] {
    if old.isEmpty && new.isEmpty { return [] }
    var path = ShortestPath(old, new)
    return path.changes()
  }

  private init(_ old: [Int32], _ new: [Int32]) {
    (self.old, self.new) = (old, new)
    let diagonals = old.count + new.count + 3
    forward = [Int](repeating: 0, count: diagonals)
    backward = forward
    middle = new.count + 1
    costLimit = max(256, diagonals.roughRoot)
  }

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

  private mutating func changes() -> [LineChange] {
    var changes: [LineChange] = []
    var boxes = [Box(rows: 0..<old.count, columns: 0..<new.count, isExact: false)]
    while var box = boxes.popLast() {
      trim(&box)
      if box.rows.isEmpty || box.columns.isEmpty {
        changes.append(LineChange(old: box.rows, new: box.columns))
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
    return changes
  }

  /// Removes the equal elements at both ends.
  private func trim(_ box: inout Box) {
    var (row, column) = (box.rows.lowerBound, box.columns.lowerBound)
    var (rowEnd, columnEnd) = (box.rows.upperBound, box.columns.upperBound)
    while row < rowEnd, column < columnEnd, old[row] == new[column] {
      row += 1
      column += 1
    }
    while row < rowEnd, column < columnEnd, old[rowEnd - 1] == new[columnEnd - 1] {
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
          old[row] == new[row - diagonal]
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
          old[row - 1] == new[row - 1 - diagonal]
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
