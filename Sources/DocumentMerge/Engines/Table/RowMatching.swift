/// Two tables with their common columns.
struct TablePair {
  let old: TableText
  let new: TableText
  /// The positions of the common columns, except those of the key.
  let columns: [(old: Int, new: Int)]
  /// The positions of the key's columns; empty if rows are distinguished by all their values.
  let key: [(old: Int, new: Int)]
  /// The columns of only the new table.
  private let added: [Int]
  /// The first row after the header.
  private let first: Int

  /// Takes two of three tables.
  init(
    _ old: TableText, _ new: TableText, _ columns: TableColumns,
    _ oldPlace: KeyPath<TableColumns.Column, Int?>, _ newPlace: KeyPath<TableColumns.Column, Int?>,
    _ key: TableKey?, _ first: Int
  ) {
    func places(_ column: TableColumns.Column) -> (old: Int, new: Int)? {
      guard let old = column[keyPath: oldPlace], let new = column[keyPath: newPlace] else {
        return nil
      }
      return (old, new)
    }
    let key = (key?.columns ?? []).compactMap(places)
    let all = columns.merged + columns.removed
    (self.old, self.new, self.key, self.first) = (old, new, key, first)
    self.columns = all.compactMap(places).filter { place in !key.contains { $0.old == place.old } }
    added = all.filter { $0[keyPath: oldPlace] == nil }.compactMap { $0[keyPath: newPlace] }
  }

  /// Returns numbers for the rows of both tables, which are equal for equal keys, or for equal rows if there
  /// is no key.
  func identities() -> (old: [Int], new: [Int]) {
    let telling = key.isEmpty ? columns : key
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func identities(_ table: TableText, _ columns: [Int]) -> [Int] {
      (first..<max(first, table.rowCount)).map { row in
        let text = table.text(of: columns, in: row)
        if let number = numbers[text] { return number }
        numbers[text] = numbers.count
        return numbers.count - 1
      }
    }
    return (identities(old, telling.map(\.old)), identities(new, telling.map(\.new)))
  }

  /// Returns the values of each row except the key; `nil` if they are too few to distinguish it from other
  /// rows.
  func contents() -> (old: [ArraySlice<UInt8>?], new: [ArraySlice<UInt8>?]) {
    func contents(_ table: TableText, _ columns: [Int]) -> [ArraySlice<UInt8>?] {
      (first..<max(first, table.rowCount)).map { row in
        let count = columns.count { !table.value(row, $0).isEmpty }
        return count > 1 ? table.text(of: columns, in: row) : nil
      }
    }
    return (contents(old, columns.map(\.old)), contents(new, columns.map(\.new)))
  }

  /// Pairs the rows, numbered by their keys, by contents if the keys are numbers that now belong to other
  /// rows.
  func renumbering(_ old: [Int], _ new: [Int]) -> Renumbering.Outcome {
    guard key.count == 1, Set(old).count == old.count, Set(new).count == new.count,
      old.indices.allSatisfy({ self.old.value($0 + first, key[0].old).isNumber }),
      new.indices.allSatisfy({ self.new.value($0 + first, key[0].new).isNumber })
    else { return .kept }
    func rest(_ table: TableText, _ columns: [Int], _ row: Int) -> ArraySlice<UInt8> {
      table.text(of: columns, in: row + first)
    }
    let (oldColumns, newColumns) = (columns.map(\.old), columns.map(\.new))
    func parts(_ table: TableText, _ columns: [Int], _ row: Int) -> [Int] {
      columns.enumerated().map { place, column in
        var hasher = Hasher()
        hasher.combine(place)
        hasher.combine(table.value(row + first, column))
        return hasher.finalize()
      }
    }
    return Renumbering(oldIDs: old, newIDs: new, names: names()).outcome(
      isUnchanged: { rest(self.old, oldColumns, $0) == rest(self.new, newColumns, $1) },
      oldParts: { parts(self.old, oldColumns, $0) }, newParts: { parts(self.new, newColumns, $0) },
      areAlike: { likeness($0, $1) > 0 })
  }

