import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentGit
@testable import DocumentStore

/// What simply follows the last exchange is received without reading earlier versions.
@Suite("Exchanges of what follows the last one")
struct FollowingExchangeTests {
  private let scratch: ScratchFolder
  private let mira: Device
  private let tom: Device

  /// Both have a document with three versions, and know that there is nothing to exchange.
  init() throws {
    scratch = try ScratchFolder()
    (mira, tom) = try Device.pair(in: scratch)
    for text in ["one\n", "two\n", "three\n"] { try mira.save(text, as: "x.md") }
    try settle()
  }

  private var cloud: URL { scratch["cloud"] }

  private func settle() throws { for desk in [mira, tom, mira, tom] { try exchange(desk) } }

  @discardableResult
  private func exchange(_ desk: Device) throws -> DocumentExchange {
    desk.clock.advance(bySeconds: 60)
    let results = try ContainerExchange(desk.store.environment).exchange(
      desk.container, through: cloud, leastAge: 0)
    return try #require(results.first)
  }

  /// The versions that Mira would receive without reading earlier ones; nil where she reads everything.
  private func receiving() throws -> (reception: Reception, exchange: FormerExchange)? {
    let folder = try ExchangeFolder(
      cloud.filePath, lockTimeout: 5, clock: .system, meter: ProgressMeter(nil))
    let container = try mira.container.filePath.resolvingLinks()
    let stored = try Layout.storedDocuments(in: container)
    let state = try LastSyncedState(
      of: stored, in: container, with: folder, leastAge: 0, clock: .system)
    guard let document = stored.first, let former = state.formerExchange(of: document) else {
      return nil
    }
    return try mira.store.environment.withWriter(at: document.location(in: container)) { writer in
      try DocumentReceiver(reader: writer.reader, folder: folder)
        .receive(since: former, with: writer)
    }
  }

  /// What the references of Mira’s document are at.
  private func references() throws -> [String: ObjectID] {
    let store = try DocumentLocation(of: mira["x.md"]).store
    return try Repository(store: store).references(below: Head.prefix)
  }

