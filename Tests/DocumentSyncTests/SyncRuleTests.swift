import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentGit
@testable import DocumentStore
@testable import DocumentSync

/// The rules of the protocol between devices that concern folders.
@Suite("The protocol between devices")
struct SyncRuleTests {
  private let world: World

  init() throws {
    world = try World()
  }

  private var cloud: URL { world.cloud }

  @discardableResult
  private func exchange(_ name: String) throws -> ExchangeOutcome {
    world.clock.advance(bySeconds: 60)
    let device = try world.device(name)
    let outcome = try device.store.exchange(device.container, through: cloud)
    for result in outcome.documents { #expect(result.failure == nil) }
    return outcome
  }

  private func git(_ arguments: String..., in folder: URL? = nil) throws -> String {
    let result = try Command.run(
      "git", ["-c", "safe.directory=*", "-C", (folder ?? cloud).path] + arguments)
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    return result.output
  }

  private func references() throws -> [String: String] {
    let lines = try git("for-each-ref", "--format=%(refname) %(objectname)").split(separator: "\n")
    return Dictionary(
      lines.map { line in
        let fields = line.split(separator: " ").map(String.init)
        return (fields[0], fields[1])
      }, uniquingKeysWith: { $1 })
  }

  private func size(of folder: URL) throws -> Int {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
      let values = try files.attributesOfItem(atPath: folder.appending(path: name).path)
      return sum
        + (values[.type] as? FileAttributeType == .typeRegular ? values[.size] as? Int ?? 0 : 0)
    }
  }

  // MARK: References

  @Test("Each device has two references, however many versions and documents there are")
  func twoReferences() throws {
    for number in 1...5 {
      for name in ["a.md", "b.md", "sub/c.md"] {
        try world.save("\(number)\n", as: name, on: "mira")
      }
      try exchange("mira")
    }
    try exchange("tom")
    try world.save("Tom’s\n", as: "a.md", on: "tom")
    try exchange("tom")
    let names = try references().keys.sorted()
    #expect(names.count == 4)
    #expect(names.count { $0.hasPrefix("refs/docversions/") && $0.hasSuffix("/records") } == 2)
    #expect(names.contains { $0.hasPrefix("refs/heads/docversions/mira-s-laptop-") })
    #expect(names.contains { $0.hasPrefix("refs/heads/docversions/tom-s-laptop-") })
  }

  @Test("A stock clone shows each device's documents on a branch")
  func stockClone() throws {
    try world.save("a\n", as: "a.md", on: "mira")
    try world.save("c\n", as: "sub/c.md", on: "mira")
    try exchange("mira")
    try exchange("tom")
    try world.save("Tom’s\n", as: "a.md", on: "tom")
    try exchange("tom")
    try exchange("mira")
    let clone = world.scratch["clone"]
    for name in try references().keys where name.hasPrefix("refs/heads/") {
      let branch = String(name.dropFirst("refs/heads/".count))
      _ = try Command.run(
        "git", ["-c", "safe.directory=*", "clone", "-q", "-b", branch, cloud.path, clone.path])
      #expect(try String(contentsOf: clone.appending(path: "a.md"), encoding: .utf8) == "Tom’s\n")
      #expect(try String(contentsOf: clone.appending(path: "sub/c.md"), encoding: .utf8) == "c\n")
      try FileManager.default.removeItem(at: clone)
    }
  }

  @Test("A document that is renamed or deleted is so on the branch of its device")
  func renamedOnTheBranch() throws {
    try world.save("a\n", as: "a.md", on: "mira")
    try world.save("b\n", as: "b.md", on: "mira")
    try exchange("mira")
    let mira = try world.device("mira")
    try mira.store.rename(mira["a.md"], to: "renamed.md")
    try mira.store.delete(mira["b.md"])
    try exchange("mira")
    let branch = try #require(references().keys.first { $0.hasPrefix("refs/heads/") })
    #expect(try git("ls-tree", "-r", "--name-only", branch) == "renamed.md\n")
  }