  /// Returns the texts of columns in which each row has a different text.
  private func names() -> [(old: [Int], new: [Int])] {
    func names(_ table: TableText, _ column: Int) -> [Int]? {
      let texts = (first..<max(first, table.rowCount)).map { table.value($0, column) }
      let areNames = texts.allSatisfy { text in
        text.contains { $0.isLetter || $0 >= 0x80 }
      }
      return areNames && Set(texts).count == texts.count ? texts.map(\.hashValue) : nil
    }
    return columns.compactMap { column in
      names(old, column.old).flatMap { old in names(new, column.new).map { (old, $0) } }
    }
  }

  /// Returns the number of equal cells in two rows; 0 if they are too few for the rows to be the same.
  func likeness(_ oldRow: Int, _ newRow: Int) -> Int {
    let same = columns.count {
      old.value(oldRow + first, $0.old) == new.value(newRow + first, $0.new)
    }
    // If the key differs, most of the other values must be equal.
    return 2 * same >= columns.count + (key.isEmpty ? 0 : 1) ? same : 0
  }

  /// Returns whether two rows have the same value in any cell with contents.
  func haveCellInCommon(_ oldRow: Int, _ newRow: Int) -> Bool {
    columns.contains {
      let value = old.value(oldRow + first, $0.old)
      return !value.isEmpty && value == new.value(newRow + first, $0.new)
    }
  }

  /// Returns whether the new row has any value that the old one doesn't have.
  func isChange(_ oldRow: Int, _ newRow: Int) -> Bool {
    (columns + key).contains {
      old.value(oldRow + first, $0.old) != new.value(newRow + first, $0.new)
    } || added.contains { !new.value(newRow + first, $0).isEmpty }
  }
}

/// The rows of a table that correspond to rows of an older one, unchanged or changed.
struct RowMatching {
  /// The old row that each new row corresponds to.
  private(set) var origins: [Int?]
  /// The new row for each old row.
  private var places: [Int?]
  /// The new rows that are changes of an old row, and whether they may also be changes of another one.
  private var changed: [Int: Bool] = [:]
  /// The removed and added rows, place by place.
  private let changes: [LineChange]
  private let pair: TablePair

  /// The maximum number of row pairs compared at once, because more would take too long.
  static let pairLimit = 1 << 20

  /// Compares two tables; `nil` if there is too much to compare.
  init?(_ pair: TablePair) {
    let (old, new) = pair.identities()
    changes = SequenceDifference.changes(
      from: old.map { Int32($0) }, to: new.map { Int32($0) },
      count: 1 + max(old.max() ?? -1, new.max() ?? -1))
    origins = [Int?](repeating: nil, count: new.count)
    places = [Int?](repeating: nil, count: old.count)
    self.pair = pair
    switch pair.renumbering(old, new) {
    case .kept: break
    case .pairs(let pairs):
      for (row, origin) in pairs.enumerated() { if let origin { match(row, origin) } }
      return
    case .doubtful: return nil
    }
    for pair in changes.unchanged(old.count, new.count) { match(pair.new, pair.old) }
    // Moved rows have the same values; those that occur once are certain.
    var moved: [Int: [Int]] = [:]
    for row in changes.flatMap(\.old) { moved[old[row], default: []].append(row) }
    for row in changes.flatMap(\.new) {
      guard let candidates = moved[new[row]], candidates.count == 1 else { continue }
      moved[new[row]] = nil
      match(row, candidates[0])
    }
    for change in changes {
      let (old, new) = (change.old.filter { lacks($0) }, change.new.filter { origins[$0] == nil })
      guard old.count * new.count <= Self.pairLimit else {
        if !pair.key.isEmpty { continue }
        return nil
      }
      matchChanges(old, new)
    }
    if !pair.key.isEmpty { matchNewKeys() }
  }

  /// The number of old rows.
  var oldCount: Int { places.count }

