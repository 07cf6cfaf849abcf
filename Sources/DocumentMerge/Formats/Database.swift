/// Databases of SQLite, which say what they are whatever their names.
extension DocumentFormat {
  static let database = DocumentFormat(
    "database", identifiers: ["org.sqlite.v3"], kind: .database,
    engine: { _ in DatabaseMergeEngine() }, signature: { MemoryDatabase.isDatabase($0.bytes) },
    isReadByLines: false)
}
