/// The columns of a table that have another name on one side, recognized by their cells.
struct RenamedColumns {
  private let base: TableText
  private let side: TableText
  /// The columns that both tables have by name.
  private let kept: [(old: Int, new: Int)]
  /// The columns whose names were removed, and those with new names.
  private let gone: [Int]
  private let added: [Int]

  /// The number of column pairs that are compared in tables of any length.
  private static let pairCount = 4

  init(_ base: TableText, _ side: TableText) {
    let (old, new) = (base.values(0), side.values(0))
    let places = Dictionary(
      new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(old)
    (self.base, self.side) = (base, side)
    kept = old.indices.compactMap { column in places[old[column]].map { (column, $0) } }
    gone = old.indices.filter { places[old[$0]] == nil }
    added = new.indices.filter { !names.contains(new[$0]) }
  }

  /// The old columns that have a new name on the side, by their new positions; almost all of their cells have
  /// the same values.
  var certain: [Int: Int] {
    guard !kept.isEmpty, !gone.isEmpty, !added.isEmpty else { return [:] }
    var origins: [Int: Int] = [:]
    var found: Set<Int> = []
    if base.columnCount == side.columnCount {
      // If the number of columns is the same, a renamed column is most likely at its old position.
      for column in gone where added.contains(column) && isLike(column, at: column, percent: 80) {
        origins[column] = column
        found.insert(column)
      }
    }
    for column in gone where areFew && !found.contains(column) && isTelling(column) {
      let place = added.first { origins[$0] == nil && isLike(column, at: $0, percent: 80) }
      if let place { origins[place] = column }
    }
    return origins
  }

  /// Returns whether a new column may be an old one, because at least half of the cells have the same values.
  func isPerhaps(_ column: Int, at place: Int) -> Bool {
    !kept.isEmpty && areFew && isTelling(column) && isLike(column, at: place, percent: 50)
  }

  /// True if the number of column pairs is small enough to compare all of them.
  private var areFew: Bool {
    let pairs = gone.count * added.count
    return pairs <= Self.pairCount || pairs * base.rowCount <= RowMatching.pairLimit
  }

  /// Returns whether the cells of a column have more than one value, if there is more than one cell.
  private func isTelling(_ column: Int) -> Bool {
    guard base.rowCount > 2 else { return base.rowCount == 2 && !base.value(1, column).isEmpty }
    let first = base.value(1, column)
    return (2..<base.rowCount).contains { base.value($0, column) != first }
  }

  /// Returns whether a percentage of the cells of two columns have the same values, row by row.
  private func isLike(_ column: Int, at place: Int, percent: Int) -> Bool {
    let rows = min(base.rowCount, side.rowCount) - 1
    let own = common([(column, place)])
    // Another column may have the same values in other rows.
    return own > 0 && 100 * own >= percent * rows
      && 100 * common(kept + [(column, place)]) >= percent * common(kept)
  }

  /// Returns the number of rows that have the same values in some columns.
  private func common(_ columns: [(old: Int, new: Int)]) -> Int {
    let (oldPlaces, newPlaces) = (columns.map(\.old), columns.map(\.new))
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for row in 1..<max(1, base.rowCount) {
      counts[base.text(of: oldPlaces, in: row), default: 0] += 1
    }
    return (1..<max(1, side.rowCount)).count { row in
      let text = side.text(of: newPlaces, in: row)
      guard let count = counts[text], count > 0 else { return false }
      counts[text] = count - 1
      return true
    }
  }
}
