/// The values that identify a row of a table in different databases.
enum RowIdentity: Equatable {
  /// The columns of the primary key.
  case columns([String])
  /// The row number, under this name, if no side renumbered rows.
  case number(String)
  /// All values; equal rows are counted.
  case values

  /// Determines the identity of a table's rows, for the columns of the merged table; `nil` if the sides have
  /// different keys.
  init?(
    of tables: [(schema: MemoryDatabase.Schema, table: DatabaseTable)], columns: [String],
    in database: MemoryDatabase
  ) throws {
    guard let first = tables.first?.table else { return nil }
    let keys = Set(tables.map { $0.table.primaryKey.map { $0.lowercased() } })
    guard keys.count == 1 else { return nil }
    if !first.primaryKey.isEmpty {
      let isNull = first.primaryKey.map { "\($0.quotedName) IS NULL" }.joined(separator: " OR ")
      let isWhole = try tables.allSatisfy {
        try database.rows(
          "SELECT 1 FROM \($0.schema.rawValue).\(first.name.quotedName) WHERE \(isNull) LIMIT 1"
        ).isEmpty
      }
      self = isWhole ? .columns(first.primaryKey) : .values
      return
    }
    let base = tables.first { $0.schema == .base }
    let sides = tables.filter { $0.schema != .base }
    guard let name = first.hiddenNumber, tables.allSatisfy({ $0.table.hiddenNumber == name }),
      let base, !first.isVirtual
    else {
      self = first.hiddenNumber.map { first.isVirtual ? .number($0) : .values } ?? .values
      return
    }
    let areStable = try sides.allSatisfy {
      try Self.areNumbersStable(name, from: base.table, to: $0.table, $0.schema, in: database)
    }
    self = areStable ? .number(name) : .values
  }

  /// Returns whether every row that a side left unchanged still has its number, because `VACUUM` may renumber
  /// rows.
  private static func areNumbersStable(
    _ number: String, from base: DatabaseTable, to side: DatabaseTable,
    _ schema: MemoryDatabase.Schema, in database: MemoryDatabase
  ) throws -> Bool {
    let columns = base.columnNames.filter(side.has)
    guard !columns.isEmpty else { return false }
    let differs = columns.map { RowDifference.differs("s.\($0.quotedName)", "b.\($0.quotedName)") }
    let equal = try database.rows(
      """
      SELECT count(*) FROM base.\(base.name.quotedName) AS b
      JOIN \(schema.rawValue).\(side.name.quotedName) AS s ON s.\(number) = b.\(number)
      WHERE NOT (\(differs.joined(separator: " OR ")))
      """)
    func counts(_ schema: MemoryDatabase.Schema) throws -> [[SQLValue]: Int64] {
      let names = columns.map { "\($0.quotedName) COLLATE BINARY" }
      let kinds = columns.map { "typeof(\($0.quotedName))" }
      let rows = try database.rows(
        """
        SELECT \(columns.map(\.quotedName).joined(separator: ", ")), count(*)
        FROM \(schema.rawValue).\(base.name.quotedName)
        GROUP BY \((names + kinds).joined(separator: ", "))
        """)
      return rows.reduce(into: [:]) { $0[Array($1.dropLast())] = $1[columns.count].number }
    }
    let others = try counts(schema)
    let kept = try counts(.base).reduce(0) { $0 + min($1.value, others[$1.key] ?? 0) }
    return equal[0][0].number == kept
  }

  /// Returns the name of the row number, a hidden one or a column, if it identifies rows.
  func number(in table: DatabaseTable) -> String? {
    switch self {
    case .number(let name): name
    case .columns: table.rowNumber
    case .values: nil
    }
  }
}

/// The rows of a table that differ between two databases.
struct RowDifference {
  /// The merged table, whose columns are compared.
  let table: DatabaseTable
  let identity: RowIdentity
  let database: MemoryDatabase

  /// A row that a side changed from base.
  struct Change: Equatable {
    /// The values; `nil` if the side removed the row.
    var row: [SQLValue]?
    /// True if base has no such row.
    let isNew: Bool
  }

  /// Returns a condition that two values are stored differently, regardless of the column's collation.
  static func differs(_ one: String, _ other: String) -> String {
    "(typeof(\(one)) <> typeof(\(other)) OR \(one) IS NOT \(other) COLLATE BINARY)"
  }

