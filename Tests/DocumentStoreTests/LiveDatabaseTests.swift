import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Databases in SQLite's format with a part in another file.
@Suite("Live databases", .enabled(if: Databases.canBeMade))
struct LiveDatabaseTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func run(_ script: String) throws -> String {
    let result = try Command.run("python3", ["-c", script], in: desk.container)
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Creates a database in the state that a killed program leaves, with its last changes only in the log.
  private func leaveLog(_ name: String = "n.db", rows: Int = 100) throws {
    _ = try run(
      """
      import sqlite3, shutil
      c = sqlite3.connect('made.db')
      c.execute('pragma journal_mode = wal')
      c.execute('create table t (x)')
      c.commit()
      c.executemany('insert into t values (?)', [(str(i) * 20,) for i in range(\(rows))])
      c.commit()
      for end in ('', '-wal'): shutil.copy('made.db' + end, '\(name)' + end)
      """)
  }

  /// Makes a database with a journal.
  private func leaveJournal(_ name: String, isHot: Bool) throws {
    _ = try run(
      """
      import sqlite3, shutil
      c = sqlite3.connect('made.db')
      c.execute('pragma journal_mode = persist')
      c.execute('pragma cache_size = 5')
      c.execute('create table t (x)')
      c.commit()
      for i in range(2000): c.execute('insert into t values (?)', (str(i) * 50,))
      \(isHot ? "" : "c.commit()")
      for end in ('', '-journal'): shutil.copy('made.db' + end, '\(name)' + end)
      """)
  }

