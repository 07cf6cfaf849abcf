/// The definitions of the merged database, each from one side.
struct SchemaMerge {
  let sides: MergeSides<DatabaseSchema>
  let labels: MergeLabels
  let database: MemoryDatabase
  let log: ClashLog

  /// The changed tables of the merged database, by their names in lowercase, and the tables to drop.
  struct Tables {
    var kept: [String: ChangedTable] = [:]
    var dropped: [DatabaseTable] = []
  }

  /// Decides about all tables.
  /// - Throws: ``DatabaseMerge/Undecided`` if the keys of one side don't distinguish the rows of the other
  ///   side.
  func tables() throws -> Tables {
    var result = Tables()
    for name in Set(sides.all.flatMap(\.tables.keys)).sorted() {
      let tables = sides.map { $0.tables[name] }
      guard let kept = try revived(decided(tables), tables) else {
        if let own = tables.ours { result.dropped.append(own) }
        continue
      }
      if kept.isContentless {
        throw DatabaseMerge.Undecided("“\(kept.name)” is an index whose contents can’t be read.")
      }
      guard let changed = try ChangedTable(kept, of: tables, in: database)
      else { throw DatabaseMerge.Undecided("The sides identify rows of “\(kept.name)” otherwise.") }
      try askAboutColumns(of: changed)
      result.kept[name] = changed
    }
    return result
  }

  /// Returns the definition of a table; `nil` if the merged database lacks it.
  private func decided(_ tables: MergeSides<DatabaseTable?>) -> DatabaseTable? {
    let definitions = tables.map { $0?.sql }
    if let kind = definitions.settled { return kind == .theirs ? tables.theirs : tables.ours }
    let name = tables.ours?.name ?? tables.theirs?.name ?? ""
    let answer = ask(
      "/" + name, definitions, "Both sides changed the columns of “\(name)”, differently.", .order)
    return answer == .theirs ? tables.theirs : tables.ours
  }

  /// Returns the definition of a table, including one that only an answer keeps because one side dropped it
  /// and the other side changed its rows.
  private func revived(
    _ kept: DatabaseTable?, _ tables: MergeSides<DatabaseTable?>
  ) throws -> DatabaseTable? {
    let (ours, theirs) = (tables.ours, tables.theirs)
    guard kept == nil, let base = tables.base ?? nil, let side = ours ?? theirs, !base.isVirtual
    else { return kept }
    let schema: MemoryDatabase.Schema = ours == nil ? .theirs : .main
    let sides: [(schema: MemoryDatabase.Schema, table: DatabaseTable)] = [
      (.base, base), (schema, side),
    ]
    guard let identity = try RowIdentity(of: sides, columns: side.columnNames, in: database),
      try RowDifference(table: side, identity: identity, database: database)
        .changes(from: base, to: side, schema).isEmpty
    else {
      let (removed, other) =
        ours == nil ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
      let answer = ask(
        "/" + base.name, tables.map { $0?.sql },
        "\(removed) dropped “\(base.name)”, in which \(other) changed rows.", .presence)
      return answer == .theirs ? theirs : ours
    }
    return nil
  }

  /// Asks about columns that one side dropped while the other side changed their values.
  private func askAboutColumns(of changed: ChangedTable) throws {
    guard let base = changed.base else { return }
    let sides: [(MemoryDatabase.Schema, DatabaseTable?)] = [
      (.main, changed.former), (.theirs, changed.other),
    ]
    for (schema, side) in sides {
      guard let side else { continue }
      let dropped = side.columns.filter { base.has($0.name) && !changed.table.has($0.name) }
      guard !dropped.isEmpty else { continue }
      let rows = RowDifference(table: side, identity: changed.identity, database: database)
      let changes = try rows.changes(from: base, to: side, schema)
      for column in dropped {
        guard let index = side.columnNames.firstIndex(of: column.name) else { continue }
        let isUsed = try changes.contains { key, change in
          guard let row = change.row else { return false }
          if change.isNew { return row[index] != .null }
          return try rows.row(key, in: base, .base)?[index] != row[index]
        }
        guard isUsed else { continue }
        let label = schema == .main ? labels.ours : labels.theirs
        _ = ask(
          "/\(side.name)/\(column.name)",
          MergeSides(base: .some(column.name), ours: nil, theirs: nil),
          "The column “\(column.name)” was dropped, and \(label) changed values in it.", .members,
          choices: [.ours])
      }
    }
  }

  /// Returns the indexes, triggers and views of the merged database.
  func others() -> [DatabaseSchema.Object] {
    Set(sides.all.flatMap(\.others.keys)).sorted().compactMap { name in
      let objects = sides.map { $0.others[name] }
      if let kind = objects.settled { return kind == .theirs ? objects.theirs : objects.ours }
      let object = objects.ours ?? objects.theirs
      let answer = ask(
        "/" + (object?.name ?? name), objects.map { $0?.sql },
        "Both sides changed the \(object?.type ?? "object") “\(object?.name ?? name)”, differently.",
        .order)
      return answer == .theirs ? objects.theirs : objects.ours
    }
  }

  private func ask(
    _ path: String, _ texts: MergeSides<String?>, _ explanation: String, _ site: ClashLog.Site,
    choices: Set<MergeAnswer.Choice> = [.ours, .theirs]
  ) -> MergeAnswer {
    let question = MergeDecision(.clash, at: MergePlace(path: path), texts, explanation)
    return log.answer(to: question, choices: choices, at: site) ?? .ours
  }
}
