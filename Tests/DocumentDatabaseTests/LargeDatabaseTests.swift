import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB
import Testing

/// Databases that are much larger than the changes in them.
@Suite("Large databases", .blocks)
struct LargeDatabaseTests {
  private let scratch: ScratchFolder
  private let store = VersionStore(identity: Identity(author: "Mira", device: "desk"))
  private var file: URL { scratch["large.sqlite"] }

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Changes the database as another program would, and closes it.
  private func change(_ body: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write(body)
    try queue.close()
  }

  /// Returns the size in bytes of all files in the folder without the document.
  private func kept() throws -> Int {
    var bytes = 0
    let kept = scratch[".docversions"]
    for name in try FileManager.default.subpathsOfDirectory(atPath: kept.path) {
      let facts = try FileManager.default.attributesOfItem(atPath: kept.appending(path: name).path)
      if facts[.type] as? FileAttributeType == .typeRegular { bytes += facts[.size] as? Int ?? 0 }
    }
    return bytes
  }

  @Test(
    "Of 100 changed rows, a version takes at most 2 MB",
    arguments: TestMode.isFull ? [10, 100] : [10])
  func growth(megabytes: Int) async throws {
    let rows = megabytes << 10
    try change { database in
      try database.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, number, bytes)")
      for id in 0..<rows {
        try database.execute(sql: "INSERT INTO row VALUES (?, 0, randomblob(960))", arguments: [id])
      }
    }
    try await store.save(file)
    let before = try kept()
    #expect(before > megabytes << 19)
    try change {
      let step = rows / 100
      try $0.execute(
        sql: "UPDATE row SET number = 1 WHERE id % ? = 0 AND id < ?", arguments: [step, 100 * step])
      #expect($0.changesCount == 100)
    }
    let version = try await store.save(file).version
    #expect(try kept() - before <= 2 << 20)
    #expect(try await version.contents() == Data(contentsOf: file))
  }

  @Test(
    "A database of 4 GB with rows of 100 MB is saved and restored",
    .enabled(if: TestMode.isFull, "takes long; with DOCVERSIONS_FAULTS=full"))
  func huge() async throws {
    try change { database in
      try database.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, number, bytes)")
      for id in 0..<41 {
        try database.execute(
          sql: "INSERT INTO row VALUES (?, 0, zeroblob(100 << 20))", arguments: [id])
      }
    }
    let first = try await store.save(file).version
    #expect(first.size > 4 << 30)
    try change { try $0.execute(sql: "UPDATE row SET number = 1 WHERE id = 20") }
    try await store.save(file)
    try await store.restore(first)
    try change { (database) throws in
      #expect(try Int.fetchOne(database, sql: "SELECT sum(number) FROM row") == 0)
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
    }
  }
}
