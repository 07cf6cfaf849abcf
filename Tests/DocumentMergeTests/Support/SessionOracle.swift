import Foundation
import Testing

@testable import DocumentMerge

/// SQLite's own changesets, as an oracle: the changes from base to theirs, applied to ours.
enum SessionOracle {
  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Create =
    @convention(c) (Pointer, UnsafePointer<CChar>, UnsafeMutablePointer<Pointer?>) -> Int32
  private typealias Attach = @convention(c) (Pointer, UnsafePointer<CChar>?) -> Int32
  private typealias Difference =
    @convention(c) (
      Pointer, UnsafePointer<CChar>, UnsafePointer<CChar>,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32
  private typealias Changeset =
    @convention(c) (Pointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Pointer?>) -> Int32
  private typealias Conflict = @convention(c) (Pointer?, Int32, Pointer?) -> Int32
  private typealias Apply =
    @convention(c) (Pointer, Int32, Pointer, Pointer?, Conflict, Pointer?) -> Int32
  private typealias Delete = @convention(c) (Pointer) -> Void

  private static func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
    let library = try #require(dlopen("libsqlite3.so.0", RTLD_NOW))
    let symbol = try #require(dlsym(library, name), "\(name)")
    return unsafeBitCast(symbol, to: type)
  }

  /// Returns the result; nil if a change doesn't fit.
  static func merged(_ sides: MergeSides<[UInt8]>, tables: [String]) throws -> [UInt8]? {
    let database = try #require(MemoryDatabase())
    try database.load(try #require(sides.base), as: .base)
    try database.load(sides.theirs, as: .theirs)
    try database.load(sides.ours, as: .main)
    var session: Pointer?
    let created = try function("sqlite3session_create", Create.self)(
      database.connection, "theirs", &session)
    try #require(created == 0)
    let open = try #require(session)
    for table in tables {
      try #require(try function("sqlite3session_attach", Attach.self)(open, table) == 0)
      try #require(
        try function("sqlite3session_diff", Difference.self)(open, "base", table, nil) == 0)
    }
    var (size, changes): (Int32, Pointer?) = (0, nil)
    let made = try function("sqlite3session_changeset", Changeset.self)(open, &size, &changes)
    try #require(made == 0)
    try function("sqlite3session_delete", Delete.self)(open)
    guard let changes else { return sides.ours }
    // Any conflict ends it, and rolls back everything.
    let applied = try function("sqlite3changeset_apply", Apply.self)(
      database.connection, size, changes, nil, { _, _, _ in 2 }, nil)
    try function("sqlite3_free", Delete.self)(changes)
    return applied == 0 ? try database.bytes(of: .main, like: sides.ours) : nil
  }
}
