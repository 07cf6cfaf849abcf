import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

import DocumentStore
import DocumentSync

/// An exchange folder that loses files, or gets older ones back.
@Suite("Lost files of a folder for exchange")
struct FolderLossTests {
  private let world: World

  init() throws {
    world = try World()
  }

  private var cloud: URL { world.cloud }

  /// The ways in which a file of the folder may be lost.
  private enum Loss: CaseIterable {
    case lost, short, older
  }

  @Test(
    "Whatever kind of file of the folder is lost, cut or older, it is whole again",
    arguments: ["HEAD", "config", "lock", "records", "branch", ".idx", ".keep", ".pack"],
    Loss.allCases)
  private func loss(kind: String, loss: Loss) throws {
    var random = SeededGenerator(seed: 1)
    let (names, older) = try folderWithOlder()
    let name = try #require(
      names.last { kind == "branch" ? $0.contains("refs/heads/") : $0.hasSuffix(kind) })
    try lose(name, loss, older, &random)
    try expectWhole(after: "\(loss): \(name)")
  }

  @Test("Whatever files of the folder are lost, cut or older, it is whole again", arguments: 0..<16)
  func losses(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var (names, older) = try folderWithOlder()
    names.shuffle(using: &random)
    let lost = names.prefix(Int.random(in: 2...names.count, using: &random))
    for name in lost {
      let loss = Loss.allCases.randomElement(using: &random)
      try lose(name, loss ?? .lost, older, &random)
    }
    try expectWhole(after: lost.joined(separator: " "))
  }

  @Test(
    "A version is whole again where another device’s pack with some of its files is lost",
    arguments: ["mira", "tom"])
  func sharedFiles(mender: String) throws {
    let mira = try world.device("mira")
    let tom = try world.device("tom")
    var toms: Set<String> = []
    /// Exchanges once.
    func exchange(_ device: Device) throws {
      let before = try packFiles()
      _ = try device.store.exchange(device.container, through: cloud)
      if device.container == tom.container { toms.formUnion(try packFiles().subtracting(before)) }
    }
    try mira.write("a\n", to: "p.pack/a.txt")
    try mira.write("b\n", to: "p.pack/b.txt")
    try mira.store.save(mira["p.pack"])
    try exchange(mira)
    try exchange(tom)
    try tom.write("a, Tom’s\n", to: "p.pack/a.txt")
    try tom.store.save(tom["p.pack"])
    try exchange(tom)
    try exchange(mira)
    // The file that both versions have is in Mira's pack, and the only version that she keeps is on Tom's branch.
    try mira.store.thin(mira["p.pack"], keeping: RetentionPolicy(last: 1))
    try exchange(mira)
    for file in try packFiles().subtracting(toms) {
      try FileManager.default.removeItem(at: cloud.appending(path: "objects/pack/\(file)"))
    }
    for _ in 1...2 { try exchange(world.device(mender)) }
    let ida = try world.device("ida")
    let outcome = try ida.store.exchange(ida.container, through: cloud)
    #expect(outcome.documents.compactMap(\.failure).map { "\($0)" } == [])
    #expect(try world.read("p.pack/a.txt", on: "ida") == "a, Tom’s\n")
    #expect(try world.read("p.pack/b.txt", on: "ida") == "b\n")
  }

  private func packFiles() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: cloud.path) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: cloud.path + "/objects/pack"))
  }

  @Test("A large file is sent again where only its own pack is lost")
  func largeFile() throws {
    var random = SeededGenerator(seed: 2)
    let bytes = Data((0..<1_500_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    let mira = try world.device("mira")
    try bytes.write(to: mira["large.bin"])
    try mira.store.save(mira["large.bin"])
    try world.exchange("mira")
    let packs = cloud.appending(path: "objects/pack")
    let files = try FileManager.default.contentsOfDirectory(
      at: packs, includingPropertiesForKeys: [.fileSizeKey])
    let sizes = try files.map { ($0, try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    let largest = try #require(sizes.max { $0.1 < $1.1 }).0
    try FileManager.default.removeItem(at: largest)
    try FileManager.default.removeItem(
      at: largest.deletingPathExtension().appendingPathExtension("idx"))
    try world.exchange("mira", "tom")
    #expect(try Data(contentsOf: world.url("tom", "large.bin")) == bytes)
    try world.expectSound("mira", "tom")
  }

  /// Creates two devices that have exchanged through the folder.
  ///
  /// - Returns: the names of its files, and a copy of it as it was earlier.
  private func folderWithOlder() throws -> (names: [String], older: URL) {
    for number in 1...2 {
      try world.save("\(number)\n", as: "n\(number).md", on: "mira")
      try world.exchange("mira", "tom")
      try world.save("\(number)\nTom’s\n", as: "n\(number).md", on: "tom")
      try world.exchange("tom", "mira")
    }
    let files = FileManager.default
    let older = world.scratch["older"]
    try files.copyItem(at: cloud, to: older)
    try world.save("1\nTom’s\nMira’s\n", as: "n1.md", on: "mira")
    try world.exchange("mira", "tom")
    let names = try files.subpathsOfDirectory(atPath: cloud.path).filter {
      try files.attributesOfItem(atPath: cloud.appending(path: $0).path)[.type]
        as? FileAttributeType
        == .typeRegular
    }
    return (names.sorted(), older)
  }

  private func lose(
    _ name: String, _ loss: Loss, _ older: URL, _ random: inout SeededGenerator
  ) throws {
    let files = FileManager.default
    let place = cloud.appending(path: name)
    let former = older.appending(path: name)
    switch loss {
    case .short:
      let bytes = try Data(contentsOf: place)
      try files.removeItem(at: place)
      try bytes.prefix(Int.random(in: 0..<max(1, bytes.count), using: &random)).write(to: place)
    case .older where files.fileExists(atPath: former.path):
      try files.removeItem(at: place)
      try files.copyItem(at: former, to: place)
    case .lost, .older: try files.removeItem(at: place)
    }
  }

  private func expectWhole(after loss: String) throws {
    for _ in 0..<3 {
      for name in ["mira", "tom"] {
        let device = try world.device(name)
        do { _ = try device.store.exchange(device.container, through: cloud) } catch is VersionError
        {}
      }
    }
    for name in ["mira", "tom", "ida"] {
      let device = try world.device(name)
      let outcome = try device.store.exchange(device.container, through: cloud)
      #expect(outcome.arriving.isEmpty, "\(name) after \(loss)")
      #expect(
        outcome.documents.compactMap(\.failure).map { "\($0)" } == [], "\(name) after \(loss)")
      #expect(try world.read("n1.md", on: name) == "1\nTom’s\nMira’s\n", "\(name) after \(loss)")
      #expect(try world.read("n2.md", on: name) == "2\nTom’s\n", "\(name) after \(loss)")
    }
    let problems = try GitCheck.problems(inStore: cloud)
    #expect(problems == [], "\(problems) after \(loss)")
  }

  @Test("An empty bare repository of git is a new folder", arguments: [false, true])
  func emptyRepository(isShared: Bool) throws {
    let made = try Command.run(
      "git", ["init", "--quiet", "--bare"] + (isShared ? ["--shared"] : []) + [cloud.path])
    try #require(made.exitCode == 0)
    // Its owner has prepared it for devices that fetch on demand.
    for setting in ["uploadpack.allowReachableSHA1InWant", "uploadpack.allowFilter"] {
      let set = try Command.run("git", ["-C", cloud.path, "config", setting, "true"])
      try #require(set.exitCode == 0)
    }
    try world.save("1\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.read("n.md", on: "tom") == "1\n")
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
    let shared = try Command.run("git", ["-C", cloud.path, "config", "core.sharedRepository"])
    #expect((shared.exitCode == 0) == isShared)
  }

  @Test(
    "A folder with nothing but the hidden files of other programs is a new folder",
    arguments: [".stfolder/syncthing-folder-1.txt", ".stignore", ".DS_Store", ".dropbox"])
  func hiddenItems(name: String) throws {
    let item = cloud.appending(path: name)
    try FileManager.default.createDirectory(
      at: item.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: item)
    try world.save("1\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.read("n.md", on: "tom") == "1\n")
    #expect(try Data(contentsOf: item) == Data("x".utf8))
  }

  @Test(
    "A folder with a working copy or a container is no new folder",
    arguments: [".git", ".docversions"])
  func hiddenFolders(name: String) throws {
    try FileManager.default.createDirectory(
      at: cloud.appending(path: name), withIntermediateDirectories: true)
    try world.save("1\n", as: "n.md", on: "mira")
    let device = try world.device("mira")
    expectVersionError(.invalidArgument) {
      _ = try device.store.exchange(device.container, through: cloud)
    }
  }

  @Test("A bare repository of git in which something is, is no new folder")
  func usedRepository() throws {
    let made = try Command.run("git", ["init", "--quiet", "--bare", cloud.path])
    try #require(made.exitCode == 0)
    try Data("x".utf8).write(to: cloud.appending(path: "refs/heads/main"))
    try world.save("1\n", as: "n.md", on: "mira")
    let device = try world.device("mira")
    expectVersionError(.invalidArgument) {
      _ = try device.store.exchange(device.container, through: cloud)
    }
  }

  @Test("A store that lost its references and its file is kept: its versions can be repaired")
  func lostReferences() throws {
    let mira = try world.device("mira")
    try mira.save("one\n", as: "a.md")
    try mira.save("two\n", as: "a.md")
    let store = mira.storeFolder(of: "a.md")
    for name in ["refs/heads", "ledger"] {
      try FileManager.default.removeItem(at: store.appending(path: name))
    }
    try FileManager.default.createDirectory(
      at: store.appending(path: "refs/heads"), withIntermediateDirectories: true)
    try FileManager.default.removeItem(at: mira["a.md"])
    _ = try mira.store.exchange(mira.container, through: world.cloud)
    #expect(FileManager.default.fileExists(atPath: store.path))
  }
}
