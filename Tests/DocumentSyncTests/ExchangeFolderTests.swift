import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

/// Tests of which folders can become an exchange folder, and how.
@Suite("The folder for exchange")
struct ExchangeFolderTests {
  private let scratch: ScratchFolder
  private let desk: Device

  init() throws {
    scratch = try ScratchFolder()
    desk = try Device("Mira", in: scratch, clock: FixedClock())
    try desk.save("one\n", as: "x.md")
  }

  private var cloud: URL { scratch["cloud"] }

  private func expectExchange() throws {
    for result in try desk.store.exchange(desk.container, through: cloud).documents {
      #expect(result.failure == nil)
    }
    let other = try Device("Tom", in: scratch, clock: desk.clock)
    _ = try other.store.exchange(other.container, through: cloud)
    #expect(try other.read("x.md") == "one\n")
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("None is made, and nothing is received, where nothing may be changed")
  func dryRun() throws {
    var store = desk.store
    store.isDryRun = true
    #expect(throws: VersionError.self) { try store.exchange(desk.container, through: cloud) }
    #expect(!FileManager.default.fileExists(atPath: cloud.path))
    try expectExchange()
  }

  @Test("An empty one stays what it is: a disk may be mounted there, or others have access to it")
  func empty() throws {
    let files = FileManager.default
    try files.createDirectory(at: cloud, withIntermediateDirectories: false)
    try files.setAttributes([.posixPermissions: 0o770], ofItemAtPath: cloud.path)
    let before = try files.attributesOfItem(atPath: cloud.path)
    try expectExchange()
    let after = try files.attributesOfItem(atPath: cloud.path)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(after[.posixPermissions] as? Int == 0o770)
    // A second user of the group finds folders to write in, and files to read.
    for case let name as String in files.enumerator(atPath: cloud.path) ?? .init() {
      let item = try files.attributesOfItem(atPath: cloud.appending(path: name).path)
      let isFolder = item[.type] as? FileAttributeType == .typeDirectory
      let permissions = item[.posixPermissions] as? Int ?? 0
      #expect(permissions & (isFolder ? 0o2070 : 0o040) == (isFolder ? 0o2070 : 0o040), "\(name)")
      #expect(item[.groupOwnerAccountID] as? Int == after[.groupOwnerAccountID] as? Int, "\(name)")
    }
  }

  @Test(
    "One that was begun and never finished is finished",
    arguments: [["objects"], ["objects", "refs"], ["HEAD", "objects", "refs"]])
  func begun(parts: [String]) throws {
    let (whole, nobody) = (scratch["whole"], scratch["nobody"])
    try FileManager.default.createDirectory(at: nobody, withIntermediateDirectories: false)
    _ = try desk.store.exchange(nobody, through: whole)
    try FileManager.default.createDirectory(at: cloud, withIntermediateDirectories: false)
    for part in parts {
      try FileManager.default.copyItem(
        at: whole.appending(path: part), to: cloud.appending(path: part))
    }
    try expectExchange()
  }

  @Test(
    "HEAD and config that are lost are written again, with the same bytes",
    arguments: ["HEAD", "config"])
  func lost(name: String) throws {
    try expectExchange()
    let file = cloud.appending(path: name)
    let before = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    try expectExchange()
    #expect(try Data(contentsOf: file) == before)
  }

  @Test("A repository with other references and without a config is not taken for one")
  func foreign() throws {
    try expectExchange()
    try FileManager.default.removeItem(at: cloud.appending(path: "config"))
    try scratch.write("x\n", to: "cloud/refs/tags/v1")
    expectVersionError(.invalidArgument) {
      try desk.store.exchange(desk.container, through: cloud)
    }
    #expect(!FileManager.default.fileExists(atPath: cloud.appending(path: "config").path))
  }

  @Test("One of the former format is refused, and stays as it is")
  func formerFormat() throws {
    try expectExchange()
    let config = cloud.appending(path: "config")
    let text = String(decoding: try Data(contentsOf: config), as: UTF8.self)
      .replacing("exchange = 2", with: "exchange = 1")
    try Data(text.utf8).write(to: config)
    try desk.save("two\n", as: "x.md")
    expectVersionError(.invalidArgument) {
      try desk.store.exchange(desk.container, through: cloud)
    }
    #expect(try Data(contentsOf: config) == Data(text.utf8))
  }

  @Test("One that holds other things is refused, and nothing is put into it")
  func others() throws {
    try scratch.write("x", to: "cloud/lost+found/x")
    let error = #expect(throws: VersionError.self) {
      try desk.store.exchange(desk.container, through: cloud)
    }
    #expect(error?.code == .invalidArgument)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cloud.path) == ["lost+found"])
  }

