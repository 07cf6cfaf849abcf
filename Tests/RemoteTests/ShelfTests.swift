import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
@testable import DocumentSync

/// Documents whose first versions were saved together, so that they rest on the device's shelf and have no
/// stores.
@Suite("First saves on the shelf")
struct ShelfTests {
  private let world: RemoteWorld
  private let names = (1...12).map { "n\($0).md" }

  /// Creates a world in which Mira has saved twelve new files together.
  init() throws {
    world = try RemoteWorld()
    try save(names, on: "mira")
    #expect(try stores("mira").isEmpty)
  }

  // MARK: Steps

  private func text(_ name: String) -> String { "first of \(name)\n" }

  private func write(_ text: String, as document: String, on device: String) throws {
    let place = world.world.url(device, document)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place)
  }

  @discardableResult
  private func save(_ names: [String], on device: String) throws -> [SaveOutcome] {
    let store = try world.device(device).store
    for name in names { try write(text(name), as: name, on: device) }
    let outcomes = try store.saveEach(names.map { world.world.url(device, $0) }).map {
      try $0.get()
    }
    #expect(outcomes.allSatisfy { $0.isNew && !$0.isInConflict && $0.missedVersion == nil })
    return outcomes
  }

  private func stores(_ device: String) throws -> [String] {
    try Layout.storedDocuments(in: world.world.scratch[device].filePath).map(\.path).sorted()
  }

  private func documents(_ device: String) throws -> Set<String> {
    let folder = world.world.scratch[device]
    return Set(
      try (world.world.store(device).documents(below: folder) ?? []).map {
        String($0.path.dropFirst(folder.path.count + 1))
      })
  }

  private func shelf(_ device: String) -> URL {
    world.world.scratch["\(device)/.docversions/shelf"]
  }

  private func file(_ name: SyncFile, of device: String) throws -> URL {
    URL(filePath: try name.path(in: world.world.scratch[device].filePath).string)
  }

  private func hasShelf(_ device: String) -> Bool {
    FileManager.default.fileExists(atPath: shelf(device).path)
  }

  private func packs(of folder: URL) throws -> [URL] {
    try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "pack" }
  }

  private func expectSound(_ devices: String...) throws {
    for device in devices {
      #expect(try GitCheck.problems(inContainer: world.world.scratch[device]).isEmpty)
      for name in try documents(device) {
        let document = world.world.url(device, name)
        #expect(try world.world.store(device).verify(document).isWhole, "\(name)")
      }
      if hasShelf(device) { #expect(try GitCheck.problems(inStore: shelf(device)).isEmpty) }
    }
  }

  // MARK: On the device

  @Test("What lists and reads them makes no stores")
  func reads() throws {
    let (store, folder) = (world.world.store("mira"), world.world.scratch["mira"])
    #expect(try documents("mira") == Set(names))
    let unchanged = try #require(try store.unchangedDocuments(below: folder))
    #expect(unchanged.documents.count == names.count)
    #expect(try store.documentsInConflict(below: folder) == [])
    for name in names {
      let document = world.world.url("mira", name)
      #expect(try store.state(of: document) == .unchanged)
      let history = try store.history(of: document)
      #expect(history.versions.count == 1 && history.current?.id == history.shown?.id)
      let version = try #require(history.current)
      #expect(version.kind == .save && version.author == "mira" && version.hasLocalContents)
      #expect(try store.contents(of: version, member: nil) == Data(text(name).utf8))
      #expect(try store.isExchanged(document) == nil)
      #expect(try store.save(document).isNew == false)
    }
    #expect(try hasShelf("mira") && packs(of: shelf("mira")).count == 1)
    #expect(try FileStatus.of(shelf("mira").filePath)?.permissions == 0o700)
    try expectSound("mira")
  }

  @Test("A file that was only touched is read once more, and then known")
  func touched() throws {
    var store = world.world.store("mira")
    store.environment.fileClock =
      MovableFileClock(standingAt: FileClock.system.now + 60_000_000_000).clock
    let folder = world.world.scratch["mira"]
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3600)],
      ofItemAtPath: world.world.url("mira", "n1.md").path)
    func versions() throws -> Int? {
      let search = try #require(try store.unchangedDocuments(below: folder))
      let document = try #require(search.documents.first { $0.lastPathComponent == "n1.md" })
      defer { search.record([document: 1]) }
      return search.versions(of: document)
    }
    #expect(try versions() == nil)
    #expect(try versions() == 1)
    #expect(try store.state(of: world.world.url("mira", "n1.md")) == .unchanged)
    #expect(try stores("mira").isEmpty)
  }

  @Test("What a save reports is what is listed", arguments: [8, 40])
  func outcomes(count: Int) throws {
    let names = (1...count).map { "more/\($0).txt" }
    let outcomes = try save(names, on: "mira")
    for (name, outcome) in zip(names, outcomes) {
      let listed = try #require(try world.world.history(name, on: "mira").current)
      #expect(listed == outcome.version && listed.listed == outcome.version.listed)
      #expect(
        try world.world.store("mira").contents(of: outcome.version, member: nil)
          == Data(text(name).utf8))
    }
    try expectSound("mira")
  }

  @Test("Very many files are saved some at a time, and their outcomes come in order")
  func someAtATime() throws {
    var store = world.world.store("mira")
    store.environment.transferStep.documents = 10
    let many = (1...28).map { "many/m\($0).md" } + ["n1.md", "many/missing.md"]
    for name in many.dropLast(2) { try write(text(name), as: name, on: "mira") }
    var saved: [String?] = []
    store.saveEach(many.lazy.map { world.world.url("mira", $0) }) { outcome in
      do {
        let outcome = try outcome.get()
        saved.append((outcome.isNew ? "" : "old ") + outcome.version.documentURL.lastPathComponent)
      } catch { saved.append(nil) }
    }
    #expect(saved == (1...28).map { "m\($0).md" } + ["old n1.md", nil])
    #expect(try stores("mira").isEmpty && documents("mira").count == names.count + 28)
    try expectSound("mira")
  }

  @Test("Few files, and others than small plain ones, get stores")
  func others() throws {
    try save((1...7).map { "few\($0).md" }, on: "mira")
    #expect(try stores("mira").count == 7)
    for number in 1...10 { try write("member\n", as: "p\(number).imagenotes/a.txt", on: "mira") }
    try write(String(repeating: "large\n", count: 200_000), as: "large.txt", on: "mira")
    let more = (1...9).map { "o\($0).md" }
    for name in more { try write(text(name), as: name, on: "mira") }
    let all = more + ["large.txt"] + (1...10).map { "p\($0).imagenotes" }
    let outcomes = world.world.store("mira").saveEach(all.map { world.world.url("mira", $0) })
    for outcome in outcomes { #expect(try outcome.get().isNew) }
    #expect(try stores("mira").count == 18)
    #expect(try documents("mira").count == 12 + 7 + 20)
    try expectSound("mira")
  }

  @Test("A container in which others may write has no shelf")
  func shared() throws {
    let folder = world.world.scratch["ida"]
    let store = try world.device("ida").store
    let parts = folder.appending(path: ".docversions")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: parts.path)
    for name in names { try write(text(name), as: name, on: "ida") }
    for outcome in store.saveEach(names.map { folder.appending(path: $0) }) {
      #expect(try outcome.get().isNew)
    }
    #expect(try stores("ida").count == names.count && !hasShelf("ida"))
  }

  @Test("A file that can’t be saved is reported, and the others are saved")
  func failures() throws {
    let more = (1...10).map { "sub/\($0).md" }
    for name in more { try write(text(name), as: name, on: "mira") }
    try write("other\n", as: "sub/1.MD", on: "mira")
    let all = more + ["sub/missing.md", "sub/1.MD", "sub/2.md"]
    let outcomes = world.world.store("mira").saveEach(all.map { world.world.url("mira", $0) })
    let isNew = outcomes.map { outcome -> Bool? in
      do { return try outcome.get().isNew } catch { return nil }
    }
    #expect(isNew.filter { $0 == true }.count == 10)
    #expect(isNew[10] == nil && isNew[11] == nil && isNew[12] == false)
    #expect(try documents("mira").count == 22)
    try expectSound("mira")
  }

  /// The changes that give a document a store.
  enum Change: CaseIterable {
    case edit, restore, rename, move, delete, pin, thin, moveOutside, privateState
  }

  @Test("A change gives one document a store, with its first version", arguments: Change.allCases)
  func changes(_ change: Change) throws {
    let (store, document) = (world.world.store("mira"), world.world.url("mira", "n1.md"))
    let first = try #require(try store.history(of: document).current)
    var place = document
    switch change {
    case .edit:
      try write("second\n", as: "n1.md", on: "mira")
      #expect(try store.state(of: document) == .edited)
      #expect(try store.save(document).isNew)
    case .restore:
      try FileManager.default.removeItem(at: document)
      #expect(try store.state(of: document) == .missing)
      _ = try store.restore(first, of: document)
    case .rename:
      _ = try store.rename(document, to: "other.md")
      place = world.world.url("mira", "other.md")
    case .move:
      try write("another\n", as: "sub/another.md", on: "mira")
      place = world.world.url("mira", "sub/n1.md")
      _ = try store.move(document, to: place)
    case .delete: _ = try store.delete(document)
    case .pin: try store.setPinned(true, [first], of: document)
    case .thin: _ = try store.thin(document, keeping: RetentionPolicy(last: 1))
    case .moveOutside:
      place = world.world.url("mira", "elsewhere.md")
      try FileManager.default.moveItem(at: document, to: place)
      _ = try store.save(place)
    case .privateState: _ = try store.history(of: document)
    }
    let history = try store.history(of: place)
    let former = try #require(history.versions.first { $0.id == first.id })
    #expect(try store.contents(of: former, member: nil) == Data(text("n1.md").utf8))
    #expect(try stores("mira").count <= 1)
    #expect(try documents("mira").count == names.count)
    try world.meet("mira", "tom")
    for name in names.dropFirst() {
      try world.expectAgreement(about: name, among: ["mira", "tom"])
    }
    try expectSound("mira", "tom")
  }

  @Test("The shelf goes with the last document, and what most have left is made small")
  func shelfGoes() throws {
    let (store, size) = (world.world.store("mira"), try packs(of: shelf("mira")).count)
    #expect(size == 1)
    for name in names.dropLast() {
      try write("second of \(name)\n", as: name, on: "mira")
      #expect(try store.save(world.world.url("mira", name)).isNew)
    }
    #expect(hasShelf("mira"))
    #expect(try world.world.history("n12.md", on: "mira").versions.count == 1)
    try write("second of n12.md\n", as: "n12.md", on: "mira")
    #expect(try store.save(world.world.url("mira", "n12.md")).isNew)
    #expect(!hasShelf("mira"))
    for name in names { #expect(try world.world.history(name, on: "mira").versions.count == 2) }
    try expectSound("mira")
  }

  // MARK: Crashes and damage

  @Test("A crash between the versions and the list leaves files that are not saved")
  func cut() throws {
    let list = try file(.resting, of: "mira")
    let before = try Data(contentsOf: list)
    let more = (1...9).map { "more\($0).md" }
    try save(more, on: "mira")
    try before.write(to: list)
    let store = world.world.store("mira")
    for name in more { #expect(try store.state(of: world.world.url("mira", name)) == .unsaved) }
    #expect(try documents("mira") == Set(names))
    try save(more, on: "mira")
    #expect(try documents("mira") == Set(names + more))
    for name in more { #expect(try world.world.history(name, on: "mira").versions.count == 1) }
    try world.meet("mira", "tom")
    #expect(try documents("tom") == Set(names + more))
    try expectSound("mira", "tom")
  }

  @Test("A list that is lost or cut is made anew from the shelf", arguments: 0...2)
  func lostList(_ kind: Int) throws {
    let store = world.world.store("mira")
    try write("second\n", as: "n1.md", on: "mira")
    #expect(try store.save(world.world.url("mira", "n1.md")).isNew)
    _ = try store.rename(world.world.url("mira", "n2.md"), to: "other.md")
    try write("edited\n", as: "n3.md", on: "mira")
    let before = try documents("mira")
    switch kind {
    case 0: try FileManager.default.removeItem(at: file(.resting, of: "mira"))
    case 1:
      try FileManager.default.removeItem(at: world.world.scratch["mira/.docversions/sync"])
    default:
      let handle = try FileHandle(forWritingTo: file(.resting, of: "mira"))
      try handle.truncate(atOffset: 700)
    }
    #expect(try documents("mira") == before)
    for name in before {
      let state = try store.state(of: world.world.url("mira", name))
      #expect(state == (name == "n3.md" ? .edited : .unchanged), "\(name)")
    }
    try save((1...9).map { "more\($0).md" }, on: "mira")
    #expect(try documents("mira").count == before.count + 9)
    #expect(try store.save(world.world.url("mira", "n3.md")).isNew)
    #expect(try world.world.history("n3.md", on: "mira").versions.count == 2)
    #expect(try RestingDocuments.isSound(in: world.world.scratch["mira"].filePath))
    try expectSound("mira")
  }

  @Test("A damaged shelf is reported, and what is on the disk stays")
  func damaged() throws {
    let store = world.world.store("mira")
    for pack in try packs(of: shelf("mira")) {
      try FileHandle(forWritingTo: pack).truncate(atOffset: 100)
    }
    #expect(try !store.verify(world.world.url("mira", "n1.md")).isWhole)
    #expect(throws: VersionError.self) { try store.history(of: world.world.url("mira", "n1.md")) }
    #expect(try world.world.read("n1.md", on: "mira") == text("n1.md"))
  }

  @Test("Contents that are lost on the shelf are stored again from a file that still has them")
  func repaired() throws {
    let store = world.world.store("mira")
    try write("edited\n", as: "n2.md", on: "mira")
    for pack in try packs(of: shelf("mira")) {
      // Only the file of one object is damaged, whichever it is.
      let bytes = try Data(contentsOf: pack)
      var damaged = bytes
      damaged[bytes.count / 2] ^= 0x55
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: pack.path)
      try damaged.write(to: pack)
    }
    for name in names where name != "n2.md" {
      let document = world.world.url("mira", name)
      let before = try store.verify(document)
      let repair = try store.repair(document)
      let after = try store.verify(document)
      // A record describes a file, and exists nowhere else.
      #expect(after.isWhole || !repair.losses.isEmpty)
      if before.isWhole { #expect(repair.steps.isEmpty) }
    }
    #expect(try stores("mira").isEmpty)
  }

  @Test("A file that is edited while it is saved is never taken for unchanged")
  func editedMeanwhile() throws {
    let store = try world.device("ida").store
    for round in 1...4 {
      let files = (1...60).map { "r\(round)-\($0).md" }
      for name in files { try write("a\n", as: name, on: "ida") }
      _ = ForkJoin.map(2, atMost: 2) { [world] number -> Int in
        do {
          if number == 0 {
            for name in files.reversed() {
              // The text has the same size, so that only the file's times differ.
              try Data("b\n".utf8).write(to: world.world.url("ida", name))
            }
          } else {
            for outcome in store.saveEach(files.map { world.world.url("ida", $0) }) {
              _ = try outcome.get()
            }
          }
          return 0
        } catch { return 1 }
      }
      for name in files {
        let document = world.world.url("ida", name)
        guard try store.hasVersions(document) else { continue }
        let version = try #require(try store.history(of: document).current)
        let isSame =
          try store.contents(of: version, member: nil) == Data(contentsOf: document)
        #expect(try store.state(of: document) == (isSame ? .unchanged : .edited))
        let unchanged = try store.unchangedDocuments(below: world.world.scratch["ida"])
        if !isSame { #expect(unchanged?.versions(of: document) == nil) }
      }
    }
    try expectSound("ida")
  }

  @Test("Several programs save the same new files at the same moment")
  func together() throws {
    let store = try world.device("ida").store
    let folder = world.world.scratch["ida"]
    for name in names { try write(text(name), as: name, on: "ida") }
    let results = ForkJoin.map(6, atMost: 6) { [names] _ -> Int in
      store.saveEach(names.map { folder.appending(path: $0) }).count { outcome in
        do { return try outcome.get().isNew } catch { return false }
      }
    }
    #expect(results.reduce(0, +) == names.count)
    for name in names { #expect(try world.world.history(name, on: "ida").versions.count == 1) }
    try expectSound("ida")
  }

  // MARK: With others

  @Test("They are published from the shelf, and both devices edit them")
  func published() throws {
    let sent = try world.sync("mira")
    #expect(sent.sent == names.count && sent.documents.allSatisfy { $0.failure == nil })
    #expect(try stores("mira").isEmpty)
    #expect(try world.sync("mira").documents.isEmpty)
    #expect(
      try names.allSatisfy {
        try world.world.store("mira").isExchanged(world.world.url("mira", $0)) == true
      })
    #expect(try world.sync("tom").received == names.count)
    #expect(try stores("mira").isEmpty && stores("tom").isEmpty)
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    // Both edit one; each edits another one.
    try world.world.save("first of n1.md\nMira\n", as: "n1.md", on: "mira")
    try world.world.save("first of n1.md\nTom\n", as: "n1.md", on: "tom")
    try world.world.save("Mira\n", as: "n2.md", on: "mira")
    try world.world.save("Tom\n", as: "n3.md", on: "tom")
    try world.meet("mira", "tom")
    #expect(try world.world.history("n1.md", on: "mira").unresolvedConflicts.count == 1)
    #expect(try world.world.history("n1.md", on: "tom").unresolvedConflicts.count == 1)
    #expect(try world.world.read("n2.md", on: "tom") == "Mira\n")
    #expect(try world.world.read("n3.md", on: "mira") == "Tom\n")
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    #expect(try stores("mira") == ["n1.md", "n2.md"])
    #expect(try world.sync("mira").documents.isEmpty)
    try world.expectSound("mira", "tom")
    try expectSound("mira", "tom")
  }

  @Test("The same through a folder")
  func exchangeFolder() throws {
    try world.world.exchange("mira", "tom")
    #expect(try stores("mira").isEmpty && stores("tom").isEmpty && hasShelf("tom"))
    try expectSound("tom")
    try world.world.save("Mira\n", as: "n2.md", on: "mira")
    try world.world.save("Tom\n", as: "n3.md", on: "tom")
    try world.world.exchange("mira", "tom")
    #expect(try world.world.read("n2.md", on: "tom") == "Mira\n")
    #expect(try world.world.read("n3.md", on: "mira") == "Tom\n")
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    #expect(try stores("mira") == ["n2.md", "n3.md"] && stores("tom") == ["n2.md", "n3.md"])
    try world.world.expectSound("mira", "tom")
    try expectSound("mira", "tom")
  }

  @Test("What rests after an exchange is known to the folder, and goes on from there")
  func fromFolder() throws {
    let world = world.world
    try world.exchange("mira", "tom")
    let again = try world.store("tom").exchange(world.scratch["tom"], through: world.cloud)
    #expect(again.documents.isEmpty)
    for name in names {
      #expect(try world.store("tom").isExchanged(world.url("tom", name)) == true, "\(name)")
    }
    // Another folder gets them from the shelf.
    let elsewhere = world.scratch["elsewhere"]
    let sent = try world.store("tom").exchange(world.scratch["tom"], through: elsewhere)
    #expect(sent.sent == names.count && sent.documents.allSatisfy { $0.failure == nil })
    let ida = try world.device("ida")
    let received = try ida.store.exchange(ida.container, through: elsewhere)
    #expect(received.received == names.count && received.receivedBytes > 0)
    #expect(try stores("tom").isEmpty && stores("ida").isEmpty)
    for name in names {
      try self.world.expectAgreement(about: name, among: ["mira", "tom", "ida"])
    }
    try expectSound("tom", "ida")
  }

  @Test("Versions with predecessors, and large files, get stores")
  func othersFromFolder() throws {
    let world = world.world
    try world.save("Mira\n", as: "n2.md", on: "mira")
    let large = String(repeating: "A line of a long text.\n", count: 50_000)
    try world.save(large, as: "large.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try stores("tom") == ["large.md", "n2.md"])
    for name in names + ["large.md"] {
      try self.world.expectAgreement(about: name, among: ["mira", "tom"])
    }
    try expectSound("mira", "tom")
  }

  @Test("Of files that are there already, those with other contents stay")
  func besideFiles() throws {
    let world = world.world
    try write("an own text\n", as: "n1.md", on: "tom")
    try write(text("n2.md"), as: "n2.md", on: "tom")
    try world.exchange("mira", "tom")
    #expect(try stores("tom") == ["n1 2.md", "n2.md"])
    #expect(try world.read("n1.md", on: "tom") == "an own text\n")
    #expect(try world.read("n1 2.md", on: "tom") == text("n1.md"))
    try expectSound("tom")
  }

  @Test("A second place gets them without stores, also those that came from the first one")
  func twoPlaces() throws {
    try world.meet("mira", "tom")
    for device in ["mira", "tom"] {
      let (store, folder) = (world.world.store(device), world.world.scratch[device])
      for _ in 1...2 {
        let outcome = try store.exchange(folder, through: world.world.cloud)
        #expect(outcome.documents.allSatisfy { $0.failure == nil })
      }
      #expect(try stores(device).isEmpty)
    }
    try world.world.exchange("ida", "mira", "tom")
    #expect(try stores("mira").isEmpty && stores("tom").isEmpty)
    try world.world.save("Ida\n", as: "n4.md", on: "ida")
    try world.world.exchange("ida", "mira", "tom")
    try world.meet("mira", "tom")
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom", "ida"]) }
    #expect(try world.world.read("n4.md", on: "tom") == "Ida\n")
    try world.world.expectSound("mira", "tom", "ida")
    try expectSound("mira", "tom")
  }

  @Test("Without the remote, or with a damaged copy of it, they stay as they are", arguments: 0...2)
  func remote(_ kind: Int) throws {
    try world.meet("mira", "tom")
    let (store, folder) = (world.world.store("mira"), world.world.scratch["mira"])
    switch kind {
    case 0: try store.removeRemote(named: "origin", from: folder)
    case 1: try FileManager.default.removeItem(at: file(.mirrors, of: "mira"))
    default:
      for pack in try packs(of: file(.mirrors, of: "mira")) {
        try FileHandle(forWritingTo: pack).truncate(atOffset: 100)
      }
    }
    for name in names {
      #expect(try store.verify(world.world.url("mira", name)).isWhole)
      #expect(try world.world.history(name, on: "mira").versions.count == 1)
    }
    try world.world.save("Tom\n", as: "n3.md", on: "tom")
    try world.meet("tom", "mira")
    #expect(try world.world.read("n3.md", on: "mira") == "Tom\n")
    #expect(try stores("mira").isEmpty)
    for name in names { try world.expectAgreement(about: name, among: ["mira", "tom"]) }
    try expectSound("mira", "tom")
  }

  @Test("Files of the same names that began on both devices are put together as always")
  func sameNames() throws {
    try save(Array(names.prefix(9)), on: "tom")
    try write("other\n", as: "n10.md", on: "tom")
    _ = try world.world.store("tom").save(world.world.url("tom", "n10.md"))
    try world.meet("mira", "tom")
    #expect(try documents("tom") == documents("mira"))
    for name in try documents("tom") {
      try world.expectAgreement(about: name, among: ["mira", "tom"])
    }
    #expect(try world.world.history("n1.md", on: "tom").unresolvedConflicts.isEmpty)
    try world.expectSound("mira", "tom")
    try expectSound("mira", "tom")
  }
}
