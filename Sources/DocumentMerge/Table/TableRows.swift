/// The rows of three tables, told apart by a key or by what they say.
struct TableRows {
  /// Where each row stands in the three tables; -1 where it is not.
  let base: [Int]
  let ours: [Int]
  let theirs: [Int]
  /// The rows' numbers in the order of each table.
  let orders: MergeSides<[Int]>
  /// The column of the key; `nil` if rows are told apart by all they say.
  let key: TableColumns.Column?

  /// How many rows there are in all.
  var count: Int { base.count }

  /// Finds out which rows are the same.
  /// - Returns: `nil` if the tables have too little in common.
  init?(_ tables: MergeSides<TableText>, first: Int, key: TableColumns.Column?) {
    self.key = key
    let orders =
      key.flatMap { Self.orders(tables, first: first, key: $0) }
      ?? (key == nil ? Self.orders(tables, first: first) : nil)
    guard let orders, let baseOrder = orders.base else { return nil }
    self.orders = orders
    let count = 1 + max(orders.all.map { $0.max() ?? -1 }.max() ?? -1, -1)
    func places(_ order: [Int]) -> [Int] {
      var places = [Int](repeating: -1, count: count)
      for (index, element) in order.enumerated() { places[element] = index + first }
      return places
    }
    (base, ours, theirs) = (places(baseOrder), places(orders.ours), places(orders.theirs))
  }

  // MARK: By a key

  private static func orders(
    _ tables: MergeSides<TableText>, first: Int, key: TableColumns.Column
  ) -> MergeSides<[Int]>? {
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    numbers.reserveCapacity(tables.ours.rowCount)
    func order(_ table: TableText, _ column: Int) -> [Int] {
      (first..<max(first, table.rowCount)).map { row in
        let value = table.value(row, column)
        if let number = numbers[value] { return number }
        numbers[value] = numbers.count
        return numbers.count - 1
      }
    }
    guard let base = tables.base, let baseColumn = key.base, let ours = key.ours,
      let theirs = key.theirs
    else { return nil }
    return MergeSides(
      base: order(base, baseColumn), ours: order(tables.ours, ours),
      theirs: order(tables.theirs, theirs))
  }

  // MARK: By what they say

  /// The most pairs of rows of one change that are compared; more would take too long.
  private static let pairLimit = 1 << 20

  private static func orders(_ tables: MergeSides<TableText>, first: Int) -> MergeSides<[Int]>? {
    guard let base = tables.base else { return nil }
    var numbers = WordNumbers()
    func contents(_ table: TableText) -> [Int] {
      (first..<max(first, table.rowCount)).map { numbers.number(of: table.row($0)) }
    }
    let texts = MergeSides(
      base: contents(base), ours: contents(tables.ours), theirs: contents(tables.theirs))
    let old = texts.base ?? []
    guard
      let ours = matches(from: old, to: texts.ours, base, tables.ours, first: first),
      let theirs = matches(from: old, to: texts.theirs, base, tables.theirs, first: first)
    else { return nil }
    var next = old.count
    let oursOrder = ours.map { match -> Int in
      if let match { return match }
      next += 1
      return next - 1
    }
    // A row that both sides added stands once.
    var added: [Int: [Int]] = [:]
    for index in ours.indices.reversed() where ours[index] == nil {
      added[texts.ours[index], default: []].append(oursOrder[index])
    }
    let theirsOrder = theirs.indices.map { index -> Int in
      if let match = theirs[index] { return match }
      if let same = added[texts.theirs[index]]?.popLast() { return same }
      next += 1
      return next - 1
    }
    return MergeSides(base: Array(old.indices), ours: oursOrder, theirs: theirsOrder)
  }

