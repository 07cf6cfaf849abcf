/// A database as text for people: its definitions, followed by a line for each row.
package enum DatabaseText {
  /// Returns a database as text.
  ///
  /// Rows are in the order of their keys, so that two databases can be compared line by line. The contents
  /// that a full-text index copies from another table are left out.
  ///
  /// - Parameter bytes: the database.
  /// - Returns: UTF-8; `nil` if the bytes aren't a database, or can't be read.
  /// - Throws: `CancellationError`.
  package static func text(of bytes: [UInt8]) throws -> [UInt8]? {
    guard MemoryDatabase.isDatabase(bytes), let database = MemoryDatabase() else { return nil }
    do {
      try database.load(bytes, as: .main)
      let schema = try DatabaseSchema(of: .main, in: database)
      var text: [UInt8] = []
      let tables = schema.tables.sorted { $0.key < $1.key }.map(\.value)
      for sql in tables.map(\.sql) + schema.others.sorted(by: { $0.key < $1.key }).map(\.value.sql)
      {
        text += Array("\(sql);\n".utf8)
      }
      for table in tables where !table.isRebuilt && !table.isContentless {
        try write(table, of: database, to: &text)
      }
      return text
    } catch is MemoryDatabase.Failure {
      return nil
    }
  }

  private static func write(
    _ table: DatabaseTable, of database: MemoryDatabase, to text: inout [UInt8]
  ) throws {
    let names = table.columnNames
    let columns = names.map(\.quotedName).joined(separator: ", ")
    let order =
      table.primaryKey.isEmpty
      ? columns : table.primaryKey.map(\.quotedName).joined(separator: ", ")
    let query = "SELECT \(columns) FROM main.\(table.name.quotedName) ORDER BY \(order)"
    try database.each(query) { row in
      let values = zip(names, row).map { "\($0)=\($1.line)" }.joined(separator: ", ")
      text += Array("\(table.name): \(values)\n".utf8)
    }
  }
}

extension SQLValue {
  /// The whole value on one line; a long blob as its start, its size and a checksum.
  fileprivate var line: String {
    switch self {
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self).replacing("'", with: "''")
      return "'" + text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") + "'"
    case .blob(let bytes) where bytes.count > 16:
      // FNV-1a.
      let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      return description + " #" + String(sum, radix: 16)
    default: return description
    }
  }
}
