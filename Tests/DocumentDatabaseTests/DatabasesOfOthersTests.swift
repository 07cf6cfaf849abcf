import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB
import Testing

/// Changes of a document with a database by other programs and devices, and the state after a crash.
@Suite("A document with a database beside others")
@MainActor
struct DatabasesOfOthersTests {
  private static let mira = "1 Mira Oslo, 7 1 12"

  @Test("Edits of two devices in different rows are merged while the document is open")
  func twoDevices() async throws {
    let scratch = try ScratchFolder()
    let (mira, tom) = (try Desk(in: scratch), try Desk(person: "Tom", in: scratch))
    let shared = scratch["shared"]
    try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
    let contacts = try await mira.created()
    try await mira.store.exchange(mira.folder, through: shared)
    try await tom.store.exchange(tom.folder, through: shared)
    let others = tom.contacts()
    try await others.open()
    #expect(try await others.rows() == Self.mira)
    try await others.run("INSERT INTO contact VALUES (2, 'Tom', 'Bonn')")
    try await others.close()
    try await contacts.run("UPDATE contact SET city = 'Rome'")
    try await contacts.save()
    try await tom.store.exchange(tom.folder, through: shared)
    try await mira.store.exchange(mira.folder, through: shared)
    #expect(try await comesTrue { contacts.state.contains(.inConflict) })
    var values = contacts.observe { try Contacts.rows(of: $0) }.makeAsyncIterator()
    _ = try await values.next()
    let outcome = try await contacts.resolve(.merge)
    guard case .resolved = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(try await contacts.rows() == "1 Mira Rome, 2 Tom Bonn, 7 1 12")
    #expect(try await values.next() == "1 Mira Rome, 2 Tom Bonn, 7 1 12")
    #expect(try mira.rowsInPackage() == "1 Mira Rome, 2 Tom Bonn, 7 1 12")
    try await contacts.run("DELETE FROM contact WHERE id = 2")
    try await contacts.close()
    #expect(try mira.rowsInPackage() == "1 Mira Rome, 7 1 12")
    #expect(contacts.errors.isEmpty)
  }

