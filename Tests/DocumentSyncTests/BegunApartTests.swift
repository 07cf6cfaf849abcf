import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

/// Documents that began on several devices, and names and contents that were changed independently.
@Suite("Documents that began apart")
struct BegunApartTests {
  private let world: World

  init() throws {
    world = try World()
  }

  private func names(_ device: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: world.scratch[device].path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Expects one document with the same versions, the same current one and the same file on each device.
  private func expectOne(
    _ text: String, on devices: [String], conflicts: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let first = try world.history("a.md", on: devices[0])
    for device in devices {
      let history = try world.history("a.md", on: device)
      #expect(try names(device) == ["a.md"], sourceLocation: sourceLocation)
      #expect(try world.read("a.md", on: device) == text, sourceLocation: sourceLocation)
      #expect(
        Set(history.versions.map(\.id)) == Set(first.versions.map(\.id)),
        sourceLocation: sourceLocation)
      #expect(history.current?.id == first.current?.id, sourceLocation: sourceLocation)
      #expect(history.unresolvedConflicts.count == conflicts, sourceLocation: sourceLocation)
      #expect(
        history.documentIdentifier == first.documentIdentifier, sourceLocation: sourceLocation)
      #expect(try world.device(device).problems().isEmpty, sourceLocation: sourceLocation)
      let report = try world.store(device).verify(world.url(device, "a.md"))
      #expect(report.isWhole, sourceLocation: sourceLocation)
    }
  }

  @Test("Lists of patterns for one folder are one document, whatever they hold")
  func lists() throws {
    let name = ".docversionsignore"
    for device in ["mira", "tom"] {
      try world.save("/\(device)/\n", as: name, on: device)
      try world.save("*.log\n", as: "sub/\(name)", on: device)
    }
    for _ in 1...2 { try world.exchange("mira", "tom") }
    for device in ["mira", "tom"] {
      #expect(try world.store(device).documents(below: world.scratch[device])?.count == 2)
      let history = try world.history(name, on: device)
      #expect(history.unresolvedConflicts.count == 1 && history.versions.count == 2)
      #expect(try world.history("sub/\(name)", on: device).unresolvedConflicts.isEmpty)
      #expect(try world.device(device).problems().isEmpty)
    }
  }

  private static let devices = ["mira", "tom", "ida"]

  @Test(
    "Devices with the same file have one document, whatever the order of exchanges",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 1, 0, 2], [0, 2, 0, 1]])
  func orders(order: [Int]) throws {
    for device in Self.devices { try world.save("one\n", as: "a.md", on: device) }
    // A version that follows the common one is an edit.
    try world.save("one\ntwo\n", as: "a.md", on: "ida")
    for number in order { try world.exchange(Self.devices[number]) }
    try world.exchange("mira", "tom", "ida")
    try world.exchange("mira", "tom", "ida")
    try expectOne("one\ntwo\n", on: Self.devices)
    try world.save("one\ntwo\nthree\n", as: "a.md", on: "tom")
    try world.exchange("tom", "mira", "ida")
    try expectOne("one\ntwo\nthree\n", on: Self.devices)
  }

  @Test("Two edits of the version in common are a conflict with that base")
  func bothEdited() throws {
    for device in ["mira", "tom"] { try world.save("one\n", as: "a.md", on: device) }
    try world.save("one, Mira\n", as: "a.md", on: "mira")
    try world.save("one, Tom\n", as: "a.md", on: "tom")
    try world.exchange("mira", "tom")
    try world.exchange("mira", "tom")
    try expectOne("one, Tom\n", on: ["mira", "tom"], conflicts: 1)
    // Places that differ on both sides are questions with that base.
    let texts = try world.history("a.md", on: "mira").versions.map {
      String(decoding: try $0.contents(), as: UTF8.self)
    }
    #expect(texts.contains("one\n"))
  }

  @Test("A store that was begun anew, and an old file without a store, go on with the document")
  func begunAnew() throws {
    try world.save("one\n", as: "a.md", on: "mira")
    try world.save("one\ntwo\n", as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    try FileManager.default.removeItem(at: world.scratch["tom/.docversions"])
    try world.save("one\ntwo\nthree\n", as: "a.md", on: "mira")
    try world.device("tom").store.save(world.url("tom", "a.md"))
    try world.exchange("mira", "tom")
    try expectOne("one\ntwo\nthree\n", on: ["mira", "tom"])
    try FileManager.default.removeItem(at: world.scratch["tom/.docversions"])
    try world.device("tom").write("one\n", to: "a.md")
    try world.exchange("tom", "mira")
    try expectOne("one\ntwo\nthree\n", on: ["mira", "tom"])
  }

  @Test(
    "Documents with nothing in common stay two, until they are joined", arguments: [true, false])
  func joined(isByMira: Bool) throws {
    try world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.save("Tom’s\n", as: "a.md", on: "tom")
    let found = try world.exchange("mira", "tom") + world.exchange("mira", "tom")
    #expect(found.allSatisfy { $0.unresolvedConflicts == 0 })
    for device in ["mira", "tom"] { #expect(try names(device) == ["a 2.md", "a.md"]) }
    let device = isByMira ? "mira" : "tom"
    let current = try world.store(device).join(
      world.url(device, "a.md"), with: world.url(device, "a 2.md"))
    #expect(current.documentURL.lastPathComponent == "a.md")
    try world.exchange(device)
    try world.exchange("mira", "tom")
    try expectOne("Tom’s\n", on: ["mira", "tom"], conflicts: 1)
  }

  @Test("Joining keeps the edits, pins and removed versions of both")
  func keptOnJoining() throws {
    let mira = try world.device("mira")
    try mira.save("a\n", as: "a.md")
    let first = try mira.save("b1\n", as: "b.md")
    let second = try mira.save("b2\n", as: "b.md")
    try mira.save("b3\n", as: "b.md")
    try first.setPinned(true)
    try second.remove()
    try mira.write("b4\n", to: "b.md")
    try mira.store.join(mira["a.md"], with: mira["b.md"])
    #expect(try names("mira") == ["a.md"])
    let history = try mira.history("a.md")
    #expect(
      try Set(history.versions.filter(\.hasLocalContents).map { try $0.contents() })
        == Set(["a\n", "b1\n", "b3\n", "b4\n"].map { Data($0.utf8) }))
    #expect(history.versions.filter(\.isPinned).map(\.id) == [first.id])
    #expect(history.unresolvedConflicts.count == 1)
    #expect(try mira.problems().isEmpty)
  }

  @Test("What can’t be one document is refused")
  func refused() throws {
    let mira = try world.device("mira")
    try mira.save("a\n", as: "a.md")
    try mira.write("b\n", to: "b.md")
    expectVersionError(.invalidArgument) {
      try mira.store.join(mira["a.md"], with: mira["a.md"])
    }
    expectVersionError(.noVersions) { try mira.store.join(mira["a.md"], with: mira["b.md"]) }
    try world.save("c\n", as: "c.md", on: "tom")
    expectVersionError(.invalidArgument) {
      try mira.store.join(mira["a.md"], with: world.url("tom", "c.md"))
    }
    #expect(try names("mira") == ["a.md", "b.md"])
  }

  // MARK: Name and contents

  @Test(
    "A new name and new contents meet in one version on every device", arguments: [true, false])
  func renamedAndEdited(isOfflineTogether: Bool) throws {
    try world.save("one\n", as: "a.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    try world.store("mira").rename(world.url("mira", "a.md"), to: "b.md")
    try world.save("two\n", as: "a.md", on: "tom")
    if isOfflineTogether {
      // Both join before they hear of each other.
      for device in ["mira", "tom", "ida"] { try world.exchange(device) }
    }
    try world.exchange("mira", "tom", "ida")
    for device in ["mira", "tom", "ida"] {
      #expect(try names(device) == ["b.md"])
      #expect(try world.read("b.md", on: device) == "two\n")
      let history = try world.history("b.md", on: device)
      #expect(history.unresolvedConflicts.isEmpty)
      #expect(history.versions.count == 4)
    }
  }

  @Test("A new folder and a new name meet in one version on every device")
  func movedAndRenamed() throws {
    let mira = try world.device("mira")
    try mira.store.makeContainer(mira.container)
    try world.save("one\n", as: "Work/a.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    try world.store("mira").rename(world.url("mira", "Work/a.md"), to: "b.md")
    let moved = world.url("tom", "Done/a.md")
    try FileManager.default.moveItem(
      at: world.url("tom", "Work"), to: moved.deletingLastPathComponent())
    try world.store("tom").save(moved)
    try world.exchange("mira", "tom", "ida")
    for device in ["mira", "tom", "ida"] {
      #expect(try world.read("Done/b.md", on: device) == "one\n")
      #expect(try world.history("Done/b.md", on: device).unresolvedConflicts.isEmpty)
      #expect(try names(device).filter { $0 != "Work" } == ["Done"])
    }
  }

  @Test(
    "Two new names, and a new name against a deletion, are questions", arguments: [true, false])
  func stillAsked(isDeleted: Bool) throws {
    try world.save("one\n", as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.store("mira").rename(world.url("mira", "a.md"), to: "b.md")
    if isDeleted {
      try world.store("tom").delete(world.url("tom", "a.md"))
    } else {
      try world.store("tom").rename(world.url("tom", "a.md"), to: "c.md")
    }
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      let documents = try #require(try world.store(device).documents(below: world.scratch[device]))
      let conflicts = try documents.map {
        try world.store(device).history(of: $0).unresolvedConflicts.count
      }
      #expect(conflicts == [1])
    }
  }
}