  @Test("Files that a system puts into every folder do not hinder an exchange")
  func strayFiles() throws {
    try expectExchange()
    for folder in ["refs", "refs/docversions", "refs/heads/docversions", "objects", "objects/pack"]
    {
      try Data("x".utf8).write(to: cloud.appending(path: folder + "/.DS_Store"))
    }
    try desk.save("two\n", as: "x.md")
    let results = try desk.store.exchange(desk.container, through: cloud).documents
    #expect(results.map(\.sent) == [1])
    #expect(results.allSatisfy { $0.failure == nil })
  }

  @Test("A link among its references is refused, and not followed")
  func link() throws {
    try expectExchange()
    for folder in ["refs", "refs/docversions", "refs/heads/docversions"] {
      let link = cloud.appending(path: folder + "/link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scratch["nowhere"])
      expectVersionError(.damagedExchange) {
        try desk.store.exchange(desk.container, through: cloud)
      }
      try FileManager.default.removeItem(at: link)
    }
    try expectExchange()
  }

  @Test(
    "A reference that cannot be read is still arriving for others, and its device writes it again",
    arguments: ["refs/docversions/", "refs/heads/docversions/"])
  func damagedReference(folder: String) throws {
    try expectExchange()
    let name = try #require(
      FileManager.default.subpathsOfDirectory(atPath: cloud.path)
        .first { $0.hasPrefix(folder) && ($0.hasSuffix("/records") || $0.contains("/mira-")) })
    try Data(count: 8_192).write(to: cloud.appending(path: name))
    try desk.save("two\n", as: "x.md")
    let tom = try Device("Tom", in: scratch, clock: desk.clock)
    #expect(try tom.store.exchange(tom.container, through: cloud).documents.isEmpty)
    #expect(try tom.read("x.md") == "one\n")
    try desk.store.exchange(desk.container, through: cloud)
    try tom.store.exchange(tom.container, through: cloud)
    #expect(try tom.read("x.md") == "two\n")
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("A file that is one version of a conflict which arrives is known as that one")
  func sameAsOther() throws {
    let tom = try Device("Tom", in: scratch, clock: desk.clock)
    for desk in [desk, tom] { try desk.store.exchange(desk.container, through: cloud) }
    try desk.save("two\n", as: "x.md")
    try tom.save("three\n", as: "x.md")
    for desk in [desk, tom] { try desk.store.exchange(desk.container, through: cloud) }
    let current = try #require(tom.history("x.md").current)
    for text in ["two\n", "three\n"] {
      let ida = try Device("Ida \(text.count)", in: scratch, clock: desk.clock)
      try ida.write(text, to: "x.md")
      try ida.store.exchange(ida.container, through: cloud)
      #expect(try ida.history("x.md").shown?.id == current.id)
      #expect(try ida.read("x.md") == tom.read("x.md"))
    }
  }

  @Test("A folder whose own folder is missing is not made: its disk may not be mounted")
  func unmounted() throws {
    let stick = scratch["stick/notes"]
    #expect(throws: (any Error).self) { try desk.store.exchange(desk.container, through: stick) }
    #expect(!FileManager.default.fileExists(atPath: scratch["stick"].path))
  }

  @Test(
    "A folder that is made, or completed, on a full disk is named, and none of its files",
    .enabled(if: FullDisk.isPossible, "only root can make a small disk"), arguments: [true, false])
  func full(isMissing: Bool) throws {
    let files = FileManager.default
    try files.createDirectory(at: scratch["stick"], withIntermediateDirectories: true)
    let disk = try FullDisk(at: scratch["stick"])
    defer { disk.unmount() }
    let stick = scratch["stick/notes"]
    if !isMissing { try files.createDirectory(at: stick, withIntermediateDirectories: false) }
    try disk.fill()
    let error = #expect(throws: FileError.self) {
      try desk.store.exchange(desk.container, through: stick)
    }
    #expect(error?.code == .noSpace)
    #expect(error?.path == stick.path)
    #expect(error?.message == "Can’t change anything in “\(stick.path)”: No space left on device.")
    try disk.makeSpace()
    try desk.store.exchange(desk.container, through: stick)
    #expect(try GitCheck.problems(inStore: stick).isEmpty)
  }
}
