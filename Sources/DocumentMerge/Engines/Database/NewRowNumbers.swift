/// The numbers of new rows of theirs in the merged database, if both sides gave the same number to different
/// new rows.
///
/// If a table counts its rows, a number has no meaning of its own: the row of theirs gets the next free
/// number, and foreign keys that refer to it follow. If a new row of theirs and a new row of ours have the
/// same values in a unique index, they are the same row.
struct NewRowNumbers {
  /// The numbers in the merged database, by table and by number in theirs.
  private(set) var numbers: [String: [Int64: Int64]] = [:]
  /// The columns that contain the row number, by table name in lowercase.
  private let columns: [String: String]

  /// - Parameter tables: the changed tables, by their names in small letters.
  init(for tables: [String: ChangedTable], in database: MemoryDatabase) throws {
    columns = tables.compactMapValues { $0.table.rowNumber?.lowercased() }
    for (name, changed) in tables.sorted(by: { $0.key < $1.key }) {
      guard let column = changed.table.rowNumber, let index = changed.index(of: column) else {
        continue
      }
      let added = changed.theirs.filter { $0.value.isNew }.compactMap { key, change in
        change.row.map { (number: key[0].number, row: $0) }
      }.sorted { $0.number < $1.number }
      let isCounted = try Self.isCounted(changed, in: database)
      var next = try Self.next(changed, column, in: database)
      for (number, row) in added {
        if let same = Self.sameRow(as: row, number, of: changed, without: index) {
          numbers[name, default: [:]][number] = same
          continue
        }
        guard let other = changed.ours[[.integer(number)]]?.row, other != row, isCounted,
          !Self.isNamedElsewhere(number, of: name, in: tables)
        else { continue }
        numbers[name, default: [:]][number] = next
        next += 1
      }
    }
  }

  /// Returns the new row of ours with the same values in the columns of a unique index.
  private static func sameRow(
    as row: [SQLValue], _ number: Int64, of changed: ChangedTable, without index: Int
  ) -> Int64? {
    for columns in changed.table.uniqueColumns {
      let places = columns.compactMap(changed.index)
      guard places.count == columns.count, places.allSatisfy({ row[$0] != .null }) else { continue }
      for (key, change) in changed.ours where change.isNew && key != [.integer(number)] {
        if let other = change.row, places.allSatisfy({ other[$0] == row[$0] }) {
          return key[0].number
        }
      }
    }
    return nil
  }

  /// Returns whether both sides only gave numbers after the last one of base; other numbers were chosen, and
  /// have a meaning.
  private static func isCounted(_ changed: ChangedTable, in database: MemoryDatabase) throws -> Bool
  {
    guard let base = changed.base, let column = changed.table.rowNumber else { return false }
    let last = try database.rows(
      "SELECT max(\(column.quotedName)) FROM base.\(base.name.quotedName)")[0][0].number
    return [changed.ours, changed.theirs].allSatisfy { changes in
      let numbers = changes.filter { $0.value.isNew }.map { $0.key[0].number }
      // The numbers of removed rows may be missing.
      return numbers.allSatisfy { $0 > last }
        && (numbers.max() ?? last) - last <= Int64(numbers.count) * 2 + 16
    }
  }

  private static func next(
    _ changed: ChangedTable, _ column: String, in database: MemoryDatabase
  ) throws -> Int64 {
    var last: Int64 = 0
    for (schema, side) in [("main", changed.former), ("theirs", changed.other)] {
      guard let side else { continue }
      let most = try database.rows(
        "SELECT max(\(column.quotedName)) FROM \(schema).\(side.name.quotedName)")
      last = max(last, most[0][0].number)
    }
    return last + 1
  }

  /// Returns whether theirs has the number in a column that may refer to the row without a foreign key.
  private static func isNamedElsewhere(
    _ number: Int64, of name: String, in tables: [String: ChangedTable]
  ) -> Bool {
    let stem = name.hasSuffix("s") ? String(name.dropLast()) : name
    return tables.values.contains { changed in
      let own = changed.table.rowNumber?.lowercased()
      let places = changed.table.columns.indices.filter { index in
        let column = changed.table.columns[index].name.lowercased()
        let isDeclared = changed.table.references.contains {
          $0.column.lowercased() == column
        }
        return column != own && !isDeclared
          && (column.hasSuffix("id") || column.contains(stem)
            || ["parent", "ref", "link", "owner"].contains { column.contains($0) })
      }
      let isOwnIndex = changed.table.isVirtual && !changed.table.isRebuilt
      return changed.theirs.contains { key, change in
        guard let row = change.row else { return false }
        return places.contains { row[$0] == .integer(number) }
          || isOwnIndex && key == [.integer(number)]
      }
    }
  }

  /// Returns the changes of theirs with the new numbers, in the rows and in the references to them.
  func apply(to changed: ChangedTable, named name: String) -> [[SQLValue]: RowDifference.Change] {
    let own = numbers[name] ?? [:]
    let column = changed.table.rowNumber.flatMap(changed.index)
    let references = changed.table.references.filter { reference in
      reference.target == nil || reference.target?.lowercased() == columns[reference.table]
    }.compactMap { reference in
      changed.index(of: reference.column).map {
        (index: $0, numbers: numbers[reference.table] ?? [:])
      }
    }.filter { !$0.numbers.isEmpty }
    guard !own.isEmpty || !references.isEmpty else { return changed.theirs }
    var result: [[SQLValue]: RowDifference.Change] = [:]
    for (key, change) in changed.theirs {
      var (key, change) = (key, change)
      if var row = change.row {
        for reference in references {
          if let number = reference.numbers[row[reference.index].number],
            case .integer = row[reference.index]
          {
            row[reference.index] = .integer(number)
          }
        }
        if let column, change.isNew, let number = own[key[0].number] {
          row[column] = .integer(number)
          key = [.integer(number)]
        }
        change.row = row
        // A key that consists of references, as in a table that connects two others, follows them.
        if case .columns(let names) = changed.identity, changed.table.rowNumber == nil,
          change.isNew
        {
          key = names.compactMap { changed.index(of: $0).map { row[$0] } }
        }
        if changed.identity == .values { key = row + [key[key.count - 1]] }
      }
      result[key] = change
    }
    return result
  }
}
