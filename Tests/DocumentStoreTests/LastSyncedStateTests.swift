import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentGit
@testable import DocumentStore

/// Documents that had nothing to exchange are passed over for as long as that is certain, and no longer.
@Suite("Last synced state: exchanges of unchanged documents")
struct LastSyncedStateTests {
  private let scratch: ScratchFolder
  private let mira: Device
  private let tom: Device

  /// Both have two documents with two versions each, and know that there is nothing to exchange.
  init() throws {
    scratch = try ScratchFolder()
    (mira, tom) = try Device.pair(in: scratch)
    for name in ["x.md", "y.md"] {
      try mira.save("one\n", as: name)
      try mira.save("two\n", as: name)
    }
    for desk in [mira, tom, mira, tom] { try exchange(desk) }
  }

  private var cloud: URL { scratch["cloud"] }

  @discardableResult
  private func exchange(_ desk: Device) throws -> [DocumentExchange] {
    desk.clock.advance(bySeconds: 60)
    return try ContainerExchange(desk.store.environment).exchange(
      desk.container, through: cloud, leastAge: 0)
  }

  /// The documents that an exchange would pass over.
  private func passedOver(_ desk: Device) throws -> [String] {
    let folder = try ExchangeFolder(
      cloud.filePath, lockTimeout: 5, clock: .system, meter: ProgressMeter(nil))
    let container = try desk.container.filePath.resolvingLinks()
    let stored = try Layout.storedDocuments(in: container)
    var state = try LastSyncedState(
      of: stored, in: container, with: folder, leastAge: 0, clock: .system)
    return state.documents().unchanged.map(\.document.path)
  }

  /// The versions that an exchange would send without reading earlier ones; nil where it reads everything.
  private func sending(_ desk: Device, _ name: String = "x.md") throws -> Sending? {
    let folder = try ExchangeFolder(
      cloud.filePath, lockTimeout: 5, clock: .system, meter: ProgressMeter(nil))
    let container = try desk.container.filePath.resolvingLinks()
    let stored = try Layout.storedDocuments(in: container)
    let state = try LastSyncedState(
      of: stored, in: container, with: folder, leastAge: 0, clock: .system)
    guard let document = stored.first(where: { $0.path == name }),
      let former = state.formerExchange(of: document)
    else { return nil }
    return try desk.store.environment.withWriter(at: document.location(in: container)) { writer in
      try DocumentSender(reader: writer.reader, folder: folder).send(since: former)
    }
  }