  /// Returns whether an old row was removed.
  func lacks(_ row: Int) -> Bool { places[row] == nil }

  /// Matches a new row with an old one.
  mutating func match(_ row: Int, _ origin: Int) {
    origins[row] = origin
    places[origin] = row
  }

  /// Returns whether a new row seems to be a changed one.
  func isChanged(_ row: Int) -> Bool { changed[row] != nil && origins[row] != nil }

  /// Considers a row new that seemed to be a changed one.
  mutating func forgetChange(at row: Int) {
    guard changed[row] != nil, let origin = origins[row] else { return }
    (origins[row], places[origin]) = (nil, nil)
  }

  /// Considers rows new that may be changes of a row that the other side changed, because its change must not
  /// go to another row.
  mutating func forgetGuesses(beside other: RowMatching) {
    for (row, isGuess) in changed where isGuess {
      guard let origin = origins[row], let place = other.places[origin],
        other.pair.isChange(origin, place)
      else { continue }
      forgetChange(at: row)
    }
  }

  /// Returns the new rows at the places of removed rows.
  func replacements(
    of gone: Set<Int>, by isWanted: (_ row: Int) -> Bool
  ) -> [Int: Int] {
    var replacements: [Int: Int] = [:]
    for change in changes {
      let added = change.new.filter { origins[$0] == nil && isWanted($0) }
      for (origin, row) in zip(change.old.filter(gone.contains), added) {
        replacements[origin] = row
      }
    }
    return replacements
  }

  /// Returns whether a new row has the value of a cell of an old one.
  func isLike(_ row: Int, _ origin: Int) -> Bool { pair.haveCellInCommon(origin, row) }

  /// Returns the new row with most values of an old one.
  /// - Parameter rows: New rows; those that were matched in the meantime are ignored.
  func rowLike(_ origin: Int, among rows: [Int]) -> Int? {
    var (best, found): (Int, Int?) = (0, nil)
    for row in rows where origins[row] == nil {
      let likeness = pair.likeness(origin, row)
      if likeness > best { (best, found) = (likeness, row) }
    }
    return found
  }

  /// Matches rows that moved and got a new key, if all their other values are the same, and unique.
  private mutating func matchNewKeys() {
    let contents = pair.contents()
    func single(_ texts: [ArraySlice<UInt8>?]) -> [ArraySlice<UInt8>: Int] {
      let rows = texts.enumerated().compactMap { row, text in text.map { ($0, row) } }
      return Dictionary(grouping: rows, by: \.0).compactMapValues { rows in
        rows.count == 1 ? rows[0].1 : nil
      }
    }
    let new = single(contents.new)
    for (text, origin) in single(contents.old) where lacks(origin) {
      guard let row = new[text], origins[row] == nil else { continue }
      match(row, origin)
      changed[row] = false
    }
  }

  /// Matches edited rows, which are at their old place and have mostly the same cells.
  private mutating func matchChanges(_ old: [Int], _ new: [Int]) {
    guard !old.isEmpty, !new.isEmpty else { return }
    let likeness = old.map { row in new.map { pair.likeness(row, $0) } }
    let pairs = WeightedAlignment(old.count, new.count) { Double(likeness[$0][$1]) }.pairs
    let isRowByRow = old.count == new.count && pairs.allSatisfy { $0.old == $0.new }
    for (row, column) in pairs {
      let own = likeness[row][column]
      let others =
        likeness[row].enumerated().filter { $0.offset != column }.map(\.element)
        + likeness.indices.filter { $0 != row }.map { likeness[$0][column] }
      let isCertain = others.allSatisfy { $0 < own || isRowByRow && $0 == own }
      match(new[column], old[row])
      changed[new[column]] = !isCertain
    }
  }
}

extension ArraySlice<UInt8> {
  /// True if there is at least one byte and all bytes are digits.
  fileprivate var isNumber: Bool {
    !isEmpty && allSatisfy(\.isDigit)
  }
}
