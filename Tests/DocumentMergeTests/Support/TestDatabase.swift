import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// Databases that are created from SQL, and read for comparison.
enum TestDatabase {
  /// Returns the bytes of a database that is created by scripts whose statements end at the ends of lines.
  static func bytes(_ scripts: String...) throws -> [UInt8] {
    let database = try #require(MemoryDatabase())
    for script in scripts {
      for statement in script.components(separatedBy: ";\n") where !statement.isEmpty {
        try database.run(statement)
      }
    }
    return try database.bytes(of: .main, like: [])
  }

  /// The contents of a database: its definitions, and the sorted rows of each table.
  struct Contents: Equatable, CustomStringConvertible {
    let definitions: [String]
    let rows: [String: [String]]

    var description: String {
      let tables = rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return (definitions + tables).joined(separator: "\n")
    }
  }

  static func contents(of bytes: [UInt8]) throws -> Contents {
    let database = try #require(MemoryDatabase())
    try database.load(bytes, as: .main)
    #expect(try database.rows("PRAGMA main.foreign_key_check").isEmpty)
    let schema = try DatabaseSchema(of: .main, in: database)
    var rows: [String: [String]] = [:]
    for table in schema.tables.values {
      let columns = table.columnNames.map(\.quotedName).joined(separator: ", ")
      rows[table.name] = try database.rows("SELECT \(columns) FROM main.\(table.name.quotedName)")
        .map { row in row.map { "\($0)" }.joined(separator: "|") }.sorted()
    }
    let definitions = schema.tables.values.map(\.sql) + schema.others.values.map(\.sql)
    return Contents(definitions: definitions.sorted(), rows: rows)
  }

  static func merge(
    _ sides: MergeSides<[UInt8]>, _ options: MergeOptions = MergeOptions()
  ) throws -> MergeOutcome {
    try MergeEngines().engine(forFileName: "contacts.db").merge(sides, options: options)
  }
}

/// A merge of databases as a folder: `base.sql`, and the changes of each side and of the result; or the
/// places of the questions in `questions`.
struct DatabaseFixture: Sendable, CustomTestStringConvertible {
  let folder: URL
  var testDescription: String { folder.lastPathComponent }

  static let all = MergeFixture.folders(in: MergeFixture.root.appending(path: "database"))
    .map(DatabaseFixture.init)

  func text(_ name: String) throws -> String? {
    let file = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try String(contentsOf: file, encoding: .utf8)
  }

  var sides: MergeSides<[UInt8]> {
    get throws {
      let base = try #require(try text("base.sql"))
      return MergeSides(
        base: try TestDatabase.bytes(base),
        ours: try TestDatabase.bytes(base, try #require(try text("ours.sql"))),
        theirs: try TestDatabase.bytes(base, try #require(try text("theirs.sql"))))
    }
  }

  var expected: TestDatabase.Contents? {
    get throws {
      guard let script = try text("expected.sql") else { return nil }
      let base = try #require(try text("base.sql"))
      return try TestDatabase.contents(of: TestDatabase.bytes(base, script))
    }
  }

  var questions: [String] {
    get throws { try text("questions")?.split(separator: "\n").map(String.init) ?? [] }
  }
}
