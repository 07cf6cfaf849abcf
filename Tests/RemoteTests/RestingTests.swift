import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
@testable import DocumentSync

/// Documents that arrived with a sync and that nothing here has touched, so that they have no store.
@Suite("Resting documents")
struct RestingTests {
  private let world: RemoteWorld
  private let names = (1...12).map { "n\($0).md" }

  /// Creates a world in which Mira has published twelve documents with two versions each, which rest on Tom's
  /// device.
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

  /// Gives one of Tom's documents a store, as each change does.
  private func activate(_ name: String) throws {
    try RestingActivation.run(DocumentLocation(of: world.world.url("tom", name)))
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
    #expect(try stores("tom").isEmpty)
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

  @Test("What arrives replaces their files, and makes no stores", arguments: [1, 10])
  func replaced(count: Int) throws {
    let (store, some) = (world.world.store("tom"), names.prefix(count))
    for round in 1...3 {
      for name in some { try world.world.save("\(name) \(round)\n", as: name, on: "mira") }
      try world.meet("mira")
      #expect(try world.sync("tom").received == count)
      for name in some {
        #expect(try world.world.read(name, on: "tom") == "\(name) \(round)\n")
        #expect(try store.state(of: world.world.url("tom", name)) == .unchanged)
        #expect(try world.world.history(name, on: "tom").versions.count == 2 + round)
      }
      let unchanged = try #require(try store.unchangedDocuments(below: world.world.scratch["tom"]))
      #expect(unchanged.documents.allSatisfy { unchanged.versions(of: $0) != nil })
      #expect(try world.sync("tom").documents.isEmpty)
      #expect(try stores("tom").isEmpty)
    }
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    for name in some { try activate(name) }
    #expect(try world.sync("tom").documents.allSatisfy { $0.failure == nil && $0.received == 0 })
    for name in some { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    try world.expectSound("mira", "tom")
  }

  @Test(
    "Text from before arrivals is saved as in a document with a store",
    arguments: ["", "and Tom\n", "and Tom, at some length\n"])
  func formerText(end: String) throws {
    let both = ["n1.md", "n2.md"]
    try activate("n2.md")
    for text in ["second\n", "third\n"] {
      for name in both { try world.world.save(text, as: name, on: "mira") }
      try world.meet("mira", "tom")
    }
    #expect(try stores("tom") == ["n2.md"])
    let outcomes = try both.map { name -> [Int] in
      // A program has had the document open all the time.
      try write("\(name) by Mira\n\(end)", as: name, on: "tom")
      _ = try world.world.store("tom").save(world.world.url("tom", name))
      let history = try world.world.history(name, on: "tom")
      let parents = history.versions.map { version in
        history.versions.firstIndex { version.parents.first == $0.persistentIdentifier } ?? -1
      }
      return [history.unresolvedConflicts.count] + parents
    }
    #expect(outcomes[0] == outcomes[1])
  }

  @Test("A crash after the files and before the list is put in order")
  func cut() throws {
    let sync = world.world.scratch["tom/.docversions/sync"]
    let before = world.world.scratch["before"]
    try FileManager.default.copyItem(at: sync, to: before)
    for name in names.prefix(9) { try world.world.save("newer\n", as: name, on: "mira") }
    try world.meet("mira", "tom")
    try FileManager.default.removeItem(at: sync)
    try FileManager.default.moveItem(at: before, to: sync)
    #expect(try world.world.store("tom").state(of: world.world.url("tom", "n1.md")) == .edited)
    try write("mine\n", as: "n2.md", on: "tom")
    try world.meet("tom")
    for name in names.prefix(9) where name != "n2.md" {
      #expect(try world.world.read(name, on: "tom") == "newer\n")
      let history = try world.world.history(name, on: "tom")
      #expect(history.versions.count == 3 && history.unresolvedConflicts.isEmpty)
    }
    #expect(try world.world.history("n2.md", on: "tom").unresolvedConflicts.count == 1)
    try world.meet("mira", "tom")
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    try world.expectSound("mira", "tom")
  }

  @Test("Reading them makes no stores")
  func reads() throws {
    let (store, document) = (world.world.store("tom"), world.world.url("tom", "n3.md"))
    let history = try world.world.history("n3.md", on: "tom")
    let (newest, first) = (history.versions[0], history.versions[1])
    #expect(history.current?.id == newest.id && history.shown?.id == newest.id)
    #expect(newest.hasLocalContents && first.hasLocalContents)
    #expect(try store.contents(of: newest, member: nil) == Data("n3.md by Mira\n".utf8))
    #expect(try store.contents(of: first, member: nil) == Data("first of n3.md\n".utf8))
    #expect(try store.version(VersionSelector("~1"), of: document).id == first.id)
    #expect(try store.memberChanges(from: first, to: newest).count == 1)
    #expect(try store.memberChangesOnDisk(since: newest).isEmpty)
    #expect(try store.removedVersions(of: document).isEmpty)
    #expect(try PrivateState.read(document, in: store) == nil)
    for name in names {
      let document = world.world.url("tom", name)
      let found = try #require(try store.stateAndHistory(of: document, newest: 1))
      #expect(found.state == .unchanged && found.history.count == 2)
      #expect(try store.state(of: document) == .unchanged)
      #expect(try store.collect(document, grace: .zero).bytesAfter == 0)
    }
    try write("edited\n", as: "n4.md", on: "tom")
    #expect(try store.state(of: world.world.url("tom", "n4.md")) == .edited)
    #expect(
      try store.memberChangesOnDisk(
        since: #require(
          world.world.history("n4.md", on: "tom").current)
      ).count == 1)
    try FileManager.default.removeItem(at: world.world.url("tom", "n5.md"))
    #expect(try store.state(of: world.world.url("tom", "n5.md")) == .missing)
    try write("new\n", as: "new.md", on: "tom")
    #expect(try store.state(of: world.world.url("tom", "new.md")) == .unsaved)
    #expect(try stores("tom").isEmpty)
  }

