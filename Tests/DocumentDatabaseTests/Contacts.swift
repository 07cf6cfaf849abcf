import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB

/// An address book, with two tables, a trigger and a table without a key.
@MainActor
final class Contacts: DatabaseDocument {
  private(set) var reasons: [LoadReason] = []
  private(set) var errors: [any Error] = []
  var hasNotes = false

  override var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("contacts") { database in
      try database.execute(
        sql: """
          CREATE TABLE contact (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
          CREATE TABLE phone (
            id INTEGER PRIMARY KEY, contact INTEGER NOT NULL REFERENCES contact ON DELETE CASCADE,
            number TEXT NOT NULL);
          CREATE TABLE change (id INTEGER PRIMARY KEY, text TEXT);
          CREATE TRIGGER renamed AFTER UPDATE OF name ON contact BEGIN
            INSERT INTO change (text) VALUES (old.name || ' is ' || new.name);
          END;
          CREATE TABLE word (text);
          """)
    }
    if hasNotes {
      migrator.registerMigration("notes") {
        try $0.execute(sql: "CREATE TABLE note (id PRIMARY KEY)")
      }
    }
    return migrator
  }

  override func databaseDidChange(because reason: LoadReason) { reasons.append(reason) }
  override func handle(_ error: any Error) { errors.append(error) }

  func run(_ sql: String) async throws {
    try await write { try $0.execute(sql: sql) }
    undoManager?.endEvent()
  }

  /// Returns the contents of all tables, as one text.
  func rows() async throws -> String { try await read { try Contacts.rows(of: $0) } }

  nonisolated static func rows(of database: Database) throws -> String {
    try ["contact", "phone", "change", "word"].flatMap { table in
      try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
        row.databaseValues.map { $0.description.replacing("\"", with: "") }.joined(separator: " ")
      }
    }.joined(separator: ", ")
  }

  /// Adds Mira with a telephone number.
  func addMira() async throws {
    try await run(
      """
      INSERT INTO contact VALUES (1, 'Mira', 'Oslo');
      INSERT INTO phone VALUES (7, 1, '12')
      """)
  }
}

/// A person's folder with an address book.
@MainActor
struct Desk {
  let scratch: ScratchFolder
  let clock = ManualClock()
  let folder: URL
  let url: URL
  let store: VersionStore

  init(person: String = "Mira", in scratch: ScratchFolder? = nil) throws {
    let scratch = try scratch ?? ScratchFolder()
    self.scratch = scratch
    folder = scratch[person]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "Friends.contacts")
    var store = VersionStore(identity: Identity(author: person, device: "\(person)’s laptop"))
    store.types.add(
      DocumentType("org.example.contacts", filenameExtensions: ["contacts"], isPackage: true))
    self.store = store
  }

  var database: URL { url.appending(path: DatabaseDocument.databaseName) }

  func contacts() -> Contacts {
    Contacts(fileURL: url, environment: DocumentEnvironment(store: store, clock: clock.clock))
  }

  func created() async throws -> Contacts {
    let contacts = contacts()
    try await contacts.create()
    try await contacts.addMira()
    try await contacts.save()
    return contacts
  }

  var versions: [FileVersion] { get async throws { try await store.history(of: url).versions } }

  /// Returns the rows of the database in the package.
  func rowsInPackage() throws -> String {
    try DatabaseQueue(path: database.path).read { try Contacts.rows(of: $0) }
  }

  /// Returns the rows of a version.
  func rows(of version: FileVersion) async throws -> String {
    let place = scratch["\(UUID()).sqlite"]
    try await version.contents(ofMember: DatabaseDocument.databaseName).write(to: place)
    return try await DatabaseQueue(path: place.path).read { try Contacts.rows(of: $0) }
  }

  /// Replaces the database with one that has other rows, as another program would.
  func replaceDatabase(_ sql: String) throws {
    let other = scratch["other.sqlite"]
    try FileManager.default.copyItem(at: database, to: other)
    let queue = try DatabaseQueue(path: other.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    try Data(contentsOf: other).write(to: database, options: .atomic)
    try FileManager.default.removeItem(at: other)
  }
}