  /// Files of the folder for exchange whose paths have a part.
  private func published(_ part: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: cloud.path).sorted()
      .filter { $0.contains(part) }.map { cloud.appending(path: $0) }
  }

  /// Runs stock git in the folder for exchange.
  private func git(_ arguments: String...) throws {
    let result = try Command.run("git", ["-c", "safe.directory=*", "-C", cloud.path] + arguments)
    #expect(result.exitCode == 0)
  }

  private func store(of name: String) throws -> URL {
    URL(filePath: try DocumentLocation(of: mira[name]).store.string)
  }

  @Test("They are reported as documents with nothing new")
  func nothingNew() throws {
    #expect(try passedOver(mira) == ["x.md", "y.md"])
    #expect(try passedOver(tom) == ["x.md", "y.md"])
    let results = try exchange(mira)
    #expect(results.map(\.document.lastPathComponent) == ["x.md", "y.md"])
    #expect(results.allSatisfy { $0.received + $0.sent + $0.unresolvedConflicts == 0 })
    #expect(results.allSatisfy { $0.failure == nil && $0.formerDocument == nil })
  }

  @Test("What changed just now is not known yet")
  func fresh() throws {
    try mira.save("three\n", as: "x.md")
    for _ in 1...3 { try mira.store.exchange(mira.container, through: cloud) }
    #expect(try passedOver(mira) == ["y.md"])
  }

  @Test("An edit that was not saved is nothing to exchange")
  func edited() throws {
    try mira.write("edited\n", to: "x.md")
    #expect(try passedOver(mira) == ["x.md", "y.md"])
    try exchange(mira)
    #expect(try mira.read("x.md") == "edited\n")
    try tom.save("three\n", as: "x.md")
    try exchange(tom)
    let result = try #require(try exchange(mira).first)
    #expect(result.received == 1 && result.unresolvedConflicts == 1)
  }

  @Test(
    "What changes here is seen, and published",
    arguments: ["saved", "renamed", "moved by hand", "deleted", "pinned", "conflict"])
  func changedHere(kind: String) throws {
    var name = "x.md"
    let files = FileManager.default
    switch kind {
    case "saved": try mira.save("three\n", as: name)
    case "renamed": try mira.store.rename(mira[name], to: "z.md")
    case "moved by hand": try files.moveItem(at: mira[name], to: mira["z.md"])
    case "deleted": try mira.store.delete(mira[name])
    case "pinned": try mira.store.setPinned(true, [mira.history(name).versions[1]], of: mira[name])
    default: try mira.save("three\n", as: name, base: mira.history(name).versions[1])
    }
    if ["renamed", "moved by hand"].contains(kind) { name = "z.md" }
    #expect(try passedOver(mira) == ["y.md"])
    try exchange(mira)
    try exchange(tom)
    #expect(try tom.identifiers(name) == mira.identifiers(name))
    #expect(files.fileExists(atPath: tom[name].path) == (kind != "deleted"))
    #expect(try passedOver(tom).contains("y.md"))
  }

  @Test("Versions saved since are sent without reading earlier ones")
  func savedSince() throws {
    for round in 0..<3 {
      for number in 0...round { try mira.save("\(round) \(number)\n", as: "x.md") }
      if round == 1 { try mira.store.delete(mira["x.md"]) }
      let before = try mira.identifiers("x.md")
      let sent = try #require(try sending(mira))
      #expect(sent.count == round + (round == 1 ? 2 : 1))
      #expect(Set(sent.objects).isSuperset(of: try records(of: "x.md")))
      // The sent versions were not recorded, so everything is read once.
      #expect(try exchange(mira).allSatisfy { $0.received + $0.sent == 0 && $0.failure == nil })
      #expect(try exchange(tom).allSatisfy { $0.unresolvedConflicts == 0 && $0.failure == nil })
      #expect(try tom.identifiers("x.md") == before)
      for desk in [mira, tom] { try exchange(desk) }
      // A deleted document is always read.
      #expect(try passedOver(mira) == (round == 1 ? ["y.md"] : ["x.md", "y.md"]))
    }
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  /// The records of a document of Mira’s.
  private func records(of name: String) throws -> [ObjectID] {
    try mira.history(name).versions.map(\.listed.id)
  }

  @Test("A device that saves and exchanges in turn sends only new versions")
  func inTurn() throws {
    for number in 1...5 {
      try mira.save("\(number)\n", as: "x.md")
      #expect(try exchange(mira).map(\.sent) == [1, 0])
      #expect(try sending(mira)?.count == 0)
    }
    try exchange(tom)
    #expect(try tom.texts("x.md") == (1...5).reversed().map { "\($0)\n" } + ["two\n", "one\n"])
    #expect(try tom.identifiers("x.md") == mira.identifiers("x.md"))
  }

  @Test(
    "Where there is more to do than to send new versions, everything is read",
    arguments: [
      "arrived", "conflict", "removed", "all removed", "rolled back", "another store",
      "lost there", "a stranger’s file",
    ])
  func moreToDo(kind: String) throws {
    let files = FileManager.default
    let kept = scratch["kept"]
    try files.copyItem(at: mira.container, to: kept)
    if kind != "rolled back" { try mira.save("three\n", as: "x.md") }
    switch kind {
    case "arrived":
      try tom.save("drei\n", as: "x.md")
      try exchange(tom)
    case "conflict": try mira.save("drei\n", as: "x.md", base: mira.history("x.md").versions[1])
    case "removed": try mira.store.remove([mira.history("x.md").versions[1]], of: mira["x.md"])
    case "all removed": try mira.store.removeOthers(of: mira["x.md"])
    case "rolled back":
      for name in ["three\n", "four\n"] { try mira.save(name, as: "x.md") }
      try exchange(mira)
      #expect(try sending(mira) != nil)
      // The note is of the later state, the versions are not.
      for part in ["documents", "x.md"] {
        let place = part == "documents" ? ".docversions/documents" : part
        try files.removeItem(at: mira[place])
        try files.copyItem(at: kept.appending(path: place), to: mira[place])
      }
    case "another store":
      try files.removeItem(at: store(of: "x.md"))
      try mira.save("new\n", as: "x.md")
    case "lost there":
      let content = try #require(published("/contents/").first)
      for file in try published("/contents/") where file != content {
        try files.removeItem(at: file)
      }
    default:
      let folder = try #require(published("/contents/").first).deletingLastPathComponent()
      for file in try published("/contents") where file.lastPathComponent == "contents" {
        try Data().write(to: file.appending(path: "note.txt"))
      }
      #expect(files.fileExists(atPath: folder.appending(path: "note.txt").path))
    }
    #expect(try sending(mira) == nil)
    for _ in 1...2 { for desk in [mira, tom] { try exchange(desk) } }
    let here = try mira.identifiers("x.md")
    if kind == "rolled back" { #expect(try mira.read("x.md") == "four\n") }
    if ["removed", "all removed"].contains(kind) {
      #expect(try Set(tom.identifiers("x.md")).isSuperset(of: here))
    } else if kind != "another store" {
      #expect(try Set(tom.identifiers("x.md")) == Set(here))
    }
    #expect(try mira.store.verify(mira["x.md"]).isWhole)
  }

  @Test(
    "What a syncing tool loses of one document is published again",
    arguments: ["head", "content", "content cut", "folder", "pack", "all packs", "everything"])
  func lostThere(kind: String) throws {
    let files = FileManager.default
    let current = try #require(mira.identifiers("x.md").first)
    let head = try #require(published("/heads/\(current)").first)
    let folder = head.deletingLastPathComponent().deletingLastPathComponent()
    let content = try #require(published("\(folder.lastPathComponent)/contents/").first)
    let packs = try published(".pack")
    switch kind {
    case "head": try files.removeItem(at: head)
    case "content": try files.removeItem(at: content)
    // In place: only the file itself changes.
    case "content cut":
      let file = try FileHandle(forWritingTo: content)
      try file.truncate(atOffset: 20)
      try file.close()
    case "folder": try files.removeItem(at: folder)
    case "pack", "all packs":
      for pack in kind == "pack" ? Array(packs.prefix(1)) : packs {
        try files.removeItem(at: pack)
        try files.removeItem(at: pack.deletingPathExtension().appendingPathExtension("idx"))
      }
    default: try files.removeItem(at: cloud)
    }
    #expect(try !passedOver(mira).contains("x.md") || packs.count > 1)
    try exchange(mira)
    let ida = try Device("Ida", in: scratch, clock: mira.clock)
    for result in try exchange(ida) { #expect(result.failure == nil) }
    for name in ["x.md", "y.md"] { #expect(try ida.texts(name) == ["two\n", "one\n"]) }
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("Packs that others compact into one lose nothing, so no document is read again")
  func foldedThere() throws {
    let before = try published(".pack")
    // Git leaves alone what was added just now.
    for keep in try published(".keep") { try FileManager.default.removeItem(at: keep) }
    try git("repack", "-a", "-d", "-q")
    #expect(try published(".pack") != before)
    #expect(try passedOver(mira) == ["x.md", "y.md"])
    try exchange(mira)
    #expect(try passedOver(mira) == ["x.md", "y.md"])
  }

  @Test("References that git has packed are read, and nothing is passed over")
  func packedThere() throws {
    try git("pack-refs", "--all")
    #expect(try passedOver(mira).isEmpty)
    try tom.save("three\n", as: "x.md")
    try exchange(tom)
    try exchange(mira)
    #expect(try mira.read("x.md") == "three\n")
  }

  @Test(
    "Damage and loss here are reported, and not passed over",
    arguments: ["reference", "pack", "ledger", "store"])
  func lostHere(kind: String) throws {
    let files = FileManager.default
    let store = try store(of: "x.md")
    switch kind {
    case "reference": try files.removeItem(at: store.appending(path: "refs/heads/main"))
    case "ledger": try files.removeItem(at: store.appending(path: "ledger"))
    case "store": try files.removeItem(at: store)
    default:
      let folder = store.appending(path: "objects/pack")
      for file in try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        try files.removeItem(at: file)
      }
    }
    #expect(try passedOver(mira) == ["y.md"])
    let failures = try exchange(mira).filter { $0.failure != nil }.count
    #expect(failures == (["reference", "pack"].contains(kind) ? 1 : 0))
  }

  @Test("A file that is cut or changed counts as none", arguments: ["cut", "bits", "folder"])
  func damagedNote(kind: String) throws {
    let container = try mira.container.filePath.resolvingLinks()
    let file = URL(filePath: Layout.lastSyncedState(of: container).string)
    var noted = try Data(contentsOf: file)
    switch kind {
    case "cut": try noted.dropLast(40).write(to: file)
    case "bits":
      noted[noted.count / 2] ^= 1
      try noted.write(to: file)
    default:
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
    #expect(try passedOver(mira).isEmpty)
    #expect(try exchange(mira).allSatisfy { $0.failure == nil })
    #expect(try passedOver(mira) == (kind == "folder" ? [] : ["x.md", "y.md"]))
  }

  @Test("A copy of a container has no entries of the other one")
  func copied() throws {
    let copy = scratch["copy"]
    try FileManager.default.copyItem(at: mira.container, to: copy)
    let container = try copy.filePath.resolvingLinks()
    let folder = try ExchangeFolder(
      cloud.filePath, lockTimeout: 5, clock: .system, meter: ProgressMeter(nil))
    let stored = try Layout.storedDocuments(in: container)
    var state = try LastSyncedState(
      of: stored, in: container, with: folder, leastAge: 0, clock: .system)
    #expect(state.documents().unchanged.isEmpty)
  }
}

extension Device {
  /// The ids of a document’s versions, newest first.
  fileprivate func identifiers(_ name: String) throws -> [String] {
    try history(name).versions.map { "\($0.id)" }
  }
}
