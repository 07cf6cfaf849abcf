import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB
import Testing

/// Documents of an app that are databases.
@Suite("A document with a database")
@MainActor
struct DatabaseDocumentTests {
  private static let mira = "1 Mira Oslo, 7 1 12"

  // MARK: Saving

  @Test("It is created, written, saved and opened again, and leaves nothing beside its package")
  func roundTrip() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    #expect(try await contacts.rows() == Self.mira)
    #expect(try desk.rowsInPackage() == Self.mira)
    try await contacts.close()
    await contacts.settleDatabases()
    #expect(try await desk.versions.count == 2)
    #expect(throws: DocumentError.self) { try contacts.database }
    let again = desk.contacts()
    try await again.open()
    #expect(try await again.rows() == Self.mira)
    #expect(!again.hasUnsavedChanges)
    try await again.close()
    await again.settleDatabases()
    #expect(try await desk.versions.count == 2)
    func left() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path)
        .filter { $0.contains("open-databases/") || $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }
    }
    // The folder is removed with the last access to the database.
    #expect(try await comesTrue { try left().isEmpty })
  }

  @Test("What is written is saved by itself after a pause; the log is no part of the package")
  func autosave() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    try await contacts.run("UPDATE contact SET city = 'Rome'")
    #expect(contacts.hasUnsavedChanges)
    #expect(try desk.rowsInPackage() == Self.mira)
    desk.clock.advance(.seconds(31))
    await contacts.settle()
    #expect(!contacts.hasUnsavedChanges)
    #expect(try desk.rowsInPackage() == "1 Mira Rome, 7 1 12")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.url.path) == ["database.sqlite"])
    try await contacts.close()
    #expect(try await desk.versions.count == 3)
  }

  @Test("GRDB’s own writes count as changes, too")
  func ownWrites() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    let queue = try contacts.database
    try await queue.write { try $0.execute(sql: "DELETE FROM contact") }
    #expect(contacts.hasUnsavedChanges)
    try await contacts.save()
    #expect(try desk.rowsInPackage() == "")
    #expect(!contacts.hasUnsavedChanges)
  }

  @Test("Other members of the package are saved with it")
  func members() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    _ = try contacts.wrapper?.addRegularFile(
      withContents: Data("a photo".utf8), preferredFilename: "photo.png")
    if contacts.wrapper == nil {
      contacts.wrapper = try DocumentWrapper(
        directoryWithFileWrappers: [
          "photo.png": DocumentWrapper(regularFileWithContents: Data("a photo".utf8))
        ])
    }
    contacts.updateChangeCount(.done)
    try await contacts.save()
    try await contacts.close()
    let again = desk.contacts()
    try await again.open()
    #expect(
      try again.wrapper?.fileWrappers["photo.png"]?.regularFileContents == Data("a photo".utf8))
    #expect(try await again.rows() == Self.mira)
  }

  // MARK: Undo

  @Test(
    "A change is undone and done again, whatever it did to other tables, also after a save",
    arguments: [
      "INSERT INTO contact VALUES (2, 'Tom', NULL)", "UPDATE contact SET name = 'Ida'",
      "DELETE FROM contact",
      "DELETE FROM phone; DELETE FROM contact; INSERT INTO change VALUES (1, 'x')",
    ])
  func undo(sql: String) async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    let undoManager = try #require(contacts.undoManager)
    try await contacts.run(sql)
    let changed = try await contacts.rows()
    try await contacts.save()
    undoManager.undo()
    #expect(try await contacts.rows() == Self.mira)
    #expect(contacts.hasUnsavedChanges)
    undoManager.redo()
    #expect(try await contacts.rows() == changed)
    #expect(!contacts.hasUnsavedChanges)
    undoManager.undo()
    try await contacts.save()
    #expect(try desk.rowsInPackage() == Self.mira)
    #expect(contacts.errors.isEmpty)
    let problems = try await contacts.read {
      try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count
    }
    #expect(problems == 0)
  }

  @Test("Transactions of an app’s own group are one change, with a name")
  func group() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    let undoManager = try #require(contacts.undoManager)
    undoManager.groupsByEvent = false
    undoManager.beginUndoGrouping()
    try await contacts.write("Add Friends") {
      try $0.execute(sql: "INSERT INTO contact VALUES (2, 'Tom', NULL)")
    }
    try await contacts.write("Add Friends") {
      try $0.execute(sql: "INSERT INTO contact VALUES (3, 'Ida', NULL)")
    }
    undoManager.endUndoGrouping()
    #expect(undoManager.undoMenuItemTitle == "Undo Add Friends")
    undoManager.undo()
    #expect(try await contacts.rows() == Self.mira)
  }

  @Test(
    "What can’t be taken back ends what can",
    arguments: ["INSERT INTO word VALUES ('x')", "CREATE TABLE more (id INTEGER PRIMARY KEY)"])
  func undoEnds(sql: String) async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    try await contacts.run("UPDATE contact SET city = 'Rome'")
    #expect(contacts.undoManager?.canUndo == true)
    try await contacts.run(sql)
    #expect(contacts.undoManager?.canUndo == false)
    #expect(contacts.hasUnsavedChanges)
    try await contacts.run("UPDATE contact SET city = 'Bonn'")
    #expect(contacts.undoManager?.canUndo == true)
  }

  @Test("A change that an index of a text search follows ends what can be undone")
  func textSearch() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    try await contacts.run(
      """
      CREATE VIRTUAL TABLE search USING fts5(name, content = 'contact', content_rowid = 'id');
      CREATE TRIGGER added AFTER INSERT ON contact BEGIN
        INSERT INTO search (rowid, name) VALUES (new.id, new.name);
      END;
      INSERT INTO search (search) VALUES ('rebuild')
      """)
    func found(_ word: String) async throws -> Int? {
      try await contacts.read {
        try Int.fetchOne(
          $0, sql: "SELECT count(*) FROM search WHERE search MATCH ?", arguments: [word])
      }
    }
    for (id, name) in [(2, "Tom"), (3, "Ida"), (4, "Eva")] {
      try await contacts.run("INSERT INTO contact VALUES (\(id), '\(name)', NULL)")
    }
    #expect(try await found("ida") == 1)
    #expect(contacts.undoManager?.canUndo == false)
    #expect(contacts.hasUnsavedChanges)
    try await contacts.run("INSERT INTO contact VALUES (5, 'Ada', NULL)")
    #expect(try await found("ada") == 1)
    try await contacts.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    try await contacts.save()
    #expect(contacts.errors.isEmpty)
  }

  @Test("A transaction that fails, or changes nothing, is no change")
  func failed() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    await #expect(throws: DatabaseError.self) {
      try await contacts.run(
        "INSERT INTO contact VALUES (2, 'Tom', NULL); INSERT INTO contact VALUES (2, 'x', 'y')")
    }
    try await contacts.run("UPDATE contact SET name = name")
    _ = try await contacts.rows()
    #expect(!contacts.hasUnsavedChanges || contacts.undoManager?.canUndo == true)
    #expect(try await contacts.rows().hasPrefix("1 Mira Oslo, 7 1 12"))
  }

  // MARK: Observing

  @Test("What is observed follows writes, undo and another database")
  func observe() async throws {
    let desk = try Desk()
    let contacts = try await desk.created()
    let first = try #require(try await desk.versions.first)
    var values = contacts.observe { try Contacts.rows(of: $0) }.makeAsyncIterator()
    #expect(try await values.next() == Self.mira)
    try await contacts.run("UPDATE contact SET city = 'Rome'")
    #expect(try await values.next() == "1 Mira Rome, 7 1 12")
    contacts.undoManager?.undo()
    #expect(try await values.next() == Self.mira)
    try await contacts.run("DELETE FROM contact")
    #expect(try await values.next() == "")
    try await contacts.revert(to: first)
    #expect(try await values.next() == Self.mira)
    #expect(contacts.reasons == [.reverted])
    #expect(contacts.undoManager?.canUndo == false)
    try await contacts.close()
    #expect(try await values.next() == nil)
    // The earlier edits are a version.
    var kept: [String] = []
    for version in try await desk.versions { kept.append(try await desk.rows(of: version)) }
    #expect(kept.contains(""))
  }

  @Test("A schema of a newer app is read-only")
  func newerApp() async throws {
    let desk = try Desk()
    let newer = desk.contacts()
    newer.hasNotes = true
    try await newer.create()
    try await newer.close()
    let contacts = desk.contacts()
    try await contacts.open()
    #expect(contacts.isReadOnly)
    await #expect(throws: DocumentError.self) { try await contacts.addMira() }
    try await contacts.close()
  }
}
