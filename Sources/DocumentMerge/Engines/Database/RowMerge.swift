/// A change of theirs to a row of the merged database.
struct RowEdit {
  /// The name of the table, in lowercase.
  let table: String
  let key: [SQLValue]
  /// The values; `nil` to remove the row.
  let row: [SQLValue]?
  /// True if the row gets the next free number, because neither side's number identifies it.
  var isNumberFree = false
}

/// Merges the rows of a table.
struct RowMerge {
  let changed: ChangedTable
  let name: String
  /// True if a trigger writes to the table, so that the same number on both sides may count different rows.
  let isCounted: Bool
  let labels: MergeLabels
  let database: MemoryDatabase
  let log: ClashLog

  /// The number of changes of one kind above which a table has one decision for all of them.
  private static let mostDecisions = 500

  /// Returns the changes of theirs that ours needs.
  func edits() throws -> [RowEdit] {
    var edits: [RowEdit] = []
    if dropsTheirs() { return [] }
    try record(.ours, changed.ours.filter { changed.theirs[$0.key] == nil })
    try record(.theirs, changed.theirs.filter { changed.ours[$0.key] == nil })
    for (key, change) in changed.theirs.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      try MergeCancellation.check()
      // If no column shows a number, nothing can refer to it.
      let isNumberFree =
        if case .number = changed.identity { change.isNew && !changed.table.isVirtual } else {
          false
        }
      guard let own = changed.ours[key] else {
        edits.append(
          RowEdit(table: name, key: key, row: change.row, isNumberFree: isNumberFree))
        continue
      }
      if own.row == change.row {
        let base = try former(key, change)
        if isCounted, let row = change.row, let base {
          askAboutCounts(key, row, base)
        }
        record(.same, key, Sides(base: base, ours: own.row, theirs: change.row))
        continue
      }
      if isNumberFree {
        edits.append(RowEdit(table: name, key: key, row: change.row, isNumberFree: true))
        record(.theirs, key, Sides(base: nil, ours: nil, theirs: change.row))
        continue
      }
      if let row = try merged(key, own, change) {
        edits.append(RowEdit(table: name, key: key, row: row.values))
      }
    }
    return edits
  }

  /// Returns the row that both sides changed; `nil` if ours stays.
  private func merged(
    _ key: [SQLValue], _ own: RowDifference.Change, _ change: RowDifference.Change
  ) throws -> (values: [SQLValue]?, Void)? {
    let base = own.isNew ? nil : try former(key, change)
    let sides = Sides(base: base, ours: own.row, theirs: change.row)
    func asked(_ site: ClashLog.Site, _ explanation: String) -> (values: [SQLValue]?, Void)? {
      let question = MergeDecision(
        .clash, at: changed.place(key), sides.map(changed.words), explanation)
      let answer = log.answer(to: question, choices: [.ours, .theirs], at: site)
      return answer == .theirs ? (change.row, ()) : nil
    }
    guard let ours = own.row, let theirs = change.row else {
      let (removed, other) =
        own.row == nil ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
      return asked(.presence, "\(removed) removed a row that \(other) changed.")
    }
    if changed.identity.number(in: changed.table) != nil {
      if let base, isOtherRow(ours, than: base) || isOtherRow(theirs, than: base) {
        return asked(
          .value,
          "Both sides changed the row, and one of them so much that the number may be another row’s."
        )
      }
      if base == nil, changed.table.uniqueColumns.isEmpty {
        return asked(
          .value,
          "Both sides added a row with this number, and something besides foreign keys may refer to it."
        )
      }
    }
    var row = ours
    for (index, column) in changed.table.columns.enumerated() where ours[index] != theirs[index] {
      let old = base?[index]
      if old == theirs[index] { continue }
      if old == ours[index] {
        row[index] = theirs[index]
        continue
      }
      row[index] = value(
        of: column.name, key, MergeSides(base: old, ours: ours[index], theirs: theirs[index]))
    }
    record(.combined, key, sides)
    return row == ours ? nil : (row, ())
  }

  /// Returns the merged value of a cell that both sides changed.
  private func value(
    of column: String, _ key: [SQLValue], _ sides: MergeSides<SQLValue>
  ) -> SQLValue {
    if case .text(let base)? = sides.base, case .text(let ours) = sides.ours,
      case .text(let theirs) = sides.theirs,
      let merged = WordMerge.mergedValue(MergeSides(base: base, ours: ours, theirs: theirs))
    {
      return .text(merged)
    }
    let choices: Set<MergeAnswer.Choice> = [.ours, .theirs, .text]
    switch ask(
      about: column, key, sides, labels.explanation(of: .clash, what: "“\(column)”"),
      choices: sides.base == nil ? choices : choices.union([.base]))
    {
    case nil, .ours, .both: return sides.ours
    case .theirs: return sides.theirs
    case .base: return sides.base ?? sides.ours
    case .text(let bytes): return SQLValue(typed: bytes, like: [sides.ours, sides.theirs])
    }
  }

  /// Returns whether a side changed more than half of a row, so that its number may have been given to a
  /// different row.
  private func isOtherRow(_ row: [SQLValue], than base: [SQLValue]) -> Bool {
    let number = changed.table.rowNumber.flatMap(changed.index)
    let places = row.indices.filter { $0 != number }
    let kept = places.count { row[$0] == base[$0] }
    return places.count > 1 && kept * 2 < places.count
  }

  /// Asks if both sides replaced a row without an identity with different rows.
  private func dropsTheirs() -> Bool {
    guard changed.identity == .values else { return false }
    let removedByBoth = changed.ours.contains { key, change in
      change.row == nil && changed.theirs[key].map { $0.row == nil } ?? false
    }
    let added = [changed.ours, changed.theirs].map { changes in
      Set(changes.filter { $0.value.row != nil }.keys)
    }
    guard removedByBoth, !added[0].isEmpty, !added[1].isEmpty, added[0] != added[1] else {
      return false
    }
    let question = MergeDecision(
      kind: .clash, place: MergePlace(path: "/" + changed.table.name),
      ours: "\(added[0].count) rows", theirs: "\(added[1].count) rows",
      explanation: """
        Both sides replaced a row of “\(changed.table.name)”, whose rows have no key: “both” keeps the rows of both.
        """)
    return log.answer(to: question, choices: [.both, .ours], at: .members) != .both
  }

  private func askAboutCounts(_ key: [SQLValue], _ row: [SQLValue], _ old: [SQLValue]) {
    for (index, column) in changed.table.columns.enumerated() where old[index] != row[index] {
      guard case .integer = row[index] else { continue }
      _ = ask(
        about: column.name, key,
        MergeSides(base: old[index], ours: row[index], theirs: row[index]),
        """
        Both sides changed “\(column.name)” to the same number, which a trigger may count from rows of both.
        """, choices: [.ours])
    }
  }

  /// Asks about one value of a row.
  private func ask(
    about column: String, _ key: [SQLValue], _ sides: MergeSides<SQLValue>, _ explanation: String,
    choices: Set<MergeAnswer.Choice>
  ) -> MergeAnswer? {
    let question = MergeDecision(
      kind: .clash, place: changed.place(key, column: column), base: sides.base?.description,
      ours: sides.ours.description, theirs: sides.theirs.description, explanation: explanation)
    return log.answer(to: question, sides.map(\.shown), choices: choices, at: .value)
  }

  // MARK: Decisions

  private typealias Sides = MergeSides<[SQLValue]?>

  private func record(_ kind: MergeDecision.Kind, _ key: [SQLValue], _ rows: Sides) {
    let explanation = labels.explanation(of: kind, what: "a row of “\(changed.table.name)”")
    log.record(MergeDecision(kind, at: changed.place(key), rows.map(changed.words), explanation))
  }

  private func record(
    _ kind: MergeDecision.Kind, _ changes: [[SQLValue]: RowDifference.Change]
  ) throws {
    guard changes.count <= Self.mostDecisions else {
      let what = "\(changes.count) rows of “\(changed.table.name)”"
      return log.record(
        MergeDecision(
          kind: kind, place: MergePlace(path: "/" + changed.table.name),
          explanation: labels.explanation(of: kind, what: what)))
    }
    for (key, change) in changes.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      let base = try former(key, change)
      record(
        kind, key,
        kind == .ours
          ? Sides(base: base, ours: change.row, theirs: base)
          : Sides(base: base, ours: base, theirs: change.row))
    }
  }

  /// Returns the row in base; `nil` if base lacks it.
  private func former(_ key: [SQLValue], _ change: RowDifference.Change) throws -> [SQLValue]? {
    guard !change.isNew, let base = changed.base else { return nil }
    return try RowDifference(table: changed.table, identity: changed.identity, database: database)
      .row(key, in: base, .base)
  }

  /// Returns whether one key is before another: numbers are ordered by size, everything else by bytes.
  private static func isBefore(_ one: [SQLValue], _ other: [SQLValue]) -> Bool {
    for (left, right) in zip(one, other) where left != right {
      if case .integer(let left) = left, case .integer(let right) = right { return left < right }
      let (left, right) = (left.shown ?? [], right.shown ?? [])
      if left != right { return left.lexicographicallyPrecedes(right) }
    }
    return one.count < other.count
  }
}
