import DocumentFiles
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Documents in conflict")
struct DocumentsInConflictTests {
  @Test("Only those in an unresolved conflict are listed")
  func conflicts() throws {
    let desk = try Device()
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
    let desk = try Device()
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
      // It isn't certain that it is lost, so the store has to be opened.
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
    "The container index is believed only while nothing has changed",
    arguments: [
      "nothing", "conflict", "gone", "moved back", "second head", "packed", "no ledger",
      "other ledger",
      "noted cut",
      "noted bits",
    ])
  func noted(kind: String) throws {
    let desk = try Device()
    for number in 0..<40 { try desk.save("1", as: "\(number).md") }
    let store = try DocumentLocation(of: desk["7.md"]).store
    let main = URL(filePath: store.string + "/refs/heads/main")
    let before = try Data(contentsOf: main)
    try desk.save("2", as: "7.md")
    let container = try FilePath(desk.container.path).resolvingLinks()
    func names() throws -> [String] {
      try DocumentsInConflict(desk.store.environment).documents(
        below: container, in: container, leastAge: 0
      )
      .map(\.lastPathComponent)
    }
    let stores = try FolderReader(Layout.documents(of: container))
    let path = Array("7.md.git".utf8)
    #expect(ContainerIndex(in: container).place(of: path, in: stores) == nil)
    #expect(try names() == [])
    #expect(ContainerIndex(in: container).place(of: path, in: stores) != nil)
    let file = URL(filePath: ContainerFile.containerIndex.path(in: container).string)
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
    case "other ledger":
      // The ledger is as copied from another device, with a head that no reference has.
      let path = store.string + "/ledger"
      let lines = try HeadLedger(in: store).lines().compactMap { $0 }
      let heads = try #require(lines.last) + #require(lines.first)
      try Data(HeadLedger.firstLine(heads.reversed()).utf8)
        .write(to: URL(filePath: path), options: .atomic)
    case "noted cut": try noted.dropLast(40).write(to: file)
    case "noted bits":
      noted[noted.count / 2] ^= 1
      try noted.write(to: file)
    default: break
    }
    #expect(
      (ContainerIndex(in: container).place(of: path, in: stores) != nil) == (kind == "nothing"))
    let isOpen = ["conflict", "gone", "moved back"].contains(kind)
    #expect(try names() == (isOpen ? ["7.md"] : []))
    #expect(try names() == (isOpen ? ["7.md"] : []))
  }

  @Test("Several heads in the ledger are believed only while the references are at them")
  func severalHeads() throws {
    let desk = try Device()
    try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    let container = try FilePath(desk.container.path).resolvingLinks()
    func findings() throws -> ConflictSearch.Findings {
      try ConflictSearch(in: container, at: 1).findings(
        among: Layout.storedDocuments(in: container))
    }
    #expect(try findings().inConflict == [0])
    let store = try DocumentLocation(of: desk["a.md"]).store
    let references = URL(filePath: store.string + "/refs/heads")
    let other = try #require(
      FileManager.default.contentsOfDirectory(atPath: references.path).first { $0 != "main" })
    let lost = URL(filePath: store.string + "/lost-versions")
    try Data().write(to: lost)
    #expect(try findings().unclear == [0])
    try FileManager.default.removeItem(at: lost)
    let packed = URL(filePath: store.string + "/packed-refs")
    try Data("# pack-refs\n".utf8).write(to: packed)
    #expect(try findings().unclear == [0])
    try FileManager.default.removeItem(at: packed)
    // Both references at one head: the other one is lost.
    let main = try Data(contentsOf: references.appending(path: "main"))
    try main.write(to: references.appending(path: other))
    #expect(try findings().unclear == [0])
    #expect(try names(desk) == ["a.md"])
  }

  @Test("Heads of which one follows the other are no conflict")
  func settledReference() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let store = try DocumentLocation(of: desk["a.md"]).store
    let references = URL(filePath: store.string + "/refs/heads")
    let former = try Data(contentsOf: references.appending(path: "main"))
    try desk.save("2", as: "a.md")
    // As a crash leaves it.
    try former.write(to: references.appending(path: "b"))
    #expect(try names(desk).isEmpty)
  }

  @Test("Entries of documents that are gone are dropped when the index is written")
  func forgotten() throws {
    let desk = try Device()
    for number in 0..<80 { try desk.save("1", as: "\(number).md") }
    let container = try FilePath(desk.container.path).resolvingLinks()
    func size() throws -> Int {
      _ = try DocumentsInConflict(desk.store.environment).documents(
        below: container, in: container, leastAge: 0)
      return try Data(
        contentsOf: URL(filePath: ContainerFile.containerIndex.path(in: container).string)
      ).count
    }
    let before = try size()
    for number in 0..<40 {
      try FileManager.default.removeItem(
        atPath: DocumentLocation(of: desk["\(number).md"]).store.string)
      try desk.save("2", as: "\(number).md")
    }
    #expect(try size() == before)
  }

  private func names(_ desk: Device) throws -> [String] {
    try #require(try desk.store.documentsInConflict(below: desk.container))
      .map(\.lastPathComponent)
  }
}
