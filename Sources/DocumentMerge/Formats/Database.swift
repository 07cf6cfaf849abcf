/// SQLite databases, which are recognized by their contents.
extension DocumentFormat {
  static let database = DocumentFormat(
    "database", identifiers: ["org.sqlite.v3"], kind: .database,
    engine: { _ in DatabaseMergeEngine() }, signature: { MemoryDatabase.isDatabase($0.bytes) },
    isReadByLines: false)
}
