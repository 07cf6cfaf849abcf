/// Applies the changes of theirs to ours as far as the rules of the database allow.
///
/// A change that breaks a rule is a question. Because other changes may depend on it, all are applied again
/// without it.
struct MergedRows {
  let edits: [RowEdit]
  let tables: [String: ChangedTable]
  /// The broken references that a side already had.
  let wrong: Set<Reference>
  let labels: MergeLabels
  let database: MemoryDatabase
  let log: ClashLog
  /// The rows of theirs that are restored because other rows refer to them.
  private var revived: [RowEdit] = []
  private var leftOut: Set<Int> = []

  /// A reference to a missing row.
  struct Reference: Hashable {
    let table: String
    let row: SQLValue
    let parent: String
    let key: SQLValue
  }

  private static let mostAttempts = 100

  init(
    edits: [RowEdit], tables: [String: ChangedTable], wrong: Set<Reference>,
    labels: MergeLabels, database: MemoryDatabase, log: ClashLog
  ) {
    (self.edits, self.tables, self.wrong) = (edits, tables, wrong)
    (self.labels, self.database, self.log) = (labels, database, log)
  }

  /// Applies the changes.
  /// - Throws: ``DatabaseMerge/Undecided`` if leaving changes out doesn't make the rules hold.
  mutating func apply() throws {
    for _ in 0..<Self.mostAttempts {
      try database.run("SAVEPOINT changes")
      if let broken = try firstBroken(), try settle(broken) {
        try database.run("ROLLBACK TO changes")
        try database.run("RELEASE changes")
        continue
      }
      try database.run("RELEASE changes")
      return
    }
    throw DatabaseMerge.Undecided("Too many rows of both sides do not go together.")
  }

  /// A rule that the changes break.
  private enum Broken {
    /// A change can't be made.
    case change(Int, String)
    case reference(Reference)
  }

  private func firstBroken() throws -> Broken? {
    let made = edits.indices.filter { !leftOut.contains($0) }
    for index in made { try remove(edits[index]) }
    for index in made where edits[index].row != nil {
      do {
        try insert(edits[index])
      } catch let failure as MemoryDatabase.Failure where failure.isConstraint {
        return .change(index, failure.message)
      }
    }
    for edit in revived {
      try remove(edit)
      try insert(edit)
    }
    let broken = try Self.brokenReferences(in: database).subtracting(wrong)
    return broken.min { "\($0)" < "\($1)" }.map { .reference($0) }
  }

  private func remove(_ edit: RowEdit) throws {
    guard let changed = tables[edit.table], !edit.isNumberFree else { return }
    let name = changed.table.name.quotedName
    switch changed.identity {
    case .columns(let columns):
      let condition = columns.map { "\($0.quotedName) = ?" }.joined(separator: " AND ")
      try database.run("DELETE FROM main.\(name) WHERE \(condition)", edit.key)
    case .number(let number):
      try database.run("DELETE FROM main.\(name) WHERE \(number) = ?", edit.key)
    case .values:
      guard edit.row == nil, let number = changed.table.hiddenNumber else { return }
      let columns = changed.table.columnNames.map(\.quotedName)
      let equal = columns.indices.map { "NOT \(RowDifference.differs(columns[$0], "?\($0 + 1)"))" }
      try database.run(
        """
        DELETE FROM main.\(name) WHERE \(number) =
          (SELECT \(number) FROM main.\(name) WHERE \(equal.joined(separator: " AND ")) LIMIT 1)
        """, Array(edit.key.dropLast()))
    }
  }

  private func insert(_ edit: RowEdit) throws {
    guard let changed = tables[edit.table], let row = edit.row else { return }
    var columns = changed.table.columnNames.map(\.quotedName)
    var values = row
    if case .number(let number) = changed.identity, !edit.isNumberFree {
      columns.insert(number, at: 0)
      values.insert(edit.key[0], at: 0)
    }
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    try database.run(
      """
      INSERT INTO main.\(changed.table.name.quotedName) (\(columns.joined(separator: ", ")))
      VALUES (\(marks))
      """, values)
  }

  // MARK: Rules

