/// The objects of a database: its tables, indexes, triggers and views.
struct DatabaseSchema {
  /// An object with its definition.
  struct Object: Equatable {
    let type: String
    let name: String
    /// The table of an index or a trigger.
    let table: String
    let sql: String
  }

  /// The tables by name in lowercase, without the parts of virtual tables.
  let tables: [String: DatabaseTable]
  /// The other objects, by type and name in lowercase.
  let others: [String: Object]

  init(of schema: MemoryDatabase.Schema, in database: MemoryDatabase) throws {
    var tables: [String: DatabaseTable] = [:]
    var others: [String: Object] = [:]
    let kinds = try database.rows(
      "SELECT lower(name), type, wr FROM pragma_table_list WHERE schema = ?",
      [.text(Array(schema.rawValue.utf8))])
    var kind: [String: (type: String, isWithoutRowid: Bool)] = [:]
    for row in kinds { kind[row[0].string] = (row[1].string, row[2] == .integer(1)) }
    let objects = try database.rows(
      """
      SELECT type, name, tbl_name, sql FROM \(schema.rawValue).sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """)
    for row in objects {
      let object = Object(
        type: row[0].string, name: row[1].string, table: row[2].string, sql: row[3].string)
      let key = object.name.lowercased()
      guard object.type == "table" else {
        others["\(object.type) \(key)"] = object
        continue
      }
      guard let found = kind[key], found.type != "shadow" else { continue }
      tables[key] = try DatabaseTable(
        object, isVirtual: found.type == "virtual", isWithoutRowid: found.isWithoutRowid,
        schema, database)
    }
    self.tables = tables
    self.others = others
  }

  /// Returns whether a trigger writes to a table, so that a number in it may count rows of another one.
  func isWritten(byTriggers table: DatabaseTable) -> Bool {
    others.values.contains { object in
      object.type == "trigger" && object.table.lowercased() != table.name.lowercased()
        && object.sql.lowercased().contains(table.name.lowercased())
    }
  }
}

/// A table with its definition.
struct DatabaseTable: Equatable {
  struct Column: Equatable {
    let name: String
    /// The value of rows that existed before the column, as SQL.
    let standard: String
  }

  /// A column that refers to a column of another table.
  struct Reference: Equatable {
    let column: String
    /// The other table, in lowercase.
    let table: String
    /// The column in the other table; `nil` for its primary key.
    let target: String?
  }

  let name: String
  let sql: String
  let isVirtual: Bool
  /// The stored columns.
  let columns: [Column]
  let primaryKey: [String]
  /// The column that contains the row number.
  let rowNumber: String?
  /// A name for the row number that isn't the name of a column; `nil` if rows have no number.
  let hiddenNumber: String?
  /// The columns of each unique index other than the primary key.
  let uniqueColumns: [[String]]
  let references: [Reference]

  init(
    _ object: DatabaseSchema.Object, isVirtual: Bool, isWithoutRowid: Bool,
    _ schema: MemoryDatabase.Schema, _ database: MemoryDatabase
  ) throws {
    name = object.name
    sql = object.sql
    self.isVirtual = isVirtual
    func pragma(_ name: String, _ columns: String, of item: String) throws -> [[SQLValue]] {
      try database.rows(
        "SELECT \(columns) FROM pragma_\(name)(?, ?)",
        [.text(Array(item.utf8)), .text(Array(schema.rawValue.utf8))])
    }
    let info = try pragma("table_xinfo", "name, dflt_value, pk, hidden", of: name)
    columns = info.filter { $0[3] == .integer(0) }.map {
      Column(name: $0[0].string, standard: $0[1] == .null ? "NULL" : $0[1].string)
    }
    primaryKey = info.filter { $0[2].number > 0 }.sorted { $0[2].number < $1[2].number }
      .map { $0[0].string }
    let indexes = try pragma("index_list", "name, \"unique\", origin, partial", of: name)
    let hasIndex = indexes.contains { $0[2].string == "pk" }
    rowNumber = !isWithoutRowid && primaryKey.count == 1 && !hasIndex ? primaryKey[0] : nil
    let taken = Set(info.map { $0[0].string.lowercased() })
    hiddenNumber =
      isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    uniqueColumns = try indexes.filter {
      $0[1] == .integer(1) && $0[2].string != "pk" && $0[3] == .integer(0)
    }.compactMap { index in
      let columns = try pragma("index_info", "name", of: index[0].string).map { $0[0] }
      return columns.contains(.null) ? nil : columns.map(\.string)
    }
    let keys = try pragma("foreign_key_list", "id, \"from\", \"table\", \"to\"", of: name)
    references = keys.map {
      Reference(
        column: $0[1].string, table: $0[2].string.lowercased(),
        target: $0[3] == .null ? nil : $0[3].string)
    }
  }

  /// True if a virtual table has its contents from another table, and can be rebuilt from it.
  var isRebuilt: Bool {
    isVirtual && sql.lowercased().filter { !$0.isWhitespace }.contains("content=")
      && !isContentless
  }

  /// True if a virtual table only has an index, which can't be read.
  var isContentless: Bool {
    let text = sql.lowercased().filter { !$0.isWhitespace }
    return isVirtual && (text.contains("content=''") || text.contains("content=\"\""))
  }

  /// The names of the columns.
  var columnNames: [String] { columns.map(\.name) }

  /// Returns whether the table has a column with this name.
  func has(_ column: String) -> Bool {
    columns.contains { $0.name.lowercased() == column.lowercased() }
  }
}

extension SQLValue {
  /// The text of a text value; otherwise, the value as SQL writes it.
  var string: String {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { description }
  }

  /// The number of an integer value; otherwise, 0.
  var number: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }
}
