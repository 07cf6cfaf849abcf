import DocumentFiles
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

  @Test(
    "What was noted of many is believed only while nothing has changed",
    arguments: [
      "nothing", "conflict", "gone", "moved back", "second head", "packed", "no ledger",
      "noted cut",
      "noted bits",
    ])
  func noted(kind: String) throws {
    let desk = try Desk()
    for number in 0..<40 { try desk.save("1", as: "\(number).md") }
    let store = try DocumentLocation(of: desk["7.md"]).store
    let main = URL(filePath: store.string + "/refs/heads/main")
    let before = try Data(contentsOf: main)
    try desk.save("2", as: "7.md")
    func names() throws -> [String]? {
      try desk.store.documentsInConflict(below: desk.container, leastAge: 0)?
        .map(\.lastPathComponent)
    }
    let container = FilePath(desk.container.path)
    let stores = try Glance(Layout.documents(of: container))
    let path = Array("7.md.git".utf8)
    #expect(!QuietDocuments(in: container).contains(path, in: stores))
    #expect(try names() == [])
    #expect(QuietDocuments(in: container).contains(path, in: stores))
    let file = URL(filePath: Layout.quietDocuments(of: container).string)
    var noted = try Data(contentsOf: file)
    switch kind {
    case "conflict": try desk.save("3", as: "7.md", base: desk.history("7.md").versions[1])
    case "gone": try FileManager.default.removeItem(at: main)
    // In place: the folder does not change.
    case "moved back": try before.write(to: main)
    case "second head": try before.write(to: main.deletingLastPathComponent().appending(path: "b"))
    case "packed":
      try Data("# pack-refs\n".utf8).write(to: URL(filePath: store.string + "/packed-refs"))
    case "no ledger": try FileManager.default.removeItem(atPath: store.string + "/ledger")
    case "noted cut": try noted.dropLast(40).write(to: file)
    case "noted bits":
      noted[noted.count / 2] ^= 1
      try noted.write(to: file)
    default: break
    }
    #expect(QuietDocuments(in: container).contains(path, in: stores) == (kind == "nothing"))
    let isOpen = ["conflict", "gone", "moved back"].contains(kind)
    #expect(try names() == (isOpen ? ["7.md"] : []))
    #expect(try names() == (isOpen ? ["7.md"] : []))
  }

  private func names(_ desk: Desk) throws -> [String] {
    try #require(try desk.store.documentsInConflict(below: desk.container))
      .map(\.lastPathComponent)
  }
}
