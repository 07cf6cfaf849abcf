import DocumentDatabase
import Foundation
import GRDB
import Testing

/// The code of the article “Documents that are databases”, compiled and run.
///
/// Another test checks that the text and this code are the same.
@Suite("The article about databases")
@MainActor
struct ArticleTests {
  final class Contacts: DatabaseDocument {
    override var migrator: DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("contacts") { db in
        try db.create(table: "contact") { table in
          table.autoIncrementedPrimaryKey("id")
          table.column("name", .text).notNull()
        }
      }
      return migrator
    }
  }

  @Test("Documents that are databases")
  func databases() async throws {
    let desk = try Desk()
    let contacts = Contacts(
      fileURL: desk.url, environment: DocumentEnvironment(store: desk.store))
    var logged: [Int] = []
    func log(_ number: Int) { logged.append(number) }
    try await contacts.create()
    try await contacts.write("Add Contact") { db in
      try db.execute(sql: "INSERT INTO contact (name) VALUES (?)", arguments: ["Mira"])
    }
    for try await count in contacts.observe({
      try Int.fetchOne($0, sql: "SELECT count(*) FROM contact")
    }) {
      log(count ?? 0)
      break
    }
    #expect(logged == [1])
    #expect(contacts.undoManager?.undoMenuItemTitle == "Undo Add Contact")
    try await contacts.close()
  }
}