  /// Returns the changes of a side, by the identities of the rows.
  func changes(
    from base: DatabaseTable?, to side: DatabaseTable?, _ schema: MemoryDatabase.Schema
  ) throws -> [[SQLValue]: Change] {
    switch identity {
    case .values: try countedChanges(from: base, to: side, schema)
    case .columns, .number: try keyedChanges(from: base, to: side, schema)
    }
  }

  private var keys: [String] {
    switch identity {
    case .columns(let names): names.map(\.quotedName)
    case .number(let name): [name]
    case .values: []
    }
  }

  private func value(of column: DatabaseTable.Column, in side: DatabaseTable, _ alias: String)
    -> String
  {
    side.has(column.name) ? "\(alias).\(column.name.quotedName)" : "(\(column.standard))"
  }

  private func values(in side: DatabaseTable, _ alias: String) -> [String] {
    table.columns.map { value(of: $0, in: side, alias) }
  }

  private func keyedChanges(
    from base: DatabaseTable?, to side: DatabaseTable?, _ schema: MemoryDatabase.Schema
  ) throws -> [[SQLValue]: Change] {
    var changes: [[SQLValue]: Change] = [:]
    let count = keys.count
    let join = keys.map { "b.\($0) = s.\($0)" }.joined(separator: " AND ")
    if let side {
      let columns = (keys.map { "s.\($0)" } + values(in: side, "s")).joined(separator: ", ")
      let source = "\(schema.rawValue).\(side.name.quotedName) AS s"
      if let base {
        let differs = zip(values(in: side, "s"), values(in: base, "b")).map(Self.differs)
        let condition = (["b.\(keys[0]) IS NULL"] + differs).joined(separator: " OR ")
        try database.each(
          """
          SELECT b.\(keys[0]) IS NULL, \(columns) FROM \(source)
          LEFT JOIN base.\(base.name.quotedName) AS b ON \(join) WHERE \(condition)
          """
        ) { row in
          changes[Array(row[1...count])] = Change(
            row: Array(row[(count + 1)...]), isNew: row[0] == .integer(1))
        }
      } else {
        try database.each("SELECT \(columns) FROM \(source)") { row in
          changes[Array(row[..<count])] = Change(row: Array(row[count...]), isNew: true)
        }
      }
    }
    if let base {
      var query = """
        SELECT \(keys.map { "b.\($0)" }.joined(separator: ", ")) FROM base.\(base.name.quotedName) AS b
        """
      if let side {
        query += """
           WHERE NOT EXISTS (SELECT 1 FROM \(schema.rawValue).\(side.name.quotedName) AS s WHERE \(join))
          """
      }
      try database.each(query) { changes[$0] = Change(row: nil, isNew: false) }
    }
    return changes
  }

  private func countedChanges(
    from base: DatabaseTable?, to side: DatabaseTable?, _ schema: MemoryDatabase.Schema
  ) throws -> [[SQLValue]: Change] {
    let before = try base.map { try counts($0, .base) } ?? [:]
    let after = try side.map { try counts($0, schema) } ?? [:]
    var changes: [[SQLValue]: Change] = [:]
    for row in Set(before.keys).union(after.keys) {
      let (old, new) = (before[row, default: 0], after[row, default: 0])
      for number in min(old, new)..<max(old, new) {
        changes[row + [.integer(number)]] = Change(row: new > old ? row : nil, isNew: new > old)
      }
    }
    return changes
  }

  private func counts(
    _ side: DatabaseTable, _ schema: MemoryDatabase.Schema
  ) throws -> [[SQLValue]: Int64] {
    var counts: [[SQLValue]: Int64] = [:]
    let columns = values(in: side, "s").joined(separator: ", ")
    try database.each("SELECT \(columns) FROM \(schema.rawValue).\(side.name.quotedName) AS s") {
      counts[$0, default: 0] += 1
    }
    return counts
  }

  /// Returns a row of a database; `nil` if the database lacks it.
  func row(
    _ key: [SQLValue], in side: DatabaseTable, _ schema: MemoryDatabase.Schema
  ) throws -> [SQLValue]? {
    guard !keys.isEmpty else { return Array(key.dropLast()) }
    let condition = keys.map { "s.\($0) = ?" }.joined(separator: " AND ")
    return try database.rows(
      """
      SELECT \(values(in: side, "s").joined(separator: ", "))
      FROM \(schema.rawValue).\(side.name.quotedName) AS s WHERE \(condition)
      """, key
    ).first
  }
}