  @Test("One changed member of a package of 1,000 is at most 12 objects both ways")
  func fewObjects() throws {
    let mira = try world.device("mira")
    for number in 0..<1_000 {
      try mira.write("\(number)\n", to: "p.pkg/\(number % 20)/\(number).txt")
    }
    try mira.store.save(mira["p.pkg"], asPackage: true)
    try exchange("mira")
    try exchange("tom")
    try exchange("mira")
    func objects() throws -> Int {
      try git("cat-file", "--batch-check", "--batch-all-objects").split(separator: "\n").count
    }
    var before = try objects()
    world.clock.advance(bySeconds: 60)
    try mira.write("changed\n", to: "p.pkg/7/7.txt")
    try mira.store.save(mira["p.pkg"], asPackage: true)
    try exchange("mira")
    #expect(try objects() - before <= 12)
    before = try objects()
    try exchange("tom")
    #expect(try objects() - before <= 12)
    #expect(try world.read("p.pkg/7/7.txt", on: "tom") == "changed\n")
  }

  @Test("Nothing new writes nothing, and no document is opened")
  func nothingNew() throws {
    for number in 0..<20 { try world.save("\(number)\n", as: "\(number).md", on: "mira") }
    for name in ["mira", "tom", "mira", "tom", "mira"] { try exchange(name) }
    let before = try references()
    for name in ["mira", "tom", "mira"] {
      let outcome = try exchange(name)
      #expect(outcome.documents.isEmpty && outcome.sentBytes == 0 && outcome.receivedBytes == 0)
    }
    #expect(try references() == before)
  }

  // MARK: Letting go

