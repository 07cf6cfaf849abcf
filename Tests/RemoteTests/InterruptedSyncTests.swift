import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Broken connections, and remotes and devices that go back in time.
@Suite("Sync goes on where it was interrupted", .blocks)
struct InterruptedSyncTests {
  private let world: RemoteWorld

  init() throws {
    world = try RemoteWorld()
  }

  @Test("The records of a clone stay where its contents are cut off, and a sync gets the rest")
  func cutClone() throws {
    var generator = SeededGenerator(seed: 7)
    for number in 1...20 {
      let text = (0..<400).map { _ in "\(Int.random(in: 0..<1_000_000, using: &generator))\n" }
      try world.world.save(text.joined(), as: "\(number).md", on: "mira")
    }
    try world.meet("mira")
    let line = try CuttableLine(to: world.server.port)
    let remote = try Remote(
      name: "origin", address: world.server.address(of: "docs", port: line.port))
    let access = world.access
    _ = try world.world.store("ida").clone(remote, to: world.world.scratch["ida"], access: access)
    let total = line.passed

    let folder = world.world.scratch["jo"]
    line.cut(after: total * 3 / 4)
    let failure = #expect(throws: VersionError.self) {
      try world.world.store("jo").clone(remote, to: folder, access: access)
    }
    #expect(failure?.code == .remoteUnreachable)
    line.cut(after: nil)
    let before = line.passed
    let outcome = try world.world.store("jo").sync(folder, access: access)
    #expect(outcome.received == 20)
    #expect(line.passed - before < total)
    for number in 1...20 {
      let text = try world.world.read("\(number).md", on: "jo")
      #expect(text == (try world.world.read("\(number).md", on: "mira")))
    }
  }

  /// Returns incompressible bytes that are never the same.
  private func noise(_ seed: Int) -> Data {
    var generator = SeededGenerator(seed: seed)
    return Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Returns the store of a device that exchanges two documents per step.
  private func steppingStore(_ name: String) throws -> SynchronousStore {
    var store = try world.device(name).store
    store.environment.transferStep.documents = 2
    return store
  }

  @Test("A first sync is sent in steps: what was sent stays where the line is cut")
  func cutFirstSync() throws {
    let line = try CuttableLine(to: world.server.port)
    let mira = try world.device("mira", address: world.server.address(of: "docs", port: line.port))
    for number in 1...5 {
      try noise(number).write(to: mira["\(number).bin"])
      try mira.store.save(mira["\(number).bin"])
    }
    let store = try steppingStore("mira")
    line.cut(after: 350_000)
    let failure = #expect(throws: VersionError.self) {
      try store.sync(mira.container, access: world.access)
    }
    #expect(failure?.code == .remoteUnreachable)
    line.cut(after: nil)
    try world.expectSound("mira")
    let names = try world.references().keys.filter { $0.hasPrefix("refs/heads/") }
    let branch = try #require(names.first)
    let shown = try world.server.git(
      ["-C", world.server.folder("docs").path, "ls-tree", "--name-only", branch])
    #expect(shown == "1.bin\n2.bin\n")

    let before = line.passed
    try store.sync(mira.container, access: world.access)
    #expect(line.passed - before < 400_000)
    try world.sync("tom")
    let tom = try world.device("tom")
    for number in 1...5 {
      #expect(try Data(contentsOf: tom["\(number).bin"]) == noise(number))
    }
    #expect(try world.sync("mira").sent == 0)
    try world.expectSound("mira", "tom")
  }

  @Test("Going back in time, a server meets what is new before what it has")
  func datesOfSteps() throws {
    let mira = try world.device("mira")
    var store = try steppingStore("mira")
    func day(_ number: Int) -> Int { 1_795_824_000 + 86_400 * number }
    func setClock(to number: Int) {
      let date = Date(timeIntervalSince1970: Double(day(number)))
      store.environment.clock = { date }
    }
    for number in 1...4 {
      setClock(to: number)
      try Data("\(number)\n".utf8).write(to: mira["\(number).md"])
      try store.save(mira["\(number).md"])
    }
    setClock(to: 30)
    try store.sync(mira.container, access: world.access)
    let references = try world.references().keys.filter { $0.contains("docversions/") }
    #expect(references.count == 2)
    for reference in references {
      let dates = try world.server.git([
        "-C", world.server.folder("docs").path, "log", "--first-parent", "--format=%ct %at",
        reference,
      ])
      #expect(dates.hasPrefix("\(day(4)) \(day(30))\n\(day(2)) \(day(30))\n"))
    }
    #expect(
      try store.devices(of: mira.container, access: world.access).first?.lastPublished
        == Date(timeIntervalSince1970: Double(day(30))))
  }

  @Test("Documents that exchange names in one sync of several steps have their new ones everywhere")
  func renamedInSteps() throws {
    for number in 1...4 { try world.world.save("\(number)\n", as: "\(number).md", on: "mira") }
    try world.meet("mira", "tom")
    let mira = try world.device("mira")
    for (former, new) in [("1", "x"), ("4", "1"), ("x", "4"), ("2", "y"), ("3", "2"), ("y", "3")] {
      _ = try mira.store.rename(mira["\(former).md"], to: "\(new).md")
    }
    let store = try steppingStore("mira")
    try store.sync(mira.container, access: world.access)
    try world.meet("tom", "mira")
    let names = try world.references().keys.filter { $0.contains("heads/docversions/mira") }
    let branch = try #require(names.first)
    for (name, text) in [("1", "4\n"), ("4", "1\n"), ("2", "3\n"), ("3", "2\n")] {
      #expect(try world.world.read("\(name).md", on: "tom") == text)
      let shown = try world.server.git(
        ["-C", world.server.folder("docs").path, "show", "\(branch):\(name).md"])
      #expect(shown == text)
    }
    try world.expectSound("mira", "tom")
  }

  @Test("A clone in steps keeps what has arrived, where the server sends single objects")
  func cutCloneInSteps() throws {
    let repository = world.server.folder("docs").path
    try world.server.git(
      ["-C", repository, "config", "uploadpack.allowReachableSHA1InWant", "true"])
    let mira = try world.device("mira")
    for number in 1...5 {
      try noise(number).write(to: mira["\(number).bin"])
      try mira.store.save(mira["\(number).bin"])
    }
    try world.meet("mira")
    let line = try CuttableLine(to: world.server.port)
    let jo = try world.device("jo", address: world.server.address(of: "docs", port: line.port))
    let store = try steppingStore("jo")
    line.cut(after: 350_000)
    let failure = #expect(throws: VersionError.self) {
      try store.sync(jo.container, access: world.access)
    }
    #expect(failure?.code == .remoteUnreachable)
    line.cut(after: nil)
    let before = line.passed
    #expect(try store.sync(jo.container, access: world.access).received == 5)
    #expect(line.passed - before < 400_000)
    for number in 1...5 {
      #expect(try Data(contentsOf: jo["\(number).bin"]) == noise(number))
    }
    #expect(try store.sync(jo.container, access: world.access).received == 0)
    try world.expectSound("mira", "jo")
  }

  @Test("Cut at any byte and run again, a sync comes to the same")
  func cut() throws {
    let line = try CuttableLine(to: world.server.port)
    let address = world.server.address(of: "docs", port: line.port)
    for name in ["mira", "tom"] { _ = try world.device(name, address: address) }
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    let access = world.access

    // This counts the bytes of one sync of two devices, to know how often to cut.
    func change(_ number: Int) throws {
      try world.world.save("Mira’s \(number)\n", as: "m.md", on: "mira")
      try world.world.save("Tom’s \(number)\n", as: "t.md", on: "tom")
    }
    try change(0)
    let before = line.passed
    try world.meet("mira", "tom")
    let total = line.passed - before
    #expect(total > 2_000)

    var number = 0
    for place in stride(from: 0, to: total, by: TestMode.isFull ? 7 : max(1, total / 12)) {
      number += 1
      try change(number)
      line.cut(after: place)
      var failures = 0
      for name in ["mira", "tom", "mira"] {
        do {
          _ = try world.sync(name, access: access)
        } catch let error as VersionError {
          failures += 1
          let isLine = [.remoteUnreachable, .remoteRefused].contains(error.code)
          #expect(isLine, "cut after \(place): \(error)")
        }
      }
      line.cut(after: nil)
      try world.meet("mira", "tom")
      for document in ["m.md", "t.md"] {
        try world.expectAgreement(about: document, among: ["mira", "tom"])
      }
      #expect(try world.world.read("m.md", on: "tom") == "Mira’s \(number)\n")
      #expect(try world.world.read("t.md", on: "mira") == "Tom’s \(number)\n")
      if place < 100 { #expect(failures > 0) }
    }
    try world.expectSound("mira", "tom")
  }

  @Test(
    "Behind a proxy that lets no connection live long, local work is unharmed, and a later sync has everything"
  )
  func cutInTime() throws {
    let line = try CuttableLine(to: world.server.port)
    let address = world.server.address(of: "docs", port: line.port)
    for name in ["mira", "tom"] { _ = try world.device(name, address: address) }
    // These bytes don't compress.
    var text = ""
    for number in 0..<20_000 { text += "\(UInt64(number) &* 6_364_136_223_846_793_005)\n" }
    try world.world.save(text, as: "long.md", on: "mira")
    line.cut(afterSeconds: 0.5, atSpeed: 100_000)
    for _ in 0..<2 {
      let failure = #expect(throws: VersionError.self) { try world.sync("mira") }
      #expect(failure?.code == .remoteUnreachable)
      #expect(failure?.recovery != nil)
    }
    line.cut(afterSeconds: nil)
    try world.sync("mira")
    line.cut(afterSeconds: 0.5, atSpeed: 100_000)
    let failure = #expect(throws: VersionError.self) { try world.sync("tom") }
    #expect(failure?.code == .remoteUnreachable)
    line.cut(afterSeconds: nil)
    try world.meet("mira", "tom")
    #expect(try world.world.read("long.md", on: "tom") == text)
    try world.expectAgreement(about: "long.md", among: ["mira", "tom"])
    try world.expectSound("mira", "tom")
  }

  @Test("A server that stops answering ends in time, with a reason")
  func silent() throws {
    let server = try LoopbackServer { connection in while !connection.receive().isEmpty {} }
    let mira = try world.device("mira", address: "git://127.0.0.1:\(server.port)/docs")
    try world.world.save("one\n", as: "a.md", on: "mira")
    var access = world.access
    access.idleTimeout = .seconds(1)
    let failure = #expect(throws: VersionError.self) {
      try mira.store.sync(mira.container, access: access)
    }
    #expect(failure?.code == .remoteUnreachable)
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
  }

  // MARK: Remotes that lost something

  /// Lets Mira and Tom sync, with a conflict and a history.
  private func begin() throws {
    for number in 1...3 { try world.world.save("\(number)\n", as: "a.md", on: "mira") }
    try world.meet("mira", "tom")
    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.world.save("Tom’s\n", as: "a.md", on: "tom")
    try world.meet("mira", "tom")
  }

  private func expectWhole() throws {
    try world.meet("mira", "tom")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    _ = try world.world.store("ida").clone(
      Remote(name: "origin", address: world.server.address(of: "docs")),
      to: world.world.scratch["ida"], access: world.access)
    try world.expectAgreement(about: "a.md", among: ["mira", "ida"])
    let versions = try world.world.history("a.md", on: "ida").versions
    #expect(versions.filter { !$0.hasLocalContents }.isEmpty)
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("A remote that was made anew, empty, gets everything again")
  func recreated() throws {
    try begin()
    try FileManager.default.removeItem(at: world.server.folder("docs"))
    try world.server.makeRepository("docs")
    try expectWhole()
  }

  @Test("A remote that was restored from a backup is brought forward")
  func restored() throws {
    try begin()
    let folder = world.server.folder("docs")
    let backup = world.world.scratch["backup.git"]
    try FileManager.default.copyItem(at: folder, to: backup)
    try world.world.save("later\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: backup, to: folder)
    try expectWhole()
    #expect(try world.world.read("a.md", on: "tom") == "later\n")
  }

  @Test("References that a remote lost come back", arguments: ["records", "heads", "all"])
  func lost(which: String) throws {
    try begin()
    for name in try world.references().keys {
      let isLost =
        switch which {
        case "records": name.hasSuffix("/records")
        case "heads": name.hasPrefix("refs/heads/")
        default: true
        }
      if isLost {
        try world.server.git(["-C", world.server.folder("docs").path, "update-ref", "-d", name])
      }
    }
    try world.server.git(["-C", world.server.folder("docs").path, "gc", "-q", "--prune=now"])
    try expectWhole()
  }

  @Test("What this device keeps of a remote may be lost, or damaged")
  func lostMirror() throws {
    try begin()
    let mirrors = try world.device("mira")[".docversions/sync/mirrors"]
    try FileManager.default.removeItem(at: mirrors)
    try world.world.save("more\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    let packs = try #require(
      FileManager.default.enumerator(atPath: mirrors.path)?.compactMap { $0 as? String }
        .filter { $0.hasSuffix(".pack") })
    for pack in packs {
      let file = try FileHandle(forWritingTo: mirrors.appending(path: pack))
      try file.truncate(atOffset: 40)
      try file.close()
    }
    try world.world.save("and more\n", as: "a.md", on: "mira")
    try expectWhole()
    #expect(try world.world.read("a.md", on: "tom") == "and more\n")
  }

  // MARK: Devices that go back, or are two

  @Test("A device that was restored from a backup takes a new identity, and loses nothing")
  func restoredDevice() throws {
    try begin()
    let mira = try world.device("mira")
    let backup = world.world.scratch["backup"]
    try FileManager.default.copyItem(at: mira.container, to: backup)
    try world.world.save("lost on the device\n", as: "b.md", on: "mira")
    try world.meet("mira")
    try FileManager.default.removeItem(at: mira.container)
    try FileManager.default.moveItem(at: backup, to: mira.container)
    try world.world.save("new\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    #expect(try world.world.read("b.md", on: "mira") == "lost on the device\n")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    #expect(try world.references().count == 6)
  }

  @Test("A folder that was copied to another computer becomes a device of its own")
  func copied() throws {
    try begin()
    let mira = try world.device("mira")
    _ = try mira.copied(to: world.world.scratch["copy"])
    try world.world.save("by the copy\n", as: "c.md", on: "copy")
    try world.world.save("by Mira\n", as: "d.md", on: "mira")
    try world.meet("mira", "copy", "mira", "tom")
    #expect(try world.world.read("c.md", on: "tom") == "by the copy\n")
    #expect(try world.world.read("d.md", on: "tom") == "by Mira\n")
    #expect(try world.references().count == 6)
  }

  @Test("Contents that were thinned everywhere leave the branches, and do not come back")
  func withdrawn() throws {
    for number in 1...20 { try world.world.save("\(number)\n", as: "a.md", on: "mira") }
    try world.meet("mira", "tom")
    for name in ["mira", "tom"] {
      let device = try world.device(name)
      try device.store.thin(device["a.md"], keeping: RetentionPolicy(last: 2))
    }
    try world.meet("mira", "tom", "mira", "tom")
    for name in ["mira", "tom"] {
      let held = try world.world.history("a.md", on: name).versions.count(where: \.hasLocalContents)
      #expect(held <= 3)
    }
    _ = try world.world.store("ida").clone(
      Remote(name: "origin", address: world.server.address(of: "docs")),
      to: world.world.scratch["ida"], access: world.access)
    let versions = try world.world.history("a.md", on: "ida").versions
    #expect(versions.count == 20)
    #expect(versions.count(where: \.hasLocalContents) <= 3)
    #expect(try world.world.read("a.md", on: "ida") == "20\n")
    try world.expectSound("mira", "tom", "ida")
  }

  /// The ways in which hosts forbid replacing a branch.
  enum Forbidding: CaseIterable {
    case denyNonFastForwards
    /// A hook, such as that of a protected branch, which doesn't report this reason.
    case hook
  }

  @Test(
    "A host that lets no branch begin anew keeps the old ones, versions still arrive, and the person hears of it",
    arguments: Forbidding.allCases)
  func noFreeing(by way: Forbidding) throws {
    let folder = world.server.folder("docs")
    switch way {
    case .denyNonFastForwards:
      try world.server.git(["-C", folder.path, "config", "receive.denyNonFastForwards", "true"])
    case .hook:
      let hook = folder.appending(path: "hooks/pre-receive")
      let lines = """
        none=0000000000000000000000000000000000000000
        while read old new name; do
          case $name in refs/heads/*) ;; *) continue ;; esac
          [ $old = $none ] || git merge-base --is-ancestor $old $new || exit 1
        done
        """
      try Script.write(lines, to: hook)
    }
    for number in 1...20 { try world.world.save("\(number)\n", as: "a.md", on: "mira") }
    try world.meet("mira", "tom")
    #expect(try !world.sync("mira").removedContentsStay)
    let mira = try world.device("mira")
    try mira.store.thin(mira["a.md"], keeping: RetentionPolicy(last: 2))
    try world.world.save("later\n", as: "b.md", on: "mira")
    #expect(try world.sync("mira").removedContentsStay)
    #expect(try world.sync("mira").removedContentsStay)
    try world.meet("mira", "tom")
    #expect(try world.world.read("b.md", on: "tom") == "later\n")
    #expect(try !world.sync("tom").removedContentsStay)
    try world.expectSound("mira", "tom")
  }
}
