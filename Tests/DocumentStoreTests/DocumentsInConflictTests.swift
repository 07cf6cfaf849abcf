import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Documents in conflict")
struct DocumentsInConflictTests {
  @Test("Only those in an unresolved conflict are listed")
  func conflicts() throws {
    let desk = try Desk()
    for name in ["a.md", "b.md", "c.md"] { try desk.save("1", as: name) }
    try desk.save("2", as: "a.md")
    try desk.conflict(base: "3", other: "4", current: "5", as: "b.md")
    #expect(try names(desk) == ["b.md"])
    let open = try desk.history("b.md").unresolvedConflicts
    try desk.store.markResolved(open, of: desk["b.md"])
    #expect(try names(desk).isEmpty)
  }

  @Test(
    "A document of which a head was lost is listed",
    arguments: ["gone", "moved away", "moved back", "no reference", "no ledger", "torn ledger"])
  func damage(kind: String) throws {
    let desk = try Desk()
    try desk.save("1", as: "a.md")
    let store = try DocumentLocation(of: desk["a.md"]).store.string
    let main = URL(filePath: store + "/refs/heads/main")
    let ledger = URL(filePath: store + "/ledger")
    let before = try Data(contentsOf: main)
    try desk.save("2", as: "a.md")
    #expect(try names(desk).isEmpty)
    switch kind {
    case "gone": try FileManager.default.removeItem(at: main)
    case "moved away":
      try FileManager.default.moveItem(at: main, to: main.appendingPathExtension("lock"))
    case "moved back": try before.write(to: main)
    case "no reference": try Data("nothing\n".utf8).write(to: main)
    case "no ledger":
      // Not lost for certain: then a closer look tells.
      try FileManager.default.removeItem(at: ledger)
      #expect(try names(desk).isEmpty)
      return
    default:
      try Data(contentsOf: ledger).dropLast(20).write(to: ledger)
      #expect(try names(desk).isEmpty)
      return
    }
    #expect(try names(desk) == ["a.md"])
  }

  private func names(_ desk: Desk) throws -> [String] {
    try #require(try desk.store.documentsInConflict(below: desk.container))
      .map(\.lastPathComponent)
  }
}
