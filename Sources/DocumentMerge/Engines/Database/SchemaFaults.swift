extension MemoryDatabase {
  /// Returns what makes a view, a trigger or a foreign key of a database unusable, such as a missing column; `nil` if
  /// nothing does.
  func fault(in schema: Schema) throws -> String? {
    let lost = try rows(
      """
      SELECT t.name, k."table" FROM \(schema.rawValue).sqlite_schema AS t, \
      pragma_foreign_key_list(t.name, '\(schema.rawValue)') AS k WHERE t.type = 'table' \
      AND lower(k."table") NOT IN (SELECT lower(name) FROM \(schema.rawValue).sqlite_schema)
      """)
    if let names = lost.first {
      return names.map(\.string).joined(separator: " refers to the missing table ")
    }
    // Renaming a table compiles all views and triggers, without running them.
    try run("SAVEPOINT docversions")
    var fault: String?
    do {
      try run("CREATE TABLE \(schema.rawValue).docversions (a)")
      try run("ALTER TABLE \(schema.rawValue).docversions RENAME TO docversions_renamed")
    } catch let failure as Failure {
      fault = failure.message
    }
    try run("ROLLBACK TO docversions")
    try run("RELEASE docversions")
    return fault
  }
}