  /// Files of the folder for exchange whose paths have a part.
  private func published(_ part: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: cloud.path).sorted()
      .filter { $0.contains(part) }.map { cloud.appending(path: $0) }
  }

  private func expectTheSame() throws {
    let versions = try tom.history("x.md").versions
    #expect(try mira.history("x.md").versions.map(\.id) == versions.map(\.id))
    #expect(try mira.texts("x.md") == tom.texts("x.md"))
    #expect(try mira.read("x.md") == tom.read("x.md"))
    for desk in [mira, tom] {
      #expect(try desk.store.verify(desk["x.md"]).isWhole)
      try desk.expectSound()
    }
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("The store is the same as after an exchange that reads everything", arguments: [1, 2, 20])
  func sameStore(versions: Int) throws {
    // What was removed and kept here stays so.
    try mira.store.setPinned(true, [mira.history("x.md").versions[2]], of: mira["x.md"])
    try mira.store.remove([mira.history("x.md").versions[1]], of: mira["x.md"])
    try settle()
    for number in 1...versions {
      try tom.save("\(number)\n", as: "x.md")
      if number == 5 { try tom.store.restore(tom.history("x.md").versions[2]) }
    }
    try exchange(tom)
    let copy = scratch["copy"]
    try FileManager.default.copyItem(at: mira.container, to: copy)
    let received = try #require(try receiving())
    #expect(received.reception.count == versions + (versions > 5 ? 1 : 0))
    #expect(received.reception.failure == nil)
    let fast = try references()
    try FileManager.default.removeItem(at: mira.container)
    try FileManager.default.moveItem(at: copy, to: mira.container)
    try FileManager.default.removeItem(at: mira[".docversions/quiet-exchanges"])
    #expect(try receiving() == nil)
    try exchange(mira)
    #expect(try references() == fast)
    #expect(try mira.read("x.md") == "\(versions)\n")
    #expect(try mira.history("x.md").versions.count == tom.history("x.md").versions.count - 1)
  }

  @Test("Devices that save in turn have the same, and never read everything")
  func inTurn() throws {
    for round in 1...6 {
      let (here, there) = round.isMultiple(of: 2) ? (mira, tom) : (tom, mira)
      for number in 0...round % 3 { try here.save("\(round) \(number)\n", as: "x.md") }
      #expect(try exchange(here).sent == round % 3 + 1)
      if round == 5 { #expect(try receiving()?.reception.count == 3) }
      let result = try exchange(there)
      #expect(result.failure == nil && result.sent == 0)
      #expect(result.received == (round == 5 ? 0 : round % 3 + 1))
      #expect(try there.history("x.md").versions.count == here.history("x.md").versions.count)
      try expectTheSame()
    }
  }

  @Test("The list of versions goes on, and is the one that a walk finds")
  func listed() throws {
    for number in 1...20 { try mira.save("\(number)\n", as: "x.md") }
    try settle()
    _ = try mira.history("x.md")
    try tom.save("new\n", as: "x.md")
    try exchange(tom)
    try exchange(mira)
    let index = VersionIndex(in: try DocumentLocation(of: mira["x.md"]).store)
    let store = try StoreReader(DocumentLocation(of: mira["x.md"]), in: mira.store.environment)
    #expect(try index.newest(1, at: store.heads.state())?.count == 24)
    try expectTheSame()
  }

  @Test("Versions that an exchange of everything refuses are refused where they follow, too")
  func impossibleDates() throws {
    let place = try DocumentLocation(of: mira["x.md"])
    let base = try #require(StoreReader(place, in: mira.store.environment).heads.all().first).record
    let exchange = try Repository(store: cloud.filePath, besides: "docs")
    let prefix = "refs/docs/\(base.facts.document)"
    func publish(_ date: Int64, madeFrom parents: [ObjectID]) throws -> ObjectID {
      var facts = base.facts
      facts.date = date
      let (record, object) = try Record.make(facts, parents: parents)
      let content = try ContentCommit.make(for: record, predecessors: [])
      try exchange.write([object, content.object])
      try exchange.setReference(
        "\(prefix)/contents/\(record.id)", to: content.content.id, expecting: nil)
      return record.id
    }
    // One of them is far in the future, and all others but one are only just later.
    let future: Int64 = 9_000_000_000_000_000
    let near = try publish(base.facts.date + 1, madeFrom: [base.id])
    let far = try publish(future, madeFrom: [base.id])
    let farther = try publish(future + 1, madeFrom: [far])
    let head = try publish(future + 2, madeFrom: [farther, near])
    try exchange.setReference("\(prefix)/heads/\(head)", to: head, expecting: nil)
    try exchange.deleteReference("\(prefix)/heads/\(base.id)", expecting: base.id)
    let before = try references()
    // An exchange that reads everything says why.
    #expect(try receiving() == nil)
    let failure = try #require(self.exchange(mira).failure as? VersionError)
    #expect(failure.code == .damagedExchange)
    #expect(failure.message.contains("impossible date"))
    #expect(try references() == before)
    #expect(try mira.history("x.md").versions.count == 3)
  }

  @Test(
    "Where something else has happened, everything is read",
    arguments: [
      "edited here", "saved here", "renamed there", "deleted there", "conflict there",
      "resolved there", "removed here", "content lost", "content changed", "new content lost",
      "head cut", "pack lost", "new pack lost", "rolled back here",
    ])
  func moreToDo(kind: String) throws {
    let files = FileManager.default
    let kept = scratch["kept"]
    try files.copyItem(at: mira.container, to: kept)
    let before = (contents: try published("/contents/"), packs: try published(".pack"))
    switch kind {
    case "renamed there": try tom.store.rename(tom["x.md"], to: "y.md")
    case "deleted there": try tom.store.delete(tom["x.md"])
    case "conflict there", "resolved there":
      try tom.save("vier\n", as: "x.md", base: tom.history("x.md").versions[1])
      if kind == "resolved there" {
        try tom.store.markResolved(tom.history("x.md").unresolvedConflicts, of: tom["x.md"])
      }
    default: try tom.save("four\n", as: "x.md")
    }
    try exchange(tom)
    switch kind {
    case "edited here": try mira.write("mine\n", to: "x.md")
    case "removed here":
      try mira.store.remove([mira.history("x.md").versions[1]], of: mira["x.md"])
    case "saved here": try mira.save("mine\n", as: "x.md")
    case "content lost": try files.removeItem(at: #require(before.contents.first))
    case "content changed":
      try Data("\(ObjectID.emptyTree)\n".utf8).write(to: #require(before.contents.first))
    case "new content lost":
      for file in try published("/contents/") where !before.contents.contains(file) {
        try files.removeItem(at: file)
      }
    case "head cut": try Data("12".utf8).write(to: #require(published("/heads/").first))
    case "pack lost", "new pack lost":
      for pack in try published(".pack")
      where before.packs.contains(pack) == (kind == "pack lost") {
        try files.removeItem(at: pack)
        try files.removeItem(at: pack.deletingPathExtension().appendingPathExtension("idx"))
      }
    case "rolled back here":
      try exchange(mira)
      try tom.save("five\n", as: "x.md")
      try exchange(tom)
      // The note is of the later state, the versions are not.
      for part in ["documents", "x.md"] {
        let place = part == "documents" ? ".docversions/documents" : part
        try files.removeItem(at: mira[place])
        try files.copyItem(at: kept.appending(path: place), to: mira[place])
      }
    default: break
    }
    #expect(try receiving() == nil)
    for _ in 1...2 { for desk in [mira, tom] { try exchange(desk) } }
    switch kind {
    case "renamed there": #expect(try mira.read("y.md") == "three\n")
    case "deleted there": #expect(!files.fileExists(atPath: mira["x.md"].path))
    case "removed here":
      #expect(try mira.texts("x.md") == ["four\n", "three\n", "one\n"])
      #expect(try tom.texts("x.md").count == 4)
    default:
      try expectTheSame()
      let conflicts = try mira.history("x.md").unresolvedConflicts.count
      #expect(
        conflicts == (["edited here", "saved here", "conflict there"].contains(kind) ? 1 : 0))
    }
  }
}
