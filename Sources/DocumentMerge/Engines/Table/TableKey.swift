/// The columns that distinguish the rows of three tables: a single one, or the first few together.
struct TableKey {
  typealias Column = TableColumns.Column

  let columns: [Column]

  /// Finds the key; `nil` if nothing distinguishes the rows of each table.
  init?(among columns: [Column], _ tables: MergeSides<TableText>, first: Int) {
    guard let search = KeySearch(columns, tables, first: first) else { return nil }
    let column = search.column
    // A later column may have unique cells by chance, as names and other words do.
    if let column, column.isIdentifier || column.base == search.columns.first?.base {
      self.columns = [column]
    } else if let run = search.run ?? column.map({ [$0] }) {
      self.columns = run
    } else {
      return nil
    }
  }

  /// Returns the key values, row by row; `nil` if a row has none, or the same as another one.
  static func values(
    of table: TableText, _ columns: [Int], first: Int
  ) -> Set<ArraySlice<UInt8>>? {
    var values: Set<ArraySlice<UInt8>> = []
    values.reserveCapacity(table.rowCount)
    for row in first..<max(first, table.rowCount) {
      let value = table.text(of: columns, in: row)
      guard !value.isEmpty, values.insert(value).inserted else { return nil }
    }
    return values
  }
}

/// The search for the columns that distinguish rows.
private struct KeySearch {
  typealias Column = TableColumns.Column

  /// The columns that all tables have, in the order of the oldest table.
  let columns: [Column]
  private let tables: MergeSides<TableText>
  private let base: TableText
  private let first: Int

  /// The maximum number of columns in a key.
  private static let lengthLimit = 3

  init?(_ columns: [Column], _ tables: MergeSides<TableText>, first: Int) {
    guard let base = tables.base else { return nil }
    (self.tables, self.base, self.first) = (tables, base, first)
    self.columns = columns.filter(\.isInAll).sorted { ($0.base ?? 0) < ($1.base ?? 0) }
  }

  /// The column that distinguishes rows: in each table, its cells are unique and not empty.
  var column: Column? {
    let named = columns.filter(\.isLikeAKey) + columns.filter { !$0.isLikeAKey }
    return named.first { column in
      guard let values = values(of: [column]) else { return false }
      // A column that changes in most rows isn't a key, unless it has a key's name.
      return column.isLikeAKey
        || [values.ours, values.theirs].allSatisfy { side in
          guard let old = values.base else { return false }
          return 2 * side.count { old.contains($0) } >= min(side.count, old.count)
        }
    }
  }

  /// The first columns that distinguish rows together, if that isn't a coincidence.
  ///
  /// At least one further column must remain.
  var run: [Column]? {
    var run: [Column] = []
    for column in columns.dropLast().prefix(Self.lengthLimit) {
      run.append(column)
      guard isUnique(run) else { continue }
      return run.count > 1 && !isUnique([column]) && isMeant(run) && isSteady(run) ? run : nil
    }
    return nil
  }

  func isUnique(_ columns: [Column]) -> Bool { values(of: columns) != nil }

  private func values(of columns: [Column]) -> MergeSides<Set<ArraySlice<UInt8>>>? {
    guard let old = TableKey.values(of: base, columns.compactMap(\.base), first: first),
      let ours = TableKey.values(of: tables.ours, columns.compactMap(\.ours), first: first),
      let theirs = TableKey.values(of: tables.theirs, columns.compactMap(\.theirs), first: first)
    else { return nil }
    return MergeSides(base: old, ours: ours, theirs: theirs)
  }

  /// Returns whether rows would have become equal if the last column weren't part of the key.
  private func isMeant(_ run: [Column]) -> Bool {
    func counts(_ columns: ArraySlice<Column>) -> [ArraySlice<UInt8>: Int] {
      texts(of: Array(columns), \.base, base).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    // The pairs of rows that only the last column distinguishes, and how many of them it wouldn't by chance.
    let pairs = counts(run.dropLast()).values.reduce(0) { $0 + $1 * ($1 - 1) / 2 }
    let values = counts(run.suffix(1)).count
    // A column that is named as an identifier and has duplicate values is part of a key.
    return run.contains(where: \.isReference) ? 2 * pairs >= values : pairs >= 3 * values
  }

  /// Returns whether rows keep their keys; otherwise, a key may be a position that other rows take over.
  private func isSteady(_ run: [Column]) -> Bool {
    let rest = columns.filter { column in !run.contains { $0.base == column.base } }
    let old = Dictionary(
      zip(texts(of: run, \.base, base), texts(of: rest, \.base, base)),
      uniquingKeysWith: { first, _ in first })
    func isSteady(_ side: TableText, _ place: KeyPath<Column, Int?>) -> Bool {
      var left: [ArraySlice<UInt8>: Int] = [:]
      var come: [ArraySlice<UInt8>: Int] = [:]
      for (key, text) in zip(texts(of: run, place, side), texts(of: rest, place, side)) {
        let was = old[key]
        guard was != text else { continue }
        come[text, default: 0] += 1
        if let was { left[was, default: 0] += 1 }
      }
      let moved = left.count { text, count in count == 1 && come[text] == 1 }
      return 2 * moved <= left.count
    }
    return isSteady(tables.ours, \.ours) && isSteady(tables.theirs, \.theirs)
  }

  private func texts(
    of columns: [Column], _ place: KeyPath<Column, Int?>, _ table: TableText
  ) -> some Sequence<ArraySlice<UInt8>> {
    let places = columns.compactMap { $0[keyPath: place] }
    return (first..<max(first, table.rowCount)).lazy.map { table.text(of: places, in: $0) }
  }
}

extension TableColumns.Column {
  private static let identifierNames: Set<String> = [
    "id", "key", "uuid", "guid", "sku", "isbn", "slug", "identifier",
  ]
  private static let keyNames: Set<String> = [
    "name", "code", "email", "e-mail", "mail", "username", "user", "login", "nr", "no",
  ]

  /// True if the column has the name of a unique value.
  fileprivate var isIdentifier: Bool { Self.identifierNames.contains(name.lowercased()) }

  /// True if the column has the name of an identifier, of the row or of something else.
  fileprivate var isReference: Bool {
    let name = name.lowercased()
    return isIdentifier || ["_id", " id", "-id"].contains { name.hasSuffix($0) }
  }

  fileprivate var isLikeAKey: Bool { isReference || Self.keyNames.contains(name.lowercased()) }
}
