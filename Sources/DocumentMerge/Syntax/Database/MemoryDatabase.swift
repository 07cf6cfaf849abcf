internal import CSQLite

/// SQLite databases in memory, as the schemas of one connection.
///
/// It belongs to one thread. It runs no code that a database contains: no triggers, and no functions with
/// effects.
final class MemoryDatabase {
  /// The side whose database a schema contains.
  enum Schema: String {
    case main
    case base
    case ours
    case theirs
  }

  /// An error from SQLite.
  struct Failure: Error {
    /// SQLite's extended result code.
    let code: Int32
    /// SQLite's message.
    let message: String

    /// True if a row breaks a constraint of its table: unique, not null or a check.
    var isConstraint: Bool { code & 0xff == 19 }
  }

  let connection: UnsafeMutableRawPointer

  /// Opens a connection; `nil` if SQLite isn't available on this system.
  init?() {
    guard let connection = docversions_memory_open() else { return nil }
    self.connection = connection
    docversions_memory_watch(connection, { _ in MergeCancellation.isCancelled ? 1 : 0 }, nil)
  }

  deinit { docversions_memory_close(connection) }

  /// Returns whether a document has the signature of a database.
  static func isDatabase(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// Loads a database.
  ///
  /// - Throws: ``Failure`` if the bytes aren't a complete database.
  func load(_ bytes: [UInt8], as schema: Schema) throws {
    var bytes = bytes
    // A database in memory has no write-ahead log, whose contents are already in the bytes.
    if bytes.count >= 100, bytes[18] == 2 || bytes[19] == 2 { (bytes[18], bytes[19]) = (1, 1) }
    if schema != .main { try run("ATTACH ':memory:' AS \(schema.rawValue)") }
    let code = docversions_memory_load(connection, schema.rawValue, bytes, Int64(bytes.count))
    guard code == 0 else { throw failure(code) }
    let problems = try rows("PRAGMA \(schema.rawValue).integrity_check(1)")
    guard problems == [[.text(Array("ok".utf8))]] else {
      let words = problems.first?.first.map(\.description) ?? "it can’t be checked"
      throw Failure(code: 11, message: words)
    }
  }

  /// Returns the bytes of a database, with a side's original marks of a write-ahead log.
  func bytes(of schema: Schema, like original: [UInt8]) throws -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = docversions_memory_bytes(connection, schema.rawValue, &size) else {
      throw Failure(code: 7, message: "out of memory")
    }
    defer { docversions_memory_free(bytes) }
    var result = Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    if result.count >= 100, original.count >= 100 {
      (result[18], result[19]) = (original[18], original[19])
    }
    return result
  }

  /// Runs a statement without a result.
  /// - Returns: The number of changed rows.
  @discardableResult func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
    try each(sql, values) { _ in }
    return Int(docversions_memory_changes(connection))
  }

  /// Returns the rows of a query.
  func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try each(sql, values) { rows.append($0) }
    return rows
  }

  /// Runs a statement, and calls a closure with each row.
  func each(_ sql: String, _ values: [SQLValue] = [], _ body: ([SQLValue]) throws -> Void) throws {
    var statement: UnsafeMutableRawPointer?
    let prepared = docversions_statement_prepare(
      connection, sql, Int32(sql.utf8.count), &statement)
    guard prepared == 0, let statement else { throw failure(prepared) }
    defer { docversions_statement_finalize(statement) }
    for (index, value) in values.enumerated() {
      let code = Self.bind(value, to: statement, at: Int32(index + 1))
      guard code == 0 else { throw failure(code) }
    }
    let count = docversions_statement_column_count(statement)
    while true {
      switch docversions_statement_step(statement) {
      case 100: try body((0..<count).map { Self.value(of: statement, $0) })
      case 101: return
      case let code: throw failure(code)
      }
    }
  }

  private func failure(_ code: Int32) -> any Error {
    if code & 0xff == 9, MergeCancellation.isCancelled { return CancellationError() }
    return Failure(code: code, message: String(cString: docversions_memory_message(connection)))
  }

  private static func bind(
    _ value: SQLValue, to statement: UnsafeMutableRawPointer, at index: Int32
  ) -> Int32 {
    switch value {
    case .null: docversions_statement_bind_null(statement, index)
    case .integer(let number): docversions_statement_bind_integer(statement, index, number)
    case .real(let bits):
      docversions_statement_bind_real(statement, index, Double(bitPattern: bits))
    case .text(let bytes):
      docversions_statement_bind_text(statement, index, bytes, Int64(bytes.count))
    case .blob(let bytes):
      docversions_statement_bind_blob(statement, index, bytes, Int64(bytes.count))
    }
  }

  private static func value(of statement: UnsafeMutableRawPointer, _ column: Int32) -> SQLValue {
    switch docversions_statement_column_type(statement, column) {
    case 1: .integer(docversions_statement_column_integer(statement, column))
    case 2: .real(docversions_statement_column_real(statement, column).bitPattern)
    case 3: .text(bytes(of: statement, column))
    case 4: .blob(bytes(of: statement, column))
    default: .null
    }
  }

  private static func bytes(of statement: UnsafeMutableRawPointer, _ column: Int32) -> [UInt8] {
    var size: Int32 = 0
    guard let bytes = docversions_statement_column_bytes(statement, column, &size) else {
      return []
    }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}