  private func noise(_ seed: UInt64) -> String {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<400).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state, radix: 36) + "\n"
    }.joined()
  }

  @Test("The folder shrinks once versions are thinned", arguments: [["mira"], ["mira", "tom"]])
  func shrinks(devices: [String]) throws {
    for number in 1...60 {
      try world.save(noise(UInt64(number)), as: "n.md", on: "mira")
      try exchange("mira")
    }
    for name in devices { try exchange(name) }
    let large = try size(of: cloud)
    for name in devices {
      let device = try world.device(name)
      try device.store.thin(device["n.md"], keeping: RetentionPolicy(last: 10))
    }
    for name in devices + devices + devices { try exchange(name) }
    let small = try size(of: cloud)

    let other = try World()
    for number in 51...60 {
      try other.save(noise(UInt64(number)), as: "n.md", on: "mira")
      try other.exchange("mira")
    }
    for _ in 1...2 { for name in devices { try other.exchange(name) } }
    #expect(small < large / 3)
    #expect(Double(small) <= 1.5 * Double(try size(of: other.cloud)))
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
    try exchange("ida")
    #expect(try world.history("n.md", on: "ida").versions.count { $0.hasLocalContents } == 10)
    #expect(try world.read("n.md", on: "ida") == noise(60))
  }

  @Test("Withdrawn contents stay for 14 days where another device has not seen that they went")
  func grace() throws {
    for number in 1...20 { try world.save(noise(UInt64(number)), as: "n.md", on: "mira") }
    try exchange("mira")
    try exchange("tom")
    let mira = try world.device("mira")
    try mira.store.thin(mira["n.md"], keeping: RetentionPolicy(last: 2))
    try exchange("mira")
    let large = try size(of: cloud)
    world.clock.advance(bySeconds: 13 * 86_400)
    try exchange("mira")
    #expect(try size(of: cloud) >= large)
    world.clock.advance(bySeconds: 2 * 86_400)
    try exchange("mira")
    #expect(try size(of: cloud) < large / 2)
    // Tom has the versions, and publishes them now that no other device does.
    try exchange("tom")
    try exchange("ida")
    #expect(try world.history("n.md", on: "ida").versions.count { $0.hasLocalContents } == 20)
    // Versions that were removed there stay removed there.
    try exchange("mira")
    #expect(try world.history("n.md", on: "mira").versions.count { $0.hasLocalContents } == 2)
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("A removed version stays removed on the device that removed it, even if others publish it")
  func removed() throws {
    for number in 1...4 { try world.save("\(number)\n", as: "n.md", on: "mira") }
    try world.exchange("mira", "tom")
    let tom = try world.device("tom")
    let second = try tom.history("n.md").versions[2]
    try tom.store.remove([second], of: tom["n.md"])
    try world.save("5\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.history("n.md", on: "tom").versions.map(\.id).contains(second.id) == false)
    #expect(try world.history("n.md", on: "mira").versions.map(\.id).contains(second.id))
  }

  @Test("A discardable version that a later one follows is not published, and its record is")
  func discardable() throws {
    let first = try world.save("1\n", as: "n.md", on: "mira")
    try world.save("2\n", as: "n.md", on: "mira")
    try world.history("n.md", on: "mira").versions
      .first { $0.id == first.id }?.setDiscardable(true)
    try world.exchange("mira", "tom")
    let versions = try world.history("n.md", on: "tom").versions
    #expect(versions.count == 2)
    #expect(versions.map(\.hasLocalContents) == [true, false])
  }

  // MARK: Identity

  private func restore(_ name: String, from backup: URL) throws {
    let container = world.scratch[name]
    try FileManager.default.removeItem(at: container)
    try FileManager.default.copyItem(at: backup, to: container)
  }

  @Test("A device that was restored from a backup takes a new identity, and loses nothing")
  func restoredDevice() throws {
    try world.save("1\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    let backup = world.scratch["backup"]
    try FileManager.default.copyItem(at: world.scratch["mira"], to: backup)
    try world.save("2\n", as: "n.md", on: "mira")
    try exchange("mira")
    try restore("mira", from: backup)
    try world.save("after the restore\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try references().keys.count { $0.hasSuffix("/records") } == 3)
    for name in ["mira", "tom"] {
      let history = try world.history("n.md", on: name)
      #expect(history.versions.count == 3 && history.unresolvedConflicts.count == 1)
    }
  }

  @Test("A copy of a container takes a new identity")
  func copiedContainer() throws {
    try world.save("1\n", as: "n.md", on: "mira")
    try exchange("mira")
    try FileManager.default.copyItem(at: world.scratch["mira"], to: world.scratch["copy"])
    try world.save("of the copy\n", as: "n.md", on: "copy")
    try exchange("copy")
    try world.save("of the first\n", as: "n.md", on: "mira")
    try world.exchange("mira", "copy")
    #expect(try references().keys.count { $0.hasSuffix("/records") } == 2)
    for name in ["mira", "copy"] {
      #expect(try world.history("n.md", on: name).unresolvedConflicts.count == 1)
    }
  }

  @Test("An older state of the folder that is put back is brought forward, and takes nothing back")
  func olderFolder() throws {
    try world.save("1\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    let older = world.scratch["older"]
    try FileManager.default.copyItem(at: cloud, to: older)
    try world.save("2\n", as: "n.md", on: "mira")
    try world.save("other\n", as: "o.md", on: "tom")
    try world.exchange("mira", "tom")
    try FileManager.default.removeItem(at: cloud)
    try FileManager.default.copyItem(at: older, to: cloud)
    for _ in 1...2 { for name in ["mira", "tom"] { try exchange(name) } }
    #expect(try references().keys.count { $0.hasSuffix("/records") } == 2)
    try exchange("ida")
    for name in ["mira", "tom", "ida"] {
      #expect(try world.read("n.md", on: name) == "2\n")
      #expect(try world.read("o.md", on: name) == "other\n")
    }
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("An emptied folder is filled again by the devices that have the versions")
  func emptied() throws {
    for number in 1...3 { try world.save("\(number)\n", as: "n.md", on: "mira") }
    try world.exchange("mira", "tom")
    try FileManager.default.removeItem(at: cloud)
    try exchange("tom")
    try exchange("ida")
    #expect(try world.history("n.md", on: "ida").versions.count { $0.hasLocalContents } == 3)
    try world.exchange("mira", "tom")
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  // MARK: Carried by a syncing tool

  @Test("A conflicted copy of a reference is ignored")
  func conflictedCopy() throws {
    try world.save("1\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    for name in try references().keys {
      let file = cloud.appending(path: name)
      for copy in [".sync-conflict-20261125-101112-ABCDEFG", " (conflicted copy)"] {
        try FileManager.default.copyItem(
          at: file, to: URL(filePath: file.path + copy, directoryHint: .notDirectory))
      }
    }
    try world.save("2\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.read("n.md", on: "tom") == "2\n")
  }

  @Test("Every prefix of every order of one exchange's files is harmless", arguments: 0..<20)
  func prefixes(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    try world.save("1\n", as: "n.md", on: "mira")
    try world.save("1\n", as: "o.md", on: "mira")
    try world.exchange("mira", "tom")
    let carried = world.scratch["carried"]
    try FileManager.default.copyItem(at: cloud, to: carried)
    try world.save("2\n", as: "n.md", on: "mira")
    try world.save("new\n", as: "p.md", on: "mira")
    try exchange("mira")
    let files = FileManager.default
    var changed = try files.subpathsOfDirectory(atPath: cloud.path).filter { name in
      let (new, old) = (cloud.appending(path: name).path, carried.appending(path: name).path)
      let kind = try files.attributesOfItem(atPath: new)[.type] as? FileAttributeType
      let isSame = files.fileExists(atPath: old) && files.contentsEqual(atPath: new, andPath: old)
      return kind == .typeRegular && !isSame
    }
    changed.shuffle(using: &random)
    #expect(changed.count >= 4)
    let tom = try world.device("tom")
    for name in changed {
      let place = carried.appending(path: name)
      try files.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      let bytes = try Data(contentsOf: cloud.appending(path: name))
      // Half of it first, as some tools write.
      for part in [bytes.prefix(bytes.count / 2), bytes] {
        if files.fileExists(atPath: place.path) { try files.removeItem(at: place) }
        try part.write(to: place)
        let outcome = try tom.store.exchange(tom.container, through: carried)
        for result in outcome.documents {
          if let failure = result.failure as? VersionError { #expect(failure.code == .notArrived) }
        }
        #expect(["1\n", "2\n"].contains(try tom.read("n.md")))
        #expect(try tom.read("o.md") == "1\n")
      }
    }
    let last = try tom.store.exchange(tom.container, through: carried)
    #expect(last.arriving.isEmpty)
    #expect(try tom.read("n.md") == "2\n")
    #expect(try tom.read("p.md") == "new\n")
    #expect(try GitCheck.problems(inStore: carried).isEmpty)
  }

  @Test("An exchange that was cut before it recorded what it had sent is caught up with")
  func cutAfterSending() throws {
    let mira = try world.device("mira")
    try mira.save("one\n", as: "a.md")
    try exchange("mira")
    try mira.save("two\n", as: "a.md")
    let peers = mira.container.appending(path: ".docversions/sync/peers")
    let published = mira.storeFolder(of: "a.md").appending(path: "published")
    let files = FileManager.default
    for file in [peers, published] {
      try files.copyItem(at: file, to: world.scratch[file.lastPathComponent])
    }
    try exchange("mira")
    for file in [peers, published] {
      try files.removeItem(at: file)
      try files.moveItem(at: world.scratch[file.lastPathComponent], to: file)
    }
    #expect(try mira.store.isExchanged(mira["a.md"]) == false)
    try exchange("mira")
    #expect(try mira.store.isExchanged(mira["a.md"]) == true)
  }
}
