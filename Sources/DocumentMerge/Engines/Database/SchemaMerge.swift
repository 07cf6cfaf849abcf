/// The definitions of the merged database: of each table and other object, one side's.
struct SchemaMerge {
  let base: DatabaseSchema
  let ours: DatabaseSchema
  let theirs: DatabaseSchema
  let options: MergeOptions
  let database: MemoryDatabase

  /// The tables of the merged database that a side changed, by their names in small letters, and those to drop.
  struct Tables {
    var kept: [String: ChangedTable] = [:]
    var dropped: [DatabaseTable] = []
  }

  /// Decides about all tables.
  /// - Throws: ``DatabaseMerge/Undecided`` if the rows of a side can't be told apart by the keys of the other one.
  func tables(_ log: inout ClashLog, _ decisions: inout [MergeDecision]) throws -> Tables {
    var result = Tables()
    let names = Set(base.tables.keys).union(ours.tables.keys).union(theirs.tables.keys)
    for name in names.sorted() {
      let (old, own, other) = (base.tables[name], ours.tables[name], theirs.tables[name])
      let sides = MergeSides<DatabaseTable?>(base: .some(old), ours: own, theirs: other)
      let kept: DatabaseTable? =
        switch sides.map({ $0?.sql }).settled {
        case .theirs: other
        case .some: own
        case nil: try definition(old, own, other, &log, &decisions)
        }
      guard let kept = try revived(kept, old, own, other, &log, &decisions) else {
        if let own { result.dropped.append(own) }
        continue
      }
      if kept.isContentless {
        throw DatabaseMerge.Undecided("“\(kept.name)” is an index whose contents can’t be read.")
      }
      guard
        let changed = try ChangedTable(kept, base: old, ours: own, theirs: other, in: database)
      else { throw DatabaseMerge.Undecided("The sides identify rows of “\(kept.name)” otherwise.") }
      try askAboutColumns(of: changed, &log, &decisions)
      result.kept[name] = changed
    }
    return result
  }

  /// The definition of a table that both sides changed.
  private func definition(
    _ base: DatabaseTable?, _ ours: DatabaseTable?, _ theirs: DatabaseTable?, _ log: inout ClashLog,
    _ decisions: inout [MergeDecision]
  ) throws -> DatabaseTable? {
    let name = ours?.name ?? theirs?.name ?? ""
    let answer = ask(
      MergePlace(path: "/" + name),
      MergeSides(base: base?.sql, ours: ours?.sql, theirs: theirs?.sql),
      "Both sides changed the columns of “\(name)”, differently.", .order, [.ours, .theirs], &log,
      &decisions)
    return answer == .theirs ? theirs : ours
  }

  /// The definition of a table, also if one side dropped it and the other one changed its rows, and an answer keeps it.
  private func revived(
    _ kept: DatabaseTable?, _ base: DatabaseTable?, _ ours: DatabaseTable?,
    _ theirs: DatabaseTable?, _ log: inout ClashLog, _ decisions: inout [MergeDecision]
  ) throws -> DatabaseTable? {
    guard kept == nil, let base, let side = ours ?? theirs, !base.isVirtual else { return kept }
    let schema: MemoryDatabase.Schema = ours == nil ? .theirs : .main
    let sides: [(schema: MemoryDatabase.Schema, table: DatabaseTable)] = [
      (.base, base), (schema, side),
    ]
    guard let identity = try RowIdentity(of: sides, columns: side.columnNames, in: database),
      try RowDifference(table: side, identity: identity, database: database)
        .changes(from: base, to: side, schema).isEmpty
    else {
      let (removed, other) = (
        ours == nil ? options.labels.ours : options.labels.theirs,
        ours == nil ? options.labels.theirs : options.labels.ours
      )
      let answer = ask(
        MergePlace(path: "/" + base.name),
        MergeSides(base: base.sql, ours: ours?.sql, theirs: theirs?.sql),
        "\(removed) dropped “\(base.name)”, in which \(other) changed rows.", .presence,
        [.ours, .theirs], &log, &decisions)
      return answer == .theirs ? theirs : ours
    }
    return nil
  }

  /// Asks about columns that one side dropped, and in which the other one changed values.
  private func askAboutColumns(
    of changed: ChangedTable, _ log: inout ClashLog, _ decisions: inout [MergeDecision]
  ) throws {
    guard let base = changed.base else { return }
    let sides: [(MemoryDatabase.Schema, DatabaseTable?)] = [
      (.main, changed.former), (.theirs, changed.other),
    ]
    for (schema, side) in sides {
      guard let side else { continue }
      let dropped = side.columns.filter { base.has($0.name) && !changed.table.has($0.name) }
      guard !dropped.isEmpty else { continue }
      let changes = try RowDifference(table: side, identity: changed.identity, database: database)
        .changes(from: base, to: side, schema)
      for column in dropped {
        guard let index = side.columnNames.firstIndex(of: column.name) else { continue }
        let isUsed = try changes.contains { key, change in
          guard let row = change.row else { return false }
          if change.isNew { return row[index] != .null }
          let old = try RowDifference(
            table: side, identity: changed.identity, database: database
          ).row(key, in: base, .base)
          return old?[index] != row[index]
        }
        guard isUsed else { continue }
        let label = schema == .main ? options.labels.ours : options.labels.theirs
        _ = ask(
          MergePlace(path: "/\(side.name)/\(column.name)"),
          MergeSides(base: .some(column.name), ours: nil, theirs: nil),
          "The column “\(column.name)” was dropped, and \(label) changed values in it.", .members,
          [.ours], &log, &decisions)
      }
    }
  }

  /// The indexes, triggers and views of the merged database.
  func others(_ log: inout ClashLog, _ decisions: inout [MergeDecision]) -> [DatabaseSchema.Object]
  {
    let names = Set(base.others.keys).union(ours.others.keys).union(theirs.others.keys)
    return names.sorted().compactMap { name in
      let sides = MergeSides<DatabaseSchema.Object?>(
        base: .some(base.others[name]), ours: ours.others[name], theirs: theirs.others[name])
      switch sides.settled {
      case .theirs: return sides.theirs
      case .some: return sides.ours
      case nil:
        let object = sides.ours ?? sides.theirs
        let answer = ask(
          MergePlace(path: "/" + (object?.name ?? name)),
          MergeSides(
            base: base.others[name]?.sql, ours: sides.ours?.sql, theirs: sides.theirs?.sql),
          "Both sides changed the \(object?.type ?? "object") “\(object?.name ?? name)”, differently.",
          .order, [.ours, .theirs], &log, &decisions)
        return answer == .theirs ? sides.theirs : sides.ours
      }
    }
  }

  private func ask(
    _ place: MergePlace, _ texts: MergeSides<String?>, _ explanation: String, _ site: ClashLog.Site,
    _ choices: Set<MergeAnswer.Choice>, _ log: inout ClashLog, _ decisions: inout [MergeDecision]
  ) -> MergeAnswer {
    let question = MergeDecision(
      kind: .clash, place: place, base: texts.base ?? nil, ours: texts.ours, theirs: texts.theirs,
      explanation: explanation)
    return log.answer(to: question, choices: choices, at: site, &decisions) ?? .ours
  }
}
