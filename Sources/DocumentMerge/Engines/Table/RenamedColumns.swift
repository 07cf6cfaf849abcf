/// The columns of a table that stand under another name on one side, recognized by their cells.
struct RenamedColumns {
  private let base: TableText
  private let side: TableText
  /// The columns that both have by name.
  private let kept: [(old: Int, new: Int)]
  /// The columns whose names are gone, and those whose names are new.
  private let gone: [Int]
  private let added: [Int]

  /// The fewest pairs of columns that are compared in tables of any length.
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

  /// The old columns by the places where the side has them, under a new name: nearly all of their cells say what they
  /// said.
  var certain: [Int: Int] {
    guard !kept.isEmpty, !gone.isEmpty, !added.isEmpty else { return [:] }
    var origins: [Int: Int] = [:]
    var found: Set<Int> = []
    if base.columnCount == side.columnCount {
      // If there are as many columns, one that was renamed most likely stands where it stood.
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

  /// Returns whether a new column perhaps is an old one: half of the cells or more say what they said.
  func isPerhaps(_ column: Int, at place: Int) -> Bool {
    !kept.isEmpty && areFew && isTelling(column) && isLike(column, at: place, percent: 50)
  }

  /// Whether all pairs of columns can be compared in reasonable time.
  private var areFew: Bool {
    let pairs = gone.count * added.count
    return pairs <= Self.pairCount || pairs * base.rowCount <= RowMatching.pairLimit
  }

  /// Returns whether the cells of a column say more than one thing, as far as they can.
  private func isTelling(_ column: Int) -> Bool {
    guard base.rowCount > 2 else { return base.rowCount == 2 && !base.value(1, column).isEmpty }
    let first = base.value(1, column)
    return (2..<base.rowCount).contains { base.value($0, column) != first }
  }

  /// Returns whether so many cells of two columns say the same, row by row.
  private func isLike(_ column: Int, at place: Int, percent: Int) -> Bool {
    let rows = min(base.rowCount, side.rowCount) - 1
    let own = common([(column, place)])
    // Another column may have the same cells in other rows.
    return own > 0 && 100 * own >= percent * rows
      && 100 * common(kept + [(column, place)]) >= percent * common(kept)
  }

  /// How many rows say the same in some columns.
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
