/// One run of a merge of databases: merges the definitions, then the rows, then checks the rules of the whole
/// database.
///
/// The merged database is ours with the changes of theirs, so unchanged contents keep their places in the
/// file.
final class DatabaseMerge {
  /// The reason why only whole databases can be chosen.
  struct Undecided: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  let database: MemoryDatabase
  let labels: MergeLabels
  private let original: [UInt8]
  private let schema: SchemaMerge
  let log: ClashLog

  /// Loads the sides.
  ///
  /// - Throws: ``Undecided`` if a side isn't a complete database, or has a different encoding.
  init(
    _ sides: MergeSides<[UInt8]>, labels: MergeLabels,
    answers: [ClashLog.Key: MergeAnswer] = [:]
  ) throws {
    self.labels = labels
    original = sides.ours
    log = ClashLog(answers: answers)
    guard let database = MemoryDatabase() else {
      throw Undecided("SQLite (libsqlite3), which reads databases, is not on this system.")
    }
    self.database = database
    guard let base = sides.base else {
      throw Undecided("Both sides added the database, and nothing tells what they have in common.")
    }
    let loaded: [(MemoryDatabase.Schema, [UInt8], String)] = [
      (.main, sides.ours, labels.ours), (.base, base, labels.base),
      (.theirs, sides.theirs, labels.theirs),
    ]
    for (schema, bytes, label) in loaded {
      do {
        try database.load(bytes, as: schema)
      } catch let failure as MemoryDatabase.Failure {
        throw Undecided("The database of \(label) can’t be read: \(failure.message).")
      }
    }
    let schemas = MergeSides<MemoryDatabase.Schema>(base: .base, ours: .main, theirs: .theirs)
    schema = SchemaMerge(
      sides: try schemas.map { try DatabaseSchema(of: $0, in: database) }, labels: labels,
      database: database, log: log)
  }

  /// Merges the databases; throws ``Undecided`` if they can't be merged, and an error for answers that break
  /// the rules of the database.
  func run() throws -> MergeOutcome {
    do {
      return try merged()
    } catch let failure as MemoryDatabase.Failure {
      throw Undecided("The databases do not go together: \(failure.message).")
    }
  }

  private func merged() throws -> MergeOutcome {
    let areSound = try [MemoryDatabase.Schema.main, .theirs].allSatisfy {
      try database.fault(in: $0) == nil
    }
    try mergeSettings()
    var tables = try schema.tables()
    let numbers = try NewRowNumbers(for: tables.kept, in: database)
    for (name, changed) in tables.kept {
      tables.kept[name]?.theirs = numbers.apply(to: changed, named: name)
    }
    record(numbers, tables.kept)
    var edits: [RowEdit] = []
    for (name, changed) in tables.kept.sorted(by: { $0.key < $1.key })
    where !changed.table.isRebuilt {
      let rows = RowMerge(
        changed: changed, name: name,
        isCounted: schema.sides.ours.isWritten(byTriggers: changed.table), labels: labels,
        database: database, log: log)
      edits += try rows.edits()
    }
    let others = schema.others()
    let wrong = try MergedRows.brokenReferences(in: database)
    try define(tables)
    var rows = MergedRows(
      edits: edits, tables: tables.kept, wrong: wrong, labels: labels, database: database, log: log)
    try rows.apply()
    try define(others)
    try finish(tables.kept)
    if areSound, let fault = try database.fault(in: .main) {
      throw Undecided("One side dropped or renamed what the other uses: \(fault).")
    }
    return MergeOutcome(
      bytes: try database.bytes(of: .main, like: original), decisions: log.decisions)
  }

  // MARK: Definitions

  /// Merges the numbers that an app keeps in the header of a database.
  private func mergeSettings() throws {
    for name in ["user_version", "application_id"] {
      func value(_ schema: MemoryDatabase.Schema) throws -> Int64 {
        try database.rows("PRAGMA \(schema.rawValue).\(name)").first?.first?.number ?? 0
      }
      let sides = MergeSides(
        base: try value(.base), ours: try value(.main), theirs: try value(.theirs))
      switch sides.settled {
      case .theirs: try database.run("PRAGMA main.\(name) = \(sides.theirs)")
      case .some: break
      case nil:
        throw Undecided(
          "Both sides changed the version of the database (“\(name)”), to \(sides.ours) and \(sides.theirs)."
        )
      }
    }
  }

