internal import CSQLite
internal import GRDB

/// The changes of a transaction to rows of tables with a primary key, as SQLite's sessions record them.
struct Changeset: Sendable {
  private let bytes: [UInt8]

  /// Takes the recorded changes; nil if there are none, or they can't be determined.
  init?(recordedBy session: UnsafeMutableRawPointer) {
    var size: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    guard docversions_session_changeset(session, &size, &bytes) == 0, let bytes else { return nil }
    defer { docversions_changeset_free(bytes) }
    guard size > 0 else { return nil }
    self.bytes = Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the change that reverts this one.
  func inverted() throws -> Changeset {
    var size: Int32 = 0
    var inverted: UnsafeMutableRawPointer?
    let code = docversions_changeset_invert(bytes, Int32(bytes.count), &size, &inverted)
    guard code == 0, let inverted else { throw DatabaseError(resultCode: .init(rawValue: code)) }
    defer { docversions_changeset_free(inverted) }
    return Changeset(Array(UnsafeRawBufferPointer(start: inverted, count: Int(size))))
  }

  /// Applies the change completely or not at all.
  ///
  /// Neither triggers nor actions of foreign keys run, because their effects are part of the change.
  ///
  /// - Throws: `DatabaseError` if a row differs from its recorded state.
  func apply(to database: Database) throws {
    let enforcesKeys = try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
    if enforcesKeys { try database.execute(sql: "PRAGMA foreign_keys = OFF") }
    defer {
      if enforcesKeys {
        do { try database.execute(sql: "PRAGMA foreign_keys = ON") } catch {
          // The connection is about to be closed, so nothing more is written.
        }
      }
    }
    try database.inTransaction(.immediate) {
      var bytes = bytes
      let code = docversions_changeset_apply(
        database.sqliteConnection.map(UnsafeMutableRawPointer.init), &bytes, Int32(bytes.count))
      guard code == 0 else {
        throw DatabaseError(
          resultCode: .init(rawValue: code), message: "The rows have changed since.")
      }
      // GRDB only sees the changes of its own statements.
      try database.notifyChanges(in: .fullDatabase)
      return .commit
    }
  }
}
