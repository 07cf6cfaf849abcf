internal import CSQLite
internal import GRDB

/// What a transaction changed in the rows of tables with a primary key, as SQLite's sessions record it.
struct Changeset: Sendable {
  private let bytes: [UInt8]

  /// Nil where nothing was changed, or that can't be said.
  init?(recordedBy session: UnsafeMutableRawPointer) {
    var size: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    guard docversions_session_changeset(session, &size, &bytes) == 0, let bytes else { return nil }
    defer { docversions_changeset_free(bytes) }
    guard size > 0 else { return nil }
    self.bytes = Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The change that takes this one back.
  func inverted() throws -> Changeset {
    var size: Int32 = 0
    var inverted: UnsafeMutableRawPointer?
    let code = docversions_changeset_invert(bytes, Int32(bytes.count), &size, &inverted)
    guard code == 0, let inverted else { throw DatabaseError(resultCode: .init(rawValue: code)) }
    defer { docversions_changeset_free(inverted) }
    return Changeset(Array(UnsafeRawBufferPointer(start: inverted, count: Int(size))))
  }

  /// Makes the change, whole or not at all.
  ///
  /// Neither triggers nor actions of foreign keys run: what they did is part of the change.
  ///
  /// - Throws: `DatabaseError` if a row is not as it was before.
  func apply(to database: Database) throws {
    let enforcesKeys = try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
    if enforcesKeys { try database.execute(sql: "PRAGMA foreign_keys = OFF") }
    defer {
      if enforcesKeys {
        do { try database.execute(sql: "PRAGMA foreign_keys = ON") } catch {
          // The connection is about to be closed: nothing more is written.
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
      // GRDB sees only what its own statements change.
      try database.notifyChanges(in: .fullDatabase)
      return .commit
    }
  }
}
