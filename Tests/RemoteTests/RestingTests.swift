import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
@testable import DocumentSync

/// Documents that came by a sync, and that nothing here has touched: they have no store.
@Suite("Resting documents")
struct RestingTests {
  private let world: RemoteWorld
  private let names = (1...12).map { "n\($0).md" }

  /// Mira has published twelve documents, two versions each, and they rest at Tom’s.
  init() throws {
    world = try RemoteWorld()
    for name in names { try world.world.save("first of \(name)\n", as: name, on: "mira") }
    for name in names { try world.world.save("\(name) by Mira\n", as: name, on: "mira") }
    try world.meet("mira")
    #expect(try world.sync("tom").received == 24)
    #expect(try stores("tom").isEmpty)
  }

  private func stores(_ device: String) throws -> [String] {
    try Layout.storedDocuments(in: world.world.scratch[device].filePath).map(\.path)
  }

  private func documents(_ device: String) throws -> Set<String> {
    let folder = world.world.scratch[device]
    return Set(
      try (world.world.store(device).documents(below: folder) ?? []).map(\.lastPathComponent))
  }

  private func file(_ name: SyncFile, of device: String) throws -> URL {
    URL(filePath: try name.path(in: world.world.scratch[device].filePath).string)
  }

  private func write(_ text: String, as document: String, on device: String) throws {
    try Data(text.utf8).write(to: world.world.url(device, document))
  }

  @Test("What lists does not touch them")
  func lists() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    #expect(try documents("tom") == Set(names))
    for name in names { #expect(try world.world.read(name, on: "tom") == "\(name) by Mira\n") }
    let unchanged = try #require(try store.unchangedDocuments(below: folder))
    #expect(unchanged.documents.allSatisfy { unchanged.versions(of: $0) == 2 })
    #expect(try store.documentsInConflict(below: folder) == [])
    #expect(try store.documentsMaybeInConflict(below: folder) == [])
    #expect(try store.isExchanged(world.world.url("tom", "n1.md")) == true)
    #expect(try store.downloadStatus(of: world.world.url("tom", "n1.md")) == .current)
    #expect(try store.hasVersions(world.world.url("tom", "n1.md")))
    #expect(try world.sync("tom").documents.isEmpty)
    #expect(try world.sync("mira").documents.isEmpty)
    #expect(try world.sync("tom").documents.isEmpty)
    #expect(try stores("tom").isEmpty)
    #expect(try world.references().count == 4)
  }

  @Test("An edit is saved on the version that rested, and goes to all")
  func edit() throws {
    try write("n1.md by Mira\nand Tom\n", as: "n1.md", on: "tom")
    let document = world.world.url("tom", "n1.md")
    #expect(try world.world.store("tom").state(of: document) == .edited)
    #expect(try stores("tom") == ["n1.md"])
    #expect(try world.world.store("tom").save(document).isNew)
    try world.meet("tom", "mira")
    #expect(try world.world.read("n1.md", on: "mira") == "n1.md by Mira\nand Tom\n")
    #expect(try world.world.history("n1.md", on: "mira").versions.count == 3)
    try world.expectAgreement(about: "n1.md", among: ["mira", "tom"])
    #expect(try stores("tom") == ["n1.md"])
    try world.expectSound("mira", "tom")
  }

  @Test("What others save arrives, and meets edits as one side of a conflict")
  func arrivals() throws {
    for name in ["n1.md", "n2.md"] { try world.world.save("newer\n", as: name, on: "mira") }
    try write("Tom’s\n", as: "n2.md", on: "tom")
    try world.meet("mira", "tom")
    #expect(try world.world.read("n1.md", on: "tom") == "newer\n")
    let history = try world.world.history("n2.md", on: "tom")
    #expect(history.unresolvedConflicts.count == 1)
    try world.meet("tom", "mira")
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    try world.expectSound("mira", "tom")
  }

