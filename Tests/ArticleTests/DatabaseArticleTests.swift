import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB
import Testing

/// The code of the article “Documents that are databases”, compiled and run.
@Suite("The article about databases")
@MainActor
struct DatabaseArticleTests {
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
    let scratch = try ScratchFolder()
    let contacts = Contacts(fileURL: scratch["contacts.sqlite"])
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