  /// Drops and creates tables in ours, keeping the rows of ours.
  private func define(_ tables: SchemaMerge.Tables) throws {
    let anew = tables.kept.values.filter(\.isMadeAnew).sorted { $0.table.name < $1.table.name }
    if anew.contains(where: { $0.former != nil }) { try database.load(original, as: .ours) }
    for table in tables.dropped { try database.run("DROP TABLE main.\(table.name.quotedName)") }
    for changed in anew {
      let name = changed.table.name.quotedName
      if let former = changed.former {
        try database.run("DROP TABLE main.\(former.name.quotedName)")
      }
      try database.run(changed.table.sql)
      guard let former = changed.former, !changed.table.isRebuilt else { continue }
      var columns = changed.table.columnNames.filter(former.has).map(\.quotedName)
      if changed.table.rowNumber == nil, let number = changed.table.hiddenNumber,
        former.hiddenNumber == number
      {
        columns.insert(number, at: 0)
      }
      let list = columns.joined(separator: ", ")
      try database.run(
        "INSERT INTO main.\(name) (\(list)) SELECT \(list) FROM ours.\(former.name.quotedName)")
    }
  }

  /// Drops and creates indexes, triggers and views.
  private func define(_ objects: [DatabaseSchema.Object]) throws {
    let there = try DatabaseSchema(of: .main, in: database).others
    let wanted = Dictionary(
      objects.map { ("\($0.type) \($0.name.lowercased())", $0) }, uniquingKeysWith: { $1 })
    for (name, object) in there.sorted(by: { $0.key < $1.key }) where wanted[name] != object {
      try database.run("DROP \(object.type.uppercased()) main.\(object.name.quotedName)")
    }
    for (name, object) in wanted.sorted(by: { $0.key < $1.key }) where there[name] != object {
      try database.run(object.sql)
    }
  }

  // MARK: Rules

  private func finish(_ tables: [String: ChangedTable]) throws {
    let counts = schema.sides.ours.tables.values.contains {
      $0.sql.uppercased().contains("AUTOINCREMENT")
    }
    if counts {
      // A number that was once used is never used for another row.
      let hasBoth = try ["main", "theirs"].allSatisfy { schema in
        try !database.rows("SELECT 1 FROM \(schema).sqlite_schema WHERE name = 'sqlite_sequence'")
          .isEmpty
      }
      if hasBoth {
        try database.run(
          """
          UPDATE main.sqlite_sequence SET seq = max(seq, ifnull(
            (SELECT t.seq FROM theirs.sqlite_sequence AS t WHERE t.name = main.sqlite_sequence.name), 0))
          """)
      }
    }
    for changed in tables.values where changed.table.isRebuilt {
      let name = changed.table.name.quotedName
      try database.run("INSERT INTO main.\(name) (\(name)) VALUES ('rebuild')")
    }
    let problems = try database.rows("PRAGMA main.integrity_check(1)")
    guard problems == [[.text(Array("ok".utf8))]] else {
      throw Undecided("The merged database breaks a rule: \(problems.first?.first?.string ?? "").")
    }
  }

  private func record(_ numbers: NewRowNumbers, _ tables: [String: ChangedTable]) {
    for (name, rows) in numbers.numbers.sorted(by: { $0.key < $1.key }) {
      for (old, new) in rows.sorted(by: { $0.key < $1.key }) {
        guard let changed = tables[name] else { continue }
        let isSame = changed.ours[[.integer(new)]] != nil
        log.record(
          MergeDecision(
            kind: .combined, place: changed.place([.integer(new)]), theirs: "number \(old)",
            explanation: isSame
              ? "Both sides added the row; it has the number \(new) of \(labels.ours)."
              : """
              Both sides gave the number \(old) to a row of their own; that of \(labels.theirs) has \
              \(new) now, and what refers to it follows.
              """))
      }
    }
  }
}