  private func rows(of name: String) throws -> String {
    try run(
      """
      import sqlite3
      c = sqlite3.connect('\(name)')
      print(c.execute('pragma integrity_check').fetchone()[0], c.execute('select count(*) from t').fetchone()[0])
      """)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: desk[name]) }

  /// Expects a refusal that changes nothing.
  private func expectRefusal(_ body: () throws -> Void) {
    let error = #expect(throws: VersionError.self) { try body() }
    #expect(error?.code == .databaseInUse)
    #expect(error?.hint?.isEmpty == false)
  }

  @Test(
    "Where SQLite is used, a file that the program has open for writing alone is saved all the same"
  )
  func openForWriting() throws {
    try leaveLog()
    // Reads the database with SQLite.
    try desk.store.save(desk["n.db"])
    try desk.write("1", to: "log.txt")
    let file = try FileHandle(forWritingTo: desk["log.txt"])
    try desk.store.save(desk["log.txt"])
    #expect(try desk.texts("log.txt") == ["1"])
    try file.close()
  }

  @Test(
    "A version holds what is only in the log, and the database is not touched",
    arguments: [10, 20_000])
  func saved(rows count: Int) throws {
    try leaveLog(rows: count)
    let before = try (bytes("n.db"), bytes("n.db-wal"))
    let version = try desk.store.save(desk["n.db"]).version
    #expect(try before == (bytes("n.db"), bytes("n.db-wal")))
    #expect(try desk.store.state(of: desk["n.db"]) == .unchanged)
    #expect(try !desk.store.save(desk["n.db"]).isNew)
    try desk.store.export(version, to: desk["copy.db"])
    #expect(try rows(of: "copy.db") == "ok \(count)")
    // No copy is left, beside the document or in its store.
    let left = try FileManager.default.subpathsOfDirectory(atPath: desk.container.path)
    #expect(!left.contains { $0.contains("-database-") }, "\(left)")
  }

  @Test("A program that has the database open sees it, and is not kept from writing")
  func open() throws {
    _ = try run(
      """
      import sqlite3, subprocess, os
      c = sqlite3.connect('n.db')
      c.execute('pragma journal_mode = wal')
      c.execute('create table t (x)')
      for i in range(50): c.execute('insert into t values (1)')
      c.commit()
      environment = dict(os.environ, DOCVERSIONS_AUTHOR='Mira', DOCVERSIONS_DEVICE='laptop')
      def save(): subprocess.run(['\(BuiltProgram.url.path)', 'save', 'n.db'], env=environment, check=True)
      save()
      c.execute('begin')
      c.execute('insert into t values (2)')
      save()
      c.commit()
      save()
      c.close()
      """)
    let versions = try desk.history("n.db").versions
    #expect(versions.count == 2)
    for (version, count) in zip(versions, [51, 50]) {
      try desk.store.export(version, to: desk["\(count).db"])
      #expect(try rows(of: "\(count).db") == "ok \(count)")
    }
  }

  @Test(
    "A version of a database with a hot journal is what was committed; the files are not rolled back"
  )
  func hotJournal() throws {
    try leaveJournal("n.db", isHot: true)
    let before = try (bytes("n.db"), bytes("n.db-journal"))
    let version = try desk.store.save(desk["n.db"]).version
    #expect(try before == (bytes("n.db"), bytes("n.db-journal")))
    try desk.store.export(version, to: desk["copy.db"])
    #expect(try rows(of: "copy.db") == "ok 0")
    #expect(try desk.store.state(of: desk["n.db"]) == .unchanged)
  }

  @Test("A journal that was put out of use does no harm")
  func harmlessJournal() throws {
    try leaveJournal("n.db", isHot: false)
    let version = try desk.store.save(desk["n.db"]).version
    #expect(try version.contents() == bytes("n.db"))
    try Data(bytes("n.db").dropLast(4_096)).write(to: desk["n.db"])
    _ = try desk.store.restore(version)
    #expect(try rows(of: "n.db") == "ok 2000")
  }

  @Test(
    "Nothing writes, moves or removes a document while a part of it is in another file",
    arguments: ["-wal", "-journal"])
  func writing(suffix: String) throws {
    try leaveJournal("n.db", isHot: false)
    try FileManager.default.removeItem(at: desk["n.db-journal"])
    let first = try desk.store.save(desk["n.db"]).version
    for end in ["", "-journal"] {
      try FileManager.default.removeItem(at: desk["made.db" + end])
    }
    if suffix == "-wal" {
      try leaveLog("other.db")
    } else {
      try leaveJournal("other.db", isHot: true)
    }
    try FileManager.default.removeItem(at: desk["n.db"])
    for end in ["", suffix] {
      try FileManager.default.copyItem(at: desk["other.db" + end], to: desk["n.db" + end])
    }
    let before = try (bytes("n.db"), bytes("n.db" + suffix))
    if suffix == "-wal" { try desk.store.save(desk["n.db"]) }
    let count = try desk.history("n.db").versions.count
    expectRefusal { _ = try desk.store.restore(first) }
    expectRefusal { try desk.store.delete(desk["n.db"]) }
    expectRefusal { try desk.store.rename(desk["n.db"], to: "m.db") }
    expectRefusal { try desk.store.export(first, to: desk["other.db"], replacing: true) }
    #expect(try before == (bytes("n.db"), bytes("n.db" + suffix)))
    #expect(try desk.history("n.db").versions.count == count)
    // This also holds if the database's own file is gone, because SQLite would apply the rest to the written
    // one.
    try FileManager.default.removeItem(at: desk["n.db"])
    expectRefusal { _ = try desk.store.restore(first) }
    try FileManager.default.removeItem(at: desk["n.db" + suffix])
    _ = try desk.store.restore(first)
    #expect(try rows(of: "n.db") == "ok 2000")
  }

  @Test("A version of a large database stores about the pages that changed")
  func growth() throws {
    _ = try run(
      """
      import random, sqlite3
      random.seed(1)
      c = sqlite3.connect('n.db')
      c.execute('create table t (id integer primary key, x, y)')
      c.executemany('insert into t values (?, ?, ?)', [(i, random.randbytes(800), i) for i in range(20_000)])
      c.commit()
      """)
    try desk.store.save(desk["n.db"])
    let before = try Folder.size(of: desk.storeFolder(of: "n.db").filePath)
    _ = try run(
      """
      import sqlite3
      c = sqlite3.connect('n.db')
      for i in range(0, 20_000, 200): c.execute('update t set y = -1 where id = ?', (i,))
      c.commit()
      """)
    let version = try desk.store.save(desk["n.db"]).version
    let growth = try Folder.size(of: desk.storeFolder(of: "n.db").filePath) - before
    // 100 pages, and for each the group of chunks that it is in.
    #expect(growth < 100 * (4_096 + 2_048), "\(growth)")
    #expect(try version.contents() == bytes("n.db"))
  }

  @Test("The parts of a database are no documents", arguments: ["-wal", "-shm", "-journal"])
  func parts(suffix: String) throws {
    try leaveLog()
    try desk.write("part", to: "n.db" + suffix)
    #expect(throws: FileError.self) { try desk.store.save(desk["n.db" + suffix]) }
    // Without a database, the names mean nothing.
    try desk.write("a text", to: "song" + suffix)
    try desk.store.save(desk["song" + suffix])
  }
}

enum Databases {
  /// True if there is a Python with SQLite, which makes the databases.
  static let canBeMade: Bool = {
    do {
      return try Command.run("python3", ["-c", "import sqlite3"]).exitCode == 0
    } catch {
      return false
    }
  }()
}