  @Test("A version that was read while its document rested is the same one afterwards")
  func sameVersions() throws {
    let store = world.world.store("tom")
    let before = try world.world.history("n3.md", on: "tom")
    try activate("n3.md")
    let after = try world.world.history("n3.md", on: "tom")
    #expect(before.versions == after.versions)
    #expect(before.documentIdentifier == after.documentIdentifier)
    for version in before.versions {
      #expect(
        try store.contents(of: version, member: nil)
          == store.contents(
            of: #require(after.versions.first { $0.id == version.id }), member: nil))
    }
    _ = try store.restore(before.versions[1], of: world.world.url("tom", "n3.md"))
    #expect(try world.world.read("n3.md", on: "tom") == "first of n3.md\n")
    try world.expectSound("tom")
  }

  @Test("A version of a document that rests is restored")
  func restored() throws {
    let (store, document) = (world.world.store("tom"), world.world.url("tom", "n3.md"))
    let first = try #require(try world.world.history("n3.md", on: "tom").versions.last)
    _ = try store.restore(first, of: document)
    #expect(try world.world.read("n3.md", on: "tom") == "first of n3.md\n")
    #expect(try stores("tom") == ["n3.md"])
    try world.meet("tom", "mira")
    #expect(try world.world.read("n3.md", on: "mira") == "first of n3.md\n")
    try world.expectSound("mira", "tom")
  }

  @Test("All versions are in the stores that they get")
  func versions() throws {
    for name in names { try activate(name) }
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
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

  @Test(
    "A folder that another device has renamed or emptied does not stay here without a file",
    arguments: ["renamed", "deleted"])
  func emptiedFolder(_ how: String) throws {
    let (files, mira) = (FileManager.default, world.world.scratch["mira"])
    let inside = ["sub/a.md", "sub/deep/b.md"]
    try files.createDirectory(
      at: mira.appending(path: "sub/deep"), withIntermediateDirectories: true)
    for name in inside { try world.world.save("\(name)\n", as: name, on: "mira") }
    try world.meet("mira", "tom")
    let tom = world.world.scratch["tom"]
    try files.createDirectory(
      at: tom.appending(path: "sub/mine"), withIntermediateDirectories: false)
    let store = world.world.store("mira")
    if how == "renamed" {
      try files.moveItem(at: mira.appending(path: "sub"), to: mira.appending(path: "new"))
      for name in ["new/a.md", "new/deep/b.md"] { _ = try store.save(mira.appending(path: name)) }
    } else {
      for name in inside { _ = try store.delete(mira.appending(path: name)) }
    }
    try world.meet("mira", "tom")
    #expect(!files.fileExists(atPath: tom.appending(path: "sub/deep").path))
    // Other files there stay.
    #expect(try files.contentsOfDirectory(atPath: tom.appending(path: "sub").path) == ["mine"])
    let isThere = files.fileExists(atPath: tom.appending(path: "new/deep/b.md").path)
    #expect(isThere == (how == "renamed"))
    try world.expectSound("mira", "tom")
  }

  @Test("What arrives for a document whose folder has gone keeps nothing else back")
  func goneFolder() throws {
    let (files, mira) = (FileManager.default, world.world.scratch["mira"])
    try files.createDirectory(at: mira.appending(path: "sub"), withIntermediateDirectories: false)
    try world.world.save("one\n", as: "sub/a.md", on: "mira")
    try world.meet("mira", "tom")
    try activate("sub/a.md")
    try files.removeItem(at: world.world.scratch["tom/sub"])
    for name in ["sub/a.md", "n1.md"] { try world.world.save("two\n", as: name, on: "mira") }
    try world.meet("mira")
    for document in try world.sync("tom").documents { #expect(document.failure == nil) }
    #expect(try world.world.read("n1.md", on: "tom") == "two\n")
    #expect(try world.world.history("sub/a.md", on: "tom").versions.count == 2)
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
    try activate("n1.md")
    try before.write(to: list)
    #expect(try documents("tom") == Set(names))
    _ = try world.world.store("tom").rename(world.world.url("tom", "n1.md"), to: "other.md")
    #expect(try documents("tom") == Set(names).subtracting(["n1.md"]).union(["other.md"]))
    try world.meet("tom", "mira")
    #expect(try documents("mira") == documents("tom"))
    try world.expectSound("mira", "tom")
  }

  @Test("A list that is followed as it grows is the same as one that is read at once")
  func followed() throws {
    let container = try world.world.scratch["tom"].filePath
    let list = try file(.resting, of: "tom")
    func expectSame(_ step: Int) throws {
      let copy = world.world.scratch["copy-\(step)"]
      let place = URL(filePath: try SyncFile.resting.path(in: copy.filePath).string)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: list, to: place)
      let (followed, fresh) = (
        try RestingDocuments.of(container), try RestingDocuments.of(copy.filePath)
      )
      #expect(followed.isWhole && fresh.isWhole)
      #expect(followed.all.map(\.path).sorted() == fresh.all.map(\.path).sorted(), "\(step)")
      #expect(Set(followed.names(in: "")) == Set(fresh.names(in: "")), "\(step)")
    }
    var random = SeededGenerator(seed: 7)
    for step in 0..<30 {
      let present = try Array(RestingDocuments.of(container).all)
      if step % 3 == 0 {
        try activate(#require(names.randomElement(using: &random)))
      } else {
        // This is repeated often enough for the file to be rewritten in between.
        try RestingDocuments.changing(in: container) {
          try RestingDocuments.add(present, in: container)
        }
      }
      try expectSame(step)
    }
    #expect(try Array(RestingDocuments.of(container).all).count < names.count)
  }

  @Test("Several programs open them at the same moment")
  func together() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    let counts = ForkJoin.map(24, atMost: 8) { [names] index -> Int? in
      let document = folder.appending(path: names[index % 4])
      do {
        if index % 3 == 0 { try RestingActivation.run(DocumentLocation(of: document)) }
        return try store.history(of: document).versions.count
      } catch {
        return nil
      }
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
