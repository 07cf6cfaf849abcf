/// The objects of a database: its tables, indexes, triggers and views.
struct DatabaseSchema {
  /// An object as the database defines it.
  struct Object: Equatable {
    let type: String
    let name: String
    /// The table that an index or a trigger is of.
    let table: String
    let sql: String
  }

  /// The tables, by their names in small letters, but for the parts of virtual ones.
  let tables: [String: DatabaseTable]
  /// The other objects, by type and name in small letters.
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

  /// Returns whether a trigger writes to a table, so that a number there may count rows of another one.
  func isWritten(byTriggers table: DatabaseTable) -> Bool {
    others.values.contains { object in
      object.type == "trigger" && object.table.lowercased() != table.name.lowercased()
        && object.sql.lowercased().contains(table.name.lowercased())
    }
  }
}

/// A table as a database defines it.
struct DatabaseTable: Equatable {
  struct Column: Equatable {
    let name: String
    /// The value of rows that were there before the column, as SQL.
    let standard: String
  }

  /// A column that refers to a column of another table.
  struct Reference: Equatable {
    let column: String
    /// The other table, in small letters.
    let table: String
    /// The column there; `nil` for the primary key.
    let target: String?
  }

  let name: String
  let sql: String
  let isVirtual: Bool
  /// The columns that are stored.
  let columns: [Column]
  let primaryKey: [String]
  /// The column that is the number of the row.
  let rowNumber: String?
  /// A name for the number of a row that no column has; `nil` if rows have none.
  let hiddenNumber: String?
  /// The columns of each unique index besides the primary key.
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

  /// Whether a virtual table has its contents from another table, and can be built anew from it.
  var isRebuilt: Bool {
    isVirtual && sql.lowercased().filter { !$0.isWhitespace }.contains("content=")
      && !isContentless
  }

  /// Whether a virtual table holds an index alone, which can't be read.
  var isContentless: Bool {
    let text = sql.lowercased().filter { !$0.isWhitespace }
    return isVirtual && (text.contains("content=''") || text.contains("content=\"\""))
  }

  /// The names of the columns.
  var columnNames: [String] { columns.map(\.name) }

  /// Returns whether the table has a column of this name.
  func has(_ column: String) -> Bool {
    columns.contains { $0.name.lowercased() == column.lowercased() }
  }
}

extension SQLValue {
  /// The text of a value that is one, or else what SQL writes.
  var string: String {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { description }
  }

  /// The number of a value that is one, or else 0.
  var number: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }
}
