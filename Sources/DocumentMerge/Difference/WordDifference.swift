/// The difference between two sequences of numbers, which stand for words.
enum WordDifference {
  /// The maximum number of added and removed elements, because a search for more would take too long.
  private static let limit = 1500

  /// Returns the shortest list of changes from one sequence to the other (Myers' algorithm).
  ///
  /// At least one unchanged element is between two changes.
  /// - Returns: `nil` if the sequences have too little in common to be compared in bounded time.
  static func changes(from old: [Int], to new: [Int]) -> [LineChange]? {
    let part = LineChange.between(old, new, areEqual: ==)
    if part.old.isEmpty && part.new.isEmpty { return [] }
    if part.old.isEmpty || part.new.isEmpty { return [part] }
    return old[part.old].withUnsafeBufferPointer { old in
      new[part.new].withUnsafeBufferPointer { new in
        trace(from: old, to: new).map { steps in
          changes(along: steps, rows: old.count, columns: new.count)
            .map { $0.shifted(by: part.old.lowerBound) }
        }
      }
    }
  }

  /// Returns the furthest row reached on each diagonal from `-edits` on, for each number of edits.
  private static func trace(
    from old: UnsafeBufferPointer<Int>, to new: UnsafeBufferPointer<Int>
  ) -> [[Int]]? {
    var steps: [[Int]] = []
    for edits in 0...min(limit, old.count + new.count) {
      var reached = [Int](repeating: 0, count: 2 * edits + 1)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        var row = edits == 0 ? 0 : start(on: diagonal, edits: edits, after: steps[edits - 1]).row
        while row < old.count, row - diagonal < new.count, old[row] == new[row - diagonal] {
          row += 1
        }
        reached[diagonal + edits] = row
        if row >= old.count && row - diagonal >= new.count { return steps + [reached] }
      }
      steps.append(reached)
    }
    return nil
  }

  /// Returns the position where a diagonal is entered, and whether an element is removed there instead of
  /// added.
  private static func start(
    on diagonal: Int, edits: Int, after previous: [Int]
  ) -> (row: Int, isRemoval: Bool) {
    func reached(_ diagonal: Int) -> Int { previous[diagonal + edits - 1] }
    if diagonal == -edits { return (reached(diagonal + 1), false) }
    if diagonal == edits { return (reached(diagonal - 1) + 1, true) }
    let (removal, addition) = (reached(diagonal - 1) + 1, reached(diagonal + 1))
    return removal > addition ? (removal, true) : (addition, false)
  }

  private static func changes(along steps: [[Int]], rows: Int, columns: Int) -> [LineChange] {
    var changes: [LineChange] = []
    var (row, column) = (rows, columns)
    var (oldEnd, newEnd) = (rows, columns)
    var isChange = false
    func close(at row: Int, _ column: Int) {
      if isChange { changes.append(LineChange(old: row..<oldEnd, new: column..<newEnd)) }
      isChange = false
    }
    for edits in stride(from: steps.count - 1, to: 0, by: -1) {
      let diagonal = row - column
      let (entry, isRemoval) = start(on: diagonal, edits: edits, after: steps[edits - 1])
      if row > entry {
        close(at: row, column)
        (row, column) = (entry, entry - diagonal)
      }
      if !isChange {
        (oldEnd, newEnd) = (row, column)
        isChange = true
      }
      if isRemoval { row -= 1 } else { column -= 1 }
    }
    close(at: row, column)
    return changes.reversed()
  }
}
