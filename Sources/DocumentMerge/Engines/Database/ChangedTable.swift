/// A table of the merged database, with the changes of each side.
struct ChangedTable {
  /// The table in the merged database.
  let table: DatabaseTable
  let identity: RowIdentity
  /// The table in base; `nil` if base lacks it.
  let base: DatabaseTable?
  /// The table in ours; `nil` if ours lacks it.
  let former: DatabaseTable?
  /// The table in theirs; `nil` if theirs lacks it.
  let other: DatabaseTable?
  let ours: [[SQLValue]: RowDifference.Change]
  var theirs: [[SQLValue]: RowDifference.Change]

  /// True if ours lacks the table, or defines it differently.
  var isMadeAnew: Bool { former?.sql != table.sql }

  /// Reads the changes of the sides; `nil` if they identify rows by different keys.
  init?(
    _ table: DatabaseTable, of tables: MergeSides<DatabaseTable?>, in database: MemoryDatabase
  ) throws {
    let (base, ours, theirs) = (tables.base ?? nil, tables.ours, tables.theirs)
    let sides: [(schema: MemoryDatabase.Schema, table: DatabaseTable)] = [
      base.map { (.base, $0) }, ours.map { (.main, $0) }, theirs.map { (.theirs, $0) },
    ].compactMap { $0 }
    guard let identity = try RowIdentity(of: sides, columns: table.columnNames, in: database),
      sides.allSatisfy({
        $0.table.primaryKey.map { $0.lowercased() } == table.primaryKey.map { $0.lowercased() }
      })
    else { return nil }
    self.table = table
    self.identity = identity
    self.base = base
    former = ours
    other = theirs
    let difference = RowDifference(table: table, identity: identity, database: database)
    self.ours = ours == nil ? [:] : try difference.changes(from: base, to: ours, .main)
    self.theirs = theirs == nil ? [:] : try difference.changes(from: base, to: theirs, .theirs)
  }

  /// Returns the position of a column among the values of a row.
  func index(of column: String) -> Int? {
    table.columns.firstIndex { $0.name.lowercased() == column.lowercased() }
  }

  /// Returns the place of a row in the document.
  func place(_ key: [SQLValue], column: String? = nil) -> MergePlace {
    func part(_ name: String) -> String {
      name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
    let row =
      switch identity {
      case .columns(let names):
        zip(names, key).map { "\($0)=\($1.string)" }.joined(separator: ",")
      case .number(let name): "\(name)=\(key.first?.string ?? "")"
      case .values: key.dropLast().map(\.string).joined(separator: ",")
      }
    let parts = [table.name, row, column].compactMap { $0 }
    return MergePlace(path: parts.map { "/" + part(excerpt($0.utf8)) }.joined())
  }

  /// Returns a description of a row.
  func words(_ row: [SQLValue]?) -> String? {
    row.map { row in
      let parts = zip(table.columns, row).map { "\($0.name)=\($1.description)" }
      return excerpt(parts.joined(separator: ", ").utf8)
    }
  }
}