  @Test("All versions are there once the document is opened")
  func versions() throws {
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    let document = world.world.url("tom", "n3.md")
    let first = try #require(try world.world.history("n3.md", on: "tom").versions.last)
    #expect(
      try world.world.store("tom").contents(of: first, member: nil) == Data("first of n3.md\n".utf8)
    )
    #expect(try world.world.store("tom").verify(document).isWhole)
    #expect(try stores("tom").count == 12)
    #expect(try world.sync("tom").documents.allSatisfy { $0.failure == nil && $0.received == 0 })
    #expect(try world.sync("mira").received == 0)
    try world.expectSound("mira", "tom")
  }

  @Test("A file that was moved takes its versions along", arguments: [false, true])
  func moved(isSaved: Bool) throws {
    let (store, place) = (world.world.store("tom"), world.world.url("tom", "new.md"))
    try FileManager.default.moveItem(at: world.world.url("tom", "n1.md"), to: place)
    if isSaved {
      _ = try store.save(place)
      #expect(try store.history(of: place).versions.count == 3)
    }
    try world.meet("tom", "mira")
    #expect(try documents("tom") == Set(names).subtracting(["n1.md"]).union(["new.md"]))
    #expect(try documents("mira") == documents("tom"))
    try world.expectAgreement(about: "new.md", among: ["mira", "tom"])
    try world.expectSound("mira", "tom")
  }

  @Test("A missing file is missing, and no deletion")
  func missing() throws {
    try FileManager.default.removeItem(at: world.world.url("tom", "n1.md"))
    #expect(try world.world.store("tom").state(of: world.world.url("tom", "n1.md")) == .missing)
    try world.meet("tom", "mira")
    #expect(try world.world.read("n1.md", on: "mira") == "n1.md by Mira\n")
    #expect(try documents("tom") == Set(names))
  }

  @Test("They are deleted and renamed here and elsewhere", arguments: ["tom", "mira"])
  func operations(by device: String) throws {
    let store = world.world.store(device)
    _ = try store.delete(world.world.url(device, "n1.md"))
    _ = try store.rename(world.world.url(device, "n2.md"), to: "r2.md")
    try world.meet(device, device == "tom" ? "mira" : "tom")
    for name in ["mira", "tom"] {
      #expect(!FileManager.default.fileExists(atPath: world.world.url(name, "n1.md").path))
      #expect(!FileManager.default.fileExists(atPath: world.world.url(name, "n2.md").path))
      #expect(try world.world.read("r2.md", on: name) == "n2.md by Mira\n")
    }
    try world.expectSound("mira", "tom")
  }

  @Test("Without the remote they have all versions in their stores")
  func removedRemote() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    try store.removeRemote(named: "origin", from: folder)
    #expect(try stores("tom").count == 12)
    for name in names {
      #expect(try world.world.history(name, on: "tom").versions.count == 2)
      #expect(try store.verify(world.world.url("tom", name)).isWhole)
    }
    try world.meet("tom", "mira")
    #expect(try documents("tom") == Set(names))
    try world.expectSound("mira", "tom")
  }

  @Test("A device that published them is forgotten, and nothing is lost")
  func forgotten() throws {
    let device = try #require(
      try world.world.store("tom").devices(
        of: world.world.scratch["tom"], access: world.access
      ).first { $0.name.hasPrefix("mira") })
    try world.world.store("tom").forgetDevice(
      device.name, of: world.world.scratch["tom"], access: world.access)
    try world.meet("tom", "ida")
    for name in names { try world.expectAgreement(about: name, among: ["tom", "ida"]) }
    try world.expectSound("tom", "ida")
  }

  @Test("The copy of the remote is damaged or lost, or the list is", arguments: 0...3)
  func lost(_ kind: Int) throws {
    let mirrors = try file(.mirrors, of: "tom")
    switch kind {
    case 0:
      try FileManager.default.removeItem(at: mirrors)
      #expect(throws: VersionError.self) { try world.world.history("n1.md", on: "tom") }
    case 1:
      let packs = try #require(
        FileManager.default.enumerator(at: mirrors, includingPropertiesForKeys: nil)
      )
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "pack" }
      for pack in packs { try FileHandle(forWritingTo: pack).truncate(atOffset: 100) }
    case 2: try FileManager.default.removeItem(at: file(.resting, of: "tom"))
    default:
      let handle = try FileHandle(forWritingTo: file(.resting, of: "tom"))
      try handle.truncate(atOffset: 700)
    }
    try world.meet("tom", "mira")
    #expect(try documents("tom") == Set(names))
    #expect(try documents("mira") == Set(names))
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    try world.expectSound("mira", "tom")
  }

  @Test("An entry that a crash has left counts no more once the store is there")
  func stale() throws {
    let list = try file(.resting, of: "tom")
    let before = try Data(contentsOf: list)
    _ = try world.world.history("n1.md", on: "tom")
    try before.write(to: list)
    #expect(try documents("tom") == Set(names))
    _ = try world.world.store("tom").rename(world.world.url("tom", "n1.md"), to: "other.md")
    #expect(try documents("tom") == Set(names).subtracting(["n1.md"]).union(["other.md"]))
    try world.meet("tom", "mira")
    #expect(try documents("mira") == documents("tom"))
    try world.expectSound("mira", "tom")
  }

  @Test("Several programs open them at the same moment")
  func together() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    let counts = ForkJoin.map(24, atMost: 8) { [names] index -> Int? in
      let document = folder.appending(path: names[index % 4])
      do { return try store.history(of: document).versions.count } catch { return nil }
    }
    #expect(counts == Array(repeating: 2, count: 24))
    #expect(try stores("tom").sorted() == names.prefix(4).sorted())
    #expect(try documents("tom") == Set(names))
    try world.expectSound("tom")
  }

  @Test("What a process left that was killed while it made a store does no harm")
  func killed() throws {
    let stores = world.world.scratch["tom/.docversions/documents"]
    let left = stores.appending(path: Layout.temporaryName())
    let manager = FileManager.default
    try manager.createDirectory(
      at: left.appending(path: "1/objects/pack"), withIntermediateDirectories: true)
    try Data().write(to: left.appending(path: "lock"))
    try Data("ref: refs/heads/main\n".utf8).write(to: left.appending(path: "1/HEAD"))
    #expect(try documents("tom") == Set(names))
    #expect(try world.world.history("n1.md", on: "tom").versions.count == 2)
    try world.meet("tom", "mira")
    #expect(!manager.fileExists(atPath: left.path))
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
  }

  @Test("verify reads what they rest on")
  func verified() throws {
    let store = world.world.store("tom")
    for name in names { #expect(try store.verify(world.world.url("tom", name)).isWhole) }
    #expect(try stores("tom").isEmpty)
    let packs = try #require(
      FileManager.default.enumerator(at: file(.mirrors, of: "tom"), includingPropertiesForKeys: nil)
    ).compactMap { $0 as? URL }.filter { $0.pathExtension == "pack" }
    for pack in packs { try FileHandle(forWritingTo: pack).truncate(atOffset: 100) }
    #expect(try !store.verify(world.world.url("tom", "n1.md")).isWhole)
    #expect(try stores("tom").isEmpty)
  }

  @Test("Another place gets all of them, too")
  func secondPeer() throws {
    let store = world.world.store("tom")
    let place = world.world.scratch["stick"]
    _ = try store.exchange(world.world.scratch["tom"], through: place)
    _ = try world.world.device("ida")
    _ = try world.world.store("ida").exchange(world.world.scratch["ida"], through: place)
    for name in names { try world.expectAgreement(about: name, among: ["tom", "ida"]) }
  }

  @Test("A private document stays private")
  func privacy() throws {
    let list = try file(.resting, of: "tom")
    #expect(try FileStatus.of(list.filePath)?.permissions == 0o600)
  }
}