  @Test("A package that another program replaced is shown, or kept beside unsaved changes")
  func replaced() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    try desk.replaceDatabase("UPDATE contact SET city = 'Rome'")
    #expect(
      try await comesTrue { try await contacts.rows() == "1 Mira Rome, 7 1 12" })
    let first = contacts.baseVersion
    try await contacts.run("INSERT INTO contact VALUES (2, 'Ida', NULL)")
    // The loaded contents become a version with the first change, and the document knows that version.
    #expect(try await comesTrue { contacts.baseVersion != first })
    #expect(try await desk.versions.count == 3)
    try desk.replaceDatabase("UPDATE contact SET city = 'Bonn'")
    try await contacts.save()
    #expect(contacts.state.contains(.inConflict))
    #expect(try await contacts.rows() == "1 Mira Rome, 2 Ida NULL, 7 1 12")
    let outcome = try await contacts.resolve(.merge)
    #expect(try await contacts.rows() == "1 Mira Bonn, 2 Ida NULL, 7 1 12", "\(outcome)")
  }

  @Test("A write that had begun before the document was reverted is a version")
  func lateWrite() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    let first = try #require(try await desk.versions.first)
    try await contacts.run("UPDATE contact SET city = 'Rome'")
    try await contacts.save()
    let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let write = Task {
      try await contacts.write {
        try $0.execute(sql: "UPDATE contact SET city = 'Late'")
        started.signal()
        goOn.wait()
      }
    }
    _ = await Task.detached { started.wait() }.value
    let reverting = Task { try await contacts.revert(to: first) }
    #expect(try await comesTrue { contacts.reasons.last == .reverted })
    goOn.signal()
    try await write.value
    try await reverting.value
    await contacts.settleDatabases()
    #expect(try await contacts.rows() == Self.mira)
    var kept: [String] = []
    for version in try await desk.versions { kept.append(try await desk.rows(of: version)) }
    #expect(kept.contains("1 Mira Late, 7 1 12"), "\(kept)")
  }

  // MARK: After a crash

  private func kill(after sql: String, _ desk: Desk) throws {
    let program = try RunningProgram(
      BuiltProgram.url(of: "DatabaseProgram").path, [desk.url.path, sql])
    let hasWritten = try eventually(within: .seconds(60)) {
      try program.output.contains("written") || program.hasEnded
    }
    try #require(hasWritten)
    #expect(!program.hasEnded)
    program.kill()
    _ = try program.wait()
  }

  @Test("What a killed program had written is there again, as an unsaved change")
  func killed() async throws {
    let desk = try Desk()
    try await desk.created().close()
    try kill(after: "UPDATE contact SET city = 'Rome'", desk)
    #expect(try desk.rowsInPackage() == Self.mira)
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(contacts.hasUnsavedChanges)
    #expect(try await contacts.rows() == "1 Mira Rome, 7 1 12")
    try await contacts.close()
    #expect(try desk.rowsInPackage() == "1 Mira Rome, 7 1 12")
    await contacts.settleDatabases()
    let again = desk.contacts()
    try await again.open()
    #expect(!again.hasUnsavedChanges)
    try await again.close()
  }

  @Test("What a killed program had written is a version where the document was changed since")
  func killedThenChanged() async throws {
    let desk = try Desk()
    try await desk.created().close()
    try kill(after: "UPDATE contact SET city = 'Rome'", desk)
    try desk.replaceDatabase("INSERT INTO contact VALUES (2, 'Tom', 'Bonn')")
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(contacts.state.contains(.inConflict))
    #expect(try await contacts.rows() == "1 Mira Oslo, 2 Tom Bonn, 7 1 12")
    _ = try await contacts.resolve(.merge)
    #expect(try await contacts.rows() == "1 Mira Rome, 2 Tom Bonn, 7 1 12")
    try await contacts.close()
  }

  // MARK: Bad input

  /// Returns the code of the error of opening, and checks that the document is closed and its files are
  /// unchanged.
  private func refusal(_ desk: Desk) async throws -> FileError.Code? {
    let contacts = desk.contacts()
    var code: FileError.Code?
    do { try await contacts.open() } catch let error as FileError {
      code = error.code
      #expect(error.message.contains("Friends.contacts"), "\(error.message)")
    }
    #expect(!contacts.isOpen)
    return code
  }

  @Test("A database that is encrypted or damaged is refused, and stays as it is")
  func damaged() async throws {
    let desk = try Desk()
    try await desk.created().close()
    let whole = try Data(contentsOf: desk.database)
    var noise = SystemRandomNumberGenerator()
    let encrypted = Data((0..<whole.count).map { _ in UInt8.random(in: 0...255, using: &noise) })
    var holed = whole
    holed.replaceSubrange(4096..<8192, with: Data(repeating: 0xAA, count: 4096))
    for bytes in [encrypted, holed, Data(whole.prefix(5_000)), Data("SQLite format 3\0".utf8)] {
      try bytes.write(to: desk.database)
      #expect(try await refusal(desk) == .damaged)
      #expect(try Data(contentsOf: desk.database) == bytes)
    }
    try whole.write(to: desk.database)
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(try await contacts.rows() == Self.mira)
  }

  @Test("A file, and a package without a database, are refused")
  func otherKinds() async throws {
    let desk = try Desk()
    try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: true)
    #expect(try await refusal(desk) == .notFound)
    try FileManager.default.removeItem(at: desk.url)
    try Data("SQLite format 3\0".utf8).write(to: desk.url)
    #expect(try await refusal(desk) == .wrongKind)
  }

  @Test("A database that another program keeps locked is refused until that one closes it")
  func locked() async throws {
    let desk = try Desk()
    try await desk.created().close()
    let holder = try Command.start(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute('begin exclusive')
      print('locked', flush=True)
      sys.stdin.read(); import time; time.sleep(600)
      """, desk.database)
    #expect(try await comesTrue { try holder.output.contains("locked") })
    #expect(try await refusal(desk) == .busy)
    holder.kill()
    #expect(try await comesTrue { holder.hasEnded })
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(try await contacts.rows() == Self.mira)
  }

  @Test("A log that a killed program left beside the database is read, and gone after a save")
  func logLeft() async throws {
    let desk = try Desk()
    try await desk.created().close()
    let holder = try Command.start(
      """
      import sqlite3, sys, time
      c = sqlite3.connect(sys.argv[1])
      c.execute('pragma journal_mode = wal')
      c.execute("update contact set city = 'Rome'")
      c.commit()
      print('written', flush=True)
      time.sleep(600)
      """, desk.database)
    #expect(try await comesTrue { try holder.output.contains("written") })
    holder.kill()
    _ = try holder.wait()
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(try await contacts.rows() == "1 Mira Rome, 7 1 12")
    try await contacts.run("INSERT INTO contact VALUES (2, 'Ida', NULL)")
    try await contacts.save()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.url.path) == ["database.sqlite"])
    #expect(try desk.rowsInPackage() == "1 Mira Rome, 2 Ida NULL, 7 1 12")
  }
}

extension Command {
  /// Starts a Python script with a database.
  fileprivate static func start(_ script: String, _ database: URL) throws -> RunningProgram {
    try RunningProgram("python3", ["-c", script, database.path])
  }
}
