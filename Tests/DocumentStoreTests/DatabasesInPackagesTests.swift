import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Databases in SQLite's format that programs write while documents are saved.
@Suite("Databases in packages", .enabled(if: Databases.canBeMade), .blocks)
struct DatabasesInPackagesTests {
  private let desk: Device

  init() throws {
    desk = try Device()
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
  }

  private var package: URL { desk["Friends.contacts"] }
  private var database: URL { package.appending(path: "database.sqlite") }

  private func run(_ script: String) throws -> String {
    let result = try Command.run("python3", ["-c", script], in: package)
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Creates a database in the state that a killed program leaves.
  private func leave(_ statements: String, mode: String) throws {
    _ = try run(
      """
      import os, sqlite3
      c = sqlite3.connect('database.sqlite', isolation_level=None)
      c.execute('pragma journal_mode = \(mode)')
      c.execute('pragma cache_size = 5')
      c.execute('create table t (x)')
      \(statements)
      os._exit(0)
      """)
  }

  private func save() throws -> FileVersion {
    try desk.store.save(package, asPackage: true).version
  }

  /// Exports a version, and returns SQLite's check of its database, and the number of rows.
  private func rows(of version: FileVersion, as name: String = "copy") throws -> String {
    try desk.store.export(version, to: desk[name])
    let place = desk[name].appending(path: "database.sqlite").path
    return try run(
      """
      import sqlite3
      c = sqlite3.connect('\(place)')
      print(c.execute('pragma integrity_check').fetchone()[0], c.execute('select count(*) from t').fetchone()[0])
      """)
  }

  private func snapshot() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: package.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: package.appending(path: $0)))
      })
  }

  /// The paths of a version's members.
  private func members(of version: FileVersion) throws -> [String] {
    let place = desk["members-\(UUID())"]
    try desk.store.export(version, to: place)
    return try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
  }

  // MARK: Left by killed programs

  @Test(
    "What a killed program committed to its log is in the version, and its files stay as they are")
  func log() throws {
    try leave("c.executemany('insert into t values (?)', [(i,) for i in range(100)])", mode: "wal")
    try desk.write("a text", to: "Friends.contacts/notes.txt")
    let before = try snapshot()
    #expect(before["database.sqlite-wal"]?.isEmpty == false)
    let version = try save()
    #expect(try snapshot() == before)
    #expect(try members(of: version) == ["database.sqlite", "notes.txt"])
    #expect(try rows(of: version) == "ok 100")
    #expect(try desk.store.state(of: package) == .unchanged)
    #expect(try !desk.store.save(package, asPackage: true).isNew)
    // Opened and closed by its program: the same database.
    _ = try run("import sqlite3; sqlite3.connect('database.sqlite').execute('select * from t')")
    try #require(snapshot()["database.sqlite-wal"] == nil)
    #expect(try desk.store.state(of: package) == .unchanged)
  }

  @Test("A change that a killed program did not finish is taken back in the version only")
  func journal() throws {
    try leave(
      """
      c.executemany('insert into t values (?)', [('first' * 20,) for i in range(500)])
      c.execute('begin')
      for i in range(2000): c.execute('insert into t values (?)', (str(i) * 50,))
      """, mode: "delete")
    let before = try snapshot()
    #expect(before["database.sqlite-journal"]?.isEmpty == false)
    let version = try save()
    #expect(try snapshot() == before)
    #expect(try members(of: version) == ["database.sqlite"])
    #expect(try rows(of: version) == "ok 500")
    #expect(try desk.store.state(of: package) == .unchanged)
  }

  @Test("A log that grows is a change, though the database’s file stays as it is")
  func growingLog() throws {
    try leave("pass", mode: "wal")
    for index in 0..<50 { try desk.write("\(index)", to: "Friends.contacts/notes/\(index).txt") }
    let first = try save()
    let writer = try RunningProgram(
      "python3",
      [
        "-c",
        """
        import sqlite3, time
        c = sqlite3.connect('database.sqlite', isolation_level=None)
        c.execute('pragma wal_autocheckpoint = 0')
        c.execute('insert into t values (1)')
        print('written', flush=True)
        time.sleep(300)
        """,
      ], in: package)
    #expect(try eventually { try writer.output == "written\n" })
    let size = try FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int
    #expect(try desk.store.state(of: package) == .edited)
    let second = try save()
    #expect(
      try FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int == size)
    #expect(try rows(of: first, as: "first") == "ok 0")
    #expect(try rows(of: second, as: "second") == "ok 1")
    // Nothing replaces a document that a program has open.
    let error = #expect(throws: VersionError.self) { try desk.store.restore(first) }
    #expect(error?.code == .databaseInUse)
    #expect(error?.hint?.isEmpty == false)
    #expect(throws: VersionError.self) { try desk.store.delete(package) }
    writer.kill()
    _ = try writer.wait()
    _ = try run("import sqlite3; sqlite3.connect('database.sqlite').execute('select * from t')")
    _ = try desk.store.restore(first)
    #expect(try rows(of: save(), as: "third") == "ok 0")
  }

  @Test("A version of an older program that has the log as a member gives way to one without")
  func olderVersions() throws {
    try leave("c.execute('insert into t values (1)')", mode: "wal")
    // The files are treated as if they weren't parts of a database.
    let bytes = try Data(contentsOf: database)
    try Data("no database".utf8).write(to: database)
    let first = try save()
    #expect(try members(of: first).contains("database.sqlite-wal"))
    try bytes.write(to: database)
    let version = try desk.store.save(
      package, changed: ["database.sqlite-wal"], asPackage: true
    ).version
    #expect(try members(of: version) == ["database.sqlite"])
    #expect(try rows(of: version) == "ok 1")
    #expect(try desk.store.state(of: package) == .unchanged)
  }

  // MARK: Written meanwhile

  @Test(
    "Each version that is saved while a program writes is one that was committed",
    arguments: ["wal", "delete", "truncate", "persist", "memory"], [true, false])
  func written(mode: String, isPackage: Bool) throws {
    _ = try run(
      """
      import sqlite3
      c = sqlite3.connect('database.sqlite')
      c.execute('create table t (id integer primary key, x)')
      c.execute('create table counter (n)')
      c.execute('insert into counter values (0)')
      c.executemany('insert into t (x) values (?)', [(str(0).zfill(600),) for i in range(1000)])
      c.commit()
      """)
    let writer = try RunningProgram(
      "python3",
      [
        "-c",
        """
        import os, sqlite3, time
        c = sqlite3.connect('database.sqlite', isolation_level=None, timeout=60)
        c.execute('pragma journal_mode = \(mode)')
        c.execute('pragma synchronous = off')
        c.execute('pragma wal_autocheckpoint = 50')
        n = 0
        while not os.path.exists('../stop'):
            n += 1
            c.execute('begin immediate')
            # On pages all over the file.
            c.execute('update t set x = ? where id % 97 = ?', (str(n).zfill(600), n % 97))
            c.execute('update counter set n = ?', (n,))
            c.execute('insert into t (x) values (?)', (str(n).zfill(600),))
            c.execute('commit')
            print(n, flush=True)
            if n % 40 == 0: c.execute('pragma wal_checkpoint(truncate)')
            time.sleep(0.002)
        """,
      ], in: package)
    let document = isPackage ? package : database
    var versions: [FileVersion] = []
    for _ in 0..<12 {
      let said = try writer.output.utf8.count
      #expect(try eventually { try writer.output.utf8.count > said })
      versions.append(try desk.store.save(document, asPackage: true).version)
      #expect(!writer.hasEnded)
    }
    try desk.write("", to: "stop")
    let result = try writer.wait(atMost: .seconds(60))
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    versions.append(try desk.store.save(document, asPackage: true).version)
    #expect(Set(versions.map(\.id)).count > 5)
    for (index, version) in versions.enumerated() {
      let place = desk["copy-\(index)"]
      try desk.store.export(version, to: place)
      if isPackage { #expect(try members(of: version) == ["database.sqlite"]) }
      let file = isPackage ? place.appending(path: "database.sqlite") : place
      let answer = try run(
        """
        import sqlite3
        c = sqlite3.connect('\(file.path)')
        check = c.execute('pragma integrity_check').fetchone()[0]
        n = c.execute('select n from counter').fetchone()[0]
        count, last = c.execute('select count(*), max(x) from t').fetchone()
        print(check, count == 1000 + n, int(last) == n)
        """)
      #expect(answer == "ok True True", "\(mode), version \(index)")
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: desk.container.path)
    #expect(!left.contains { $0.contains("-database-") }, "\(left)")
  }

  @Test("A database that a program keeps locked is refused, and can be saved afterward")
  func locked() throws {
    try leave("c.execute('insert into t values (1)')", mode: "delete")
    let writer = try RunningProgram(
      "python3",
      [
        "-c",
        """
        import sqlite3, time
        c = sqlite3.connect('database.sqlite', isolation_level=None)
        c.execute('begin exclusive')
        print('locked', flush=True)
        time.sleep(300)
        """,
      ], in: package)
    #expect(try eventually { try writer.output == "locked\n" })
    let error = #expect(throws: VersionError.self) { _ = try save() }
    #expect(error?.code == .databaseInUse)
    #expect(error?.message.contains("database.sqlite") == true)
    writer.kill()
    _ = try writer.wait()
    #expect(try rows(of: save()) == "ok 1")
  }
}