  /// For each new row the old row that it is or was made of.
  private static func matches(
    from old: [Int], to new: [Int], _ base: TableText, _ side: TableText, first: Int
  ) -> [Int?]? {
    let changes = SequenceDifference.changes(
      from: old.map { Int32($0) }, to: new.map { Int32($0) },
      count: 1 + max(old.max() ?? -1, new.max() ?? -1))
    var result = [Int?](repeating: nil, count: new.count)
    var (oldEnd, newEnd) = (0, 0)
    let end = LineChange(old: old.count..<old.count, new: new.count..<new.count)
    for change in changes + [end] {
      for offset in 0..<change.old.lowerBound - oldEnd { result[newEnd + offset] = oldEnd + offset }
      (oldEnd, newEnd) = (change.old.upperBound, change.new.upperBound)
    }
    // Rows that moved say what they said; those that stand once are certain.
    var moved: [Int: [Int]] = [:]
    for row in changes.flatMap(\.old) { moved[old[row], default: []].append(row) }
    var taken: Set<Int> = []
    for row in changes.flatMap(\.new) {
      guard let candidates = moved[new[row]], candidates.count == 1 else { continue }
      moved[new[row]] = nil
      result[row] = candidates[0]
      taken.insert(candidates[0])
    }
    // An edited row stands where it stood, and most of its cells are the same.
    guard base.columnCount == side.columnCount else { return result }
    for change in changes {
      guard change.old.count * change.new.count <= pairLimit else { return nil }
      var candidates = change.old.filter { !taken.contains($0) }[...]
      for row in change.new where result[row] == nil {
        let match = candidates.firstIndex { candidate in
          let same = (0..<base.columnCount).count {
            base.value(candidate + first, $0) == side.value(row + first, $0)
          }
          return 2 * same >= base.columnCount
        }
        guard let match else { continue }
        result[row] = candidates[match]
        candidates = candidates[(match + 1)...]
      }
    }
    return result
  }
}

extension TableRows {
  private static let keyNames: Set<String> = [
    "id", "key", "name", "code", "email", "e-mail", "mail", "uuid", "guid", "sku", "isbn", "slug",
    "username", "user", "login", "identifier", "nr", "no",
  ]

  /// The column that tells rows apart: no cell empty, none twice, in each of the tables.
  static func key(
    among columns: [TableColumns.Column], _ tables: MergeSides<TableText>, first: Int
  ) -> TableColumns.Column? {
    guard let base = tables.base else { return nil }
    let candidates = columns.filter { column in
      column.base != nil && column.ours != nil && column.theirs != nil
    }
    func isLikeAKey(_ column: TableColumns.Column) -> Bool {
      let name = column.name.lowercased()
      return keyNames.contains(name) || name.hasSuffix("_id") || name.hasSuffix(" id")
        || name.hasSuffix("-id")
    }
    return (candidates.filter(isLikeAKey) + candidates.filter { !isLikeAKey($0) }).first { column in
      guard let baseColumn = column.base, let ours = column.ours,
        let theirs = column.theirs,
        let oldValues = uniqueValues(of: base, baseColumn, first: first),
        let oursValues = uniqueValues(of: tables.ours, ours, first: first),
        let theirsValues = uniqueValues(of: tables.theirs, theirs, first: first)
      else { return false }
      // What changes in most rows is no key, unless it is called one.
      return isLikeAKey(column)
        || [oursValues, theirsValues].allSatisfy { values in
          2 * values.count { oldValues.contains($0) } >= min(values.count, oldValues.count)
        }
    }
  }

  /// Whether a column tells the rows of each table apart.
  static func isKey(
    _ column: TableColumns.Column, _ tables: MergeSides<TableText>, first: Int
  ) -> Bool {
    [(tables.base, column.base), (tables.ours, column.ours), (tables.theirs, column.theirs)]
      .allSatisfy { table, index in
        guard let table, let index else { return false }
        return uniqueValues(of: table, index, first: first) != nil
      }
  }

  /// The cells of a column; `nil` if one is empty or stands twice.
  static func uniqueValues(
    of table: TableText, _ column: Int, first: Int
  ) -> Set<ArraySlice<UInt8>>? {
    var values: Set<ArraySlice<UInt8>> = []
    values.reserveCapacity(table.rowCount)
    for row in first..<max(first, table.rowCount) {
      let value = table.value(row, column)
      guard !value.isEmpty, values.insert(value).inserted else { return nil }
    }
    return values
  }
}