  /// Returns the references to missing rows.
  static func brokenReferences(in database: MemoryDatabase) throws -> Set<Reference> {
    var found: Set<Reference> = []
    for row in try database.rows("PRAGMA main.foreign_key_check") {
      let (table, parent) = (row[0].string, row[2].string)
      let columns = try database.rows(
        "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq",
        [.text(Array(table.utf8)), row[3]]
      ).map { $0[0].string }
      var key = SQLValue.null
      if row[1] != .null, let column = columns.first {
        key =
          try database.rows(
            "SELECT \(column.quotedName) FROM main.\(table.quotedName) WHERE rowid = ?", [row[1]]
          ).first?[0] ?? .null
      }
      found.insert(
        Reference(
          table: table.lowercased(), row: row[1], parent: parent.lowercased(), key: key))
    }
    return found
  }

  /// Asks about a change that breaks a rule, and leaves it out or restores the row that it needs.
  /// - Returns: Whether the set of changes is different now.
  private mutating func settle(_ broken: Broken) throws -> Bool {
    switch broken {
    case .change(let index, let reason):
      _ = ask(
        edits[index], "This row of \(labels.theirs) breaks a rule of the database: \(reason).",
        [.ours])
      leftOut.insert(index)
      return true
    case .reference(let reference):
      if let index = child(of: reference) {
        let answer = ask(
          edits[index],
          """
          This row of \(labels.theirs) refers to a row of “\(reference.parent)” that \(labels.ours) removed.
          """, parent(of: reference) == nil ? [.ours] : [.ours, .theirs])
        if answer == .theirs, let parent = try revivedParent(of: reference) {
          revived.append(parent)
        } else {
          leftOut.insert(index)
        }
        return true
      }
      guard let index = removal(of: reference) else {
        throw DatabaseMerge.Undecided(
          "A row of “\(reference.table)” would refer to a missing row of “\(reference.parent)”."
        )
      }
      _ = ask(
        edits[index],
        """
        \(labels.theirs) removed this row, to which a row of “\(reference.table)” of \(labels.ours) refers.
        """, [.ours])
      leftOut.insert(index)
      return true
    }
  }

  /// Returns the change that added the row with a broken reference.
  private func child(of reference: Reference) -> Int? {
    edits.indices.first { index in
      let edit = edits[index]
      guard edit.table == reference.table, let row = edit.row, !leftOut.contains(index),
        let changed = tables[edit.table]
      else { return false }
      return changed.table.references.contains { field in
        field.table == reference.parent
          && changed.index(of: field.column).map { row[$0] == reference.key } ?? false
      }
    }
  }

  /// Returns the change that removed the target of a reference.
  private func removal(of reference: Reference) -> Int? {
    let removals = edits.indices.filter {
      edits[$0].table == reference.parent && edits[$0].row == nil && !leftOut.contains($0)
    }
    return removals.first { edits[$0].key == [reference.key] }
      ?? (removals.count == 1 ? removals[0] : nil)
  }

  private func parent(of reference: Reference) -> ChangedTable? {
    guard let changed = tables[reference.parent], changed.other != nil,
      case .columns(let columns) = changed.identity, columns.count == 1
    else { return nil }
    return changed
  }

  private func revivedParent(of reference: Reference) throws -> RowEdit? {
    guard let changed = parent(of: reference), let other = changed.other else { return nil }
    let row = try RowDifference(
      table: changed.table, identity: changed.identity, database: database
    ).row([reference.key], in: other, .theirs)
    return row.map { RowEdit(table: reference.parent, key: [reference.key], row: $0) }
  }

  private func ask(
    _ edit: RowEdit, _ explanation: String, _ choices: Set<MergeAnswer.Choice>
  ) -> MergeAnswer {
    guard let changed = tables[edit.table] else { return .ours }
    let ours = changed.ours[edit.key]?.row
    let question = MergeDecision(
      kind: .clash, place: changed.place(edit.key), ours: changed.words(ours),
      theirs: changed.words(edit.row), explanation: explanation)
    return log.answer(to: question, choices: choices, at: .members) ?? .ours
  }
}
