import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Documents that are certainly unchanged")
struct UnchangedDocumentsTests {
  /// A device with as many documents as an index is written for, all of them recorded as unchanged.
  private func recorded() throws -> Device {
    let desk = try Device(
      fileClock: MovableFileClock(standingAt: FileClock.system.now + 60_000_000_000))
    for number in 0..<ContainerIndex.fewest { try desk.save("1", as: "\(number).md") }
    try record(desk)
    return desk
  }

  private func record(_ desk: Device) throws {
    let search = try #require(try desk.store.unchangedDocuments(below: desk.container))
    var found: [URL: Int] = [:]
    for document in search.documents {
      let (state, history) = try #require(try desk.store.stateAndHistory(of: document, newest: 1))
      if state == .unchanged, history.unresolvedConflicts.isEmpty {
        found[document] = history.count
      }
    }
    search.record(found)
  }

  private func versions(_ desk: Device, _ name: String) throws -> Int? {
    let search = try #require(try desk.store.unchangedDocuments(below: desk.container))
    let document = try #require(search.documents.first { $0.lastPathComponent == name })
    return search.versions(of: document)
  }

  @Test("What was found to be unchanged is known the next time, with its number of versions")
  func known() throws {
    let desk = try recorded()
    let search = try #require(try desk.store.unchangedDocuments(below: desk.container))
    #expect(search.documents.count == ContainerIndex.fewest)
    #expect(search.documents.allSatisfy { search.versions(of: $0) == 1 })
  }

  @Test(
    "Whatever changes a document, its versions or what it shows has to be read again",
    arguments: [
      "edited", "edited in place, with the former time", "mode", "gone", "renamed", "saved",
      "removed",
      "conflict", "shown", "folder", "undone", "store moved",
    ])
  func changed(kind: String) throws {
    let desk = try recorded()
    let document = desk["7.md"]
    let path = document.path
    let store = try DocumentLocation(of: document).store.string
    switch kind {
    case "edited": try desk.write("2", to: "7.md")
    case "edited in place, with the former time":
      let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      let handle = try FileHandle(forUpdating: document)
      try handle.write(contentsOf: Data("2".utf8))
      try handle.close()
      try FileManager.default.setAttributes(
        [.modificationDate: try #require(before)], ofItemAtPath: path)
    case "mode":
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    case "gone": try FileManager.default.removeItem(at: document)
    case "renamed": try FileManager.default.moveItem(at: document, to: desk["other.md"])
    case "saved": try desk.save("2", as: "7.md")
    case "removed":
      try desk.save("2", as: "7.md")
      try record(desk)
      try desk.store.remove([desk.history("7.md").versions[1]], of: document)
    case "conflict":
      try desk.save("2", as: "7.md")
      try desk.save("3", as: "7.md", base: desk.history("7.md").versions[1])
    case "shown":
      // In place, as programs that copy between devices write it.
      let head = store + "/HEAD"
      let bytes = try Data(contentsOf: URL(filePath: head))
      try bytes.write(to: URL(filePath: head))
    case "folder":
      try FileManager.default.removeItem(at: document)
      try FileManager.default.createDirectory(at: document, withIntermediateDirectories: false)
    case "undone":
      try desk.save("2", as: "7.md")
      try desk.store.restore(desk.history("7.md").versions[1], of: document)
      try record(desk)
      try desk.store.undo(document)
    default:
      try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
      try FileManager.default.copyItem(atPath: store + ".away", toPath: store)
    }
    #expect(try versions(desk, "7.md") == nil)
    #expect(try versions(desk, "8.md") == 1)
  }

  @Test("A document that changed just now is not recorded, and a database never is")
  func notRecorded() throws {
    let clock = MovableFileClock(standingAt: FileClock.system.now + 60_000_000_000)
    let desk = try Device(fileClock: clock)
    for number in 0..<ContainerIndex.fewest { try desk.save("1", as: "\(number).md") }
    try desk.save("SQLite format 3\0and so on", as: "base.db")
    var now = desk
    now.store.environment.fileClock = FileClock.system
    try record(now)
    #expect(try versions(desk, "7.md") == nil)
    try record(desk)
    #expect(try versions(desk, "7.md") == 1)
    #expect(try versions(desk, "base.db") == nil)
  }

  @Test("A damaged index knows nothing, and is written again", arguments: ["cut", "bits", "empty"])
  func damaged(kind: String) throws {
    let desk = try recorded()
    let file = URL(
      filePath: ContainerFile.containerIndex.path(
        in: try DocumentLocation(of: desk["7.md"]).container
      ).string)
    var bytes = try Data(contentsOf: file)
    switch kind {
    case "cut": bytes = bytes.dropLast(40)
    case "bits": bytes[bytes.count / 2] ^= 1
    default: bytes = Data()
    }
    try bytes.write(to: file)
    #expect(try versions(desk, "7.md") == nil)
    try record(desk)
    #expect(try versions(desk, "7.md") == 1)
  }
}
