import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentGit
@testable import DocumentStore
@testable import DocumentSync

/// An exchange folder whose files a syncing tool delivers late, in any order, or removes.
@Suite("Files of an exchange that come late")
struct LateExchangeTests {
  private let scratch: ScratchFolder
  private let mira: Device
  private let tom: Device

  /// Creates a world in which both have two versions by Mira and two more by Tom.
  init() throws {
    scratch = try ScratchFolder()
    (mira, tom) = try Device.pair(in: scratch)
    try mira.save("one\n", as: "x.md")
    try mira.save("two\n", as: "x.md")
    try exchange(mira)
    try exchange(tom)
    try tom.save("three\n", as: "x.md")
    try tom.save("four\n", as: "x.md")
    try exchange(tom)
    try exchange(mira)
  }

  private var cloud: URL { scratch["cloud"] }

  /// Exchanges, and returns the failures of documents, once for each device that is still arriving.
  @discardableResult
  private func exchange(_ desk: Device) throws -> [VersionError.Code] {
    desk.clock.advance(bySeconds: 60)
    var codes: [VersionError.Code] = []
    let outcome = try desk.store.exchange(desk.container, through: cloud)
    for result in outcome.documents {
      guard let failure = result.failure else { continue }
      codes.append(try #require(failure as? VersionError).code)
    }
    return codes + outcome.arriving.map { _ in .notArrived }
  }

  /// Moves files out of the exchange folder.
  ///
  /// - Returns: their former and present locations.
  private func takeAway(
    where isLate: (String) -> Bool
  ) throws -> [(place: URL, away: URL)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: cloud.path).filter(isLate)
    return try names.enumerated().map { number, name in
      let away = scratch["away-\(number)"]
      try FileManager.default.moveItem(at: cloud.appending(path: name), to: away)
      return (cloud.appending(path: name), away)
    }
  }

  private func bringBack(_ files: [(place: URL, away: URL)]) throws {
    for file in files { try FileManager.default.moveItem(at: file.away, to: file.place) }
  }

  private func packFiles() throws -> Set<String> {
    let folder = cloud.appending(path: "objects/pack")
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  /// Exchanges Mira's device, and moves the pack away that it has sent.
  private func sendWithoutPack() throws -> [(place: URL, away: URL)] {
    let before = try packFiles()
    try exchange(mira)
    return try takeAway { name in
      name.hasPrefix("objects/pack/pack-")
        && !before.contains(String(name.split(separator: "/").last ?? ""))
    }
  }

  private let older = ["four\n", "three\n", "two\n", "one\n"]

  @Test("A version whose content has not arrived is left out, and all that is here stays")
  func lateContent() throws {
    try mira.save("five\n", as: "x.md")
    let late = try sendWithoutPack()
    #expect(!late.isEmpty)
    #expect(try exchange(tom) == [.notArrived])
    #expect(try tom.texts("x.md") == older)
    #expect(try tom.read("x.md") == "four\n")
    try bringBack(late)
    #expect(try exchange(tom).isEmpty)
    #expect(try tom.texts("x.md") == ["five\n"] + older)
    #expect(try tom.read("x.md") == "five\n")
    try tom.expectSound()
  }

  @Test("What is saved here meanwhile is sent, and is in conflict with what comes late")
  func editedMeanwhile() throws {
    try mira.save("five\n", as: "x.md")
    let late = try sendWithoutPack()
    try tom.save("Tom’s\n", as: "x.md")
    #expect(try exchange(tom) == [.notArrived])
    #expect(try exchange(mira).isEmpty)
    #expect(try mira.history("x.md").unresolvedConflicts.count == 1)
    // Mira has what the folder lacks.
    try exchange(tom)
    #expect(try tom.history("x.md").unresolvedConflicts.count == 1)
    #expect(try Set(tom.texts("x.md")) == Set(mira.texts("x.md")))
    for file in late { try FileManager.default.removeItem(at: file.away) }
  }

  @Test("Packs whose indexes come late stay; other documents are exchanged meanwhile")
  func lateIndexes() throws {
    try mira.save("other\n", as: "y.md")
    try exchange(mira)
    let before = try packFiles()
    try mira.save("five\n", as: "x.md")
    try exchange(mira)
    let late = try takeAway { name in
      name.hasSuffix(".idx") && !before.contains(String(name.split(separator: "/").last ?? ""))
    }
    #expect(!late.isEmpty)
    let arrived = try packFiles()
    let alone = arrived.filter { name in
      name.hasSuffix(".pack") && !arrived.contains("\(name.dropLast(5)).idx")
    }
    #expect(!alone.isEmpty)
    try tom.save("Tom’s\n", as: "z.md")
    try exchange(tom)
    #expect(try packFiles().isSuperset(of: alone))
    #expect(try tom.texts("x.md") == older)
    try bringBack(late)
    #expect(try exchange(tom).isEmpty)
    #expect(try tom.read("x.md") == "five\n")
    #expect(try tom.read("y.md") == "other\n")
    #expect(try exchange(mira).isEmpty)
    #expect(try mira.read("z.md") == "Tom’s\n")
  }

  @Test("Objects that the folder has lost are sent again by a device that has them")
  func lostPacks() throws {
    try mira.save("five\n", as: "x.md")
    try exchange(mira)
    try FileManager.default.removeItem(at: cloud.appending(path: "objects/pack"))
    try FileManager.default.createDirectory(
      at: cloud.appending(path: "objects/pack"), withIntermediateDirectories: true)
    #expect(try exchange(tom) == [.notArrived])
    #expect(try exchange(mira).isEmpty)
    #expect(try exchange(tom).isEmpty)
    #expect(try tom.texts("x.md") == ["five\n"] + older)
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("A document that is new here waits until all of it has arrived")
  func newDocument() throws {
    let ida = try Device("Ida", in: scratch, clock: mira.clock)
    let late = try takeAway { $0.hasPrefix("objects/pack/pack-") }
    #expect(try exchange(ida) == [.notArrived, .notArrived])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: ida.container.path) == [".docversions"])
    try bringBack(late)
    #expect(try exchange(ida).isEmpty)
    #expect(try ida.texts("x.md") == older)
  }

  @Test("A document that took in a version without its content can be used, and is healed")
  func bareHead() throws {
    let five = try mira.save("five\n", as: "x.md")
    try exchange(mira)
    let head = five.persistentIdentifier.objectID
    do {
      let folder = try ExchangeFolder(cloud.filePath).open(clock: .system)
      try tom.store.environment.withWriter(at: DocumentLocation(of: tom["x.md"])) { writer in
        try folder.repository.copy([head], intoPacksOf: writer.reader.objects.repository)
        try writer.moveHeads(to: [head], targets: [head: head])
      }
    }
    let late = try takeAway { $0.hasPrefix("objects/pack/pack-") }
    #expect(try exchange(tom).contains(.notArrived))
    #expect(try tom.read("x.md") == "four\n")
    // The formerly local contents are local again.
    let versions = try tom.history("x.md").versions
    #expect(try versions.dropFirst().map { try text($0) } == older)
    try bringBack(late)
    #expect(try exchange(tom).isEmpty)
    #expect(try tom.texts("x.md") == ["five\n"] + older)
    #expect(try tom.read("x.md") == "five\n")
    try tom.expectSound()
  }

  @Test("A version that follows one without content keeps what was before it")
  func followingBareHead() throws {
    let five = try mira.save("five\n", as: "x.md")
    let head = five.persistentIdentifier.objectID
    try mira.store.environment.withWriter(at: DocumentLocation(of: mira["x.md"])) { writer in
      var plan = try writer.chain.plan()
      plan.kept.remove(head)
      try writer.moveHeads(to: writer.chain.build(plan, heads: [head]))
    }
    #expect(try mira.history("x.md").versions.dropFirst().map { try text($0) } == older)
    try mira.save("six\n", as: "x.md")
    let versions = try mira.history("x.md").versions
    #expect(try versions.dropFirst(2).map { try text($0) } == older)
    try mira.expectSound()
  }

  @Test(
    "Of many versions that come at once, one that is lost or damaged keeps no other away",
    arguments: ["lost", "damaged"])
  func oneOfMany(kind: String) throws {
    for number in 0..<20 { try mira.save("number \(number)\n", as: "x.md") }
    try exchange(mira)
    try GitPacks.scatter(cloud)
    let bad = try pack(of: "number 7\n")
    let whole = try Data(contentsOf: bad)
    try FileManager.default.removeItem(at: bad)
    if kind == "damaged" {
      var bytes = whole
      // This is after the headers of the pack, the entry and the stream.
      bytes[12 + 1 + 3] ^= 0xFF
      try bytes.write(to: bad)
    }
    let ida = try Device("Ida", in: scratch, clock: mira.clock)
    #expect(try exchange(ida) == [kind == "lost" ? .notArrived : .damagedExchange])
    #expect(try ida.read("x.md") == "number 19\n")
    let versions = try ida.history("x.md").versions
    #expect(versions.count == 24)
    #expect(versions.count { !$0.hasLocalContents } == 1)
    // Not one for each version.
    let store = try DocumentLocation(of: ida["x.md"]).store
    #expect(try GitPacks.names(in: URL(filePath: store.string)).count < 16)
    try ida.expectSound()

    if kind == "damaged" { try FileManager.default.removeItem(at: bad) }
    try whole.write(to: bad)
    #expect(try exchange(ida).isEmpty)
    #expect(try ida.texts("x.md") == mira.texts("x.md"))
    try ida.expectSound()
  }

  /// Returns the only pack in the exchange folder that has the blob with a text.
  private func pack(of text: String) throws -> URL {
    let repository = try Repository(store: cloud.filePath)
    let id = ObjectID(of: .blob, Array(text.utf8))
    #expect(try repository.contains(id))
    let found = try repository.packs.knownPacks(with: id, upTo: .max)
    return cloud.appending(path: "objects/pack/\(try #require(found.first).name).pack")
  }

  private func text(_ version: FileVersion) throws -> String {
    String(decoding: try version.contents(), as: UTF8.self)
  }

  @Test("A pack that is late keeps no other document from arriving")
  func lateTree() throws {
    let first = try packFiles()
    let fresh = try Device("Ida", in: scratch, clock: mira.clock)
    try mira.save("else\n", as: "y.md")
    try exchange(mira)
    _ = try takeAway { first.contains(($0 as NSString).lastPathComponent) }
    #expect(try exchange(fresh).allSatisfy { $0 == .notArrived })
    #expect(try fresh.texts("y.md") == ["else\n"])
  }

  @Test(
    "What is lost is sent again, though the version that brought it was removed here",
    arguments: [false, true])
  func lostWithItsVersion(inFolder: Bool) throws {
    let photo = inFolder ? "p.pkg/images/photo.jpg" : "p.pkg/photo.jpg"
    try mira.write("a photo\n", to: photo)
    try savePackage("1\n")
    let before = try packFiles()
    try exchange(mira)
    let brought = try packFiles().subtracting(before)
    for number in 2...4 {
      try savePackage("\(number)\n")
      try exchange(mira)
    }
    let document = mira["p.pkg"]
    try mira.store.remove(
      Array(mira.store.history(of: document).versions.dropFirst()), of: document)
    _ = try takeAway { brought.contains(($0 as NSString).lastPathComponent) }
    #expect(try exchange(mira) == [])
    let ida = try Device("Ida", in: scratch, clock: mira.clock)
    try exchange(ida)
    #expect(try ida.read(photo) == "a photo\n")
    #expect(try ida.read("p.pkg/t.txt") == "4\n")
  }

  private func savePackage(_ text: String) throws {
    mira.clock.advance(bySeconds: 60)
    try mira.write(text, to: "p.pkg/t.txt")
    try mira.store.save(mira["p.pkg"])
  }

  @Test("Packs that were cut are sent again by the device that wrote them")
  func cutPacks() throws {
    for name in try packFiles() where name.hasSuffix(".pack") {
      let pack = cloud.appending(path: "objects/pack/" + name)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: pack.path)
      let file = try FileHandle(forWritingTo: pack)
      try file.truncate(atOffset: 100)
      try file.close()
    }
    try exchange(mira)
    try exchange(tom)
    #expect(try exchange(mira).isEmpty)
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
    let ida = try Device("Ida", in: scratch, clock: mira.clock)
    #expect(try exchange(ida).isEmpty)
    #expect(try ida.texts("x.md") == older)
  }

  @Test("A folder whose empty folders were not carried is one all the same")
  func withoutEmptyFolders() throws {
    let (made, carried) = (scratch["made"], scratch["carried"])
    let nobody = try Device("Nobody", in: scratch, clock: mira.clock)
    _ = try nobody.store.exchange(nobody.container, through: made)
    try FileManager.default.createDirectory(at: carried, withIntermediateDirectories: false)
    for part in ["HEAD", "config"] {
      try FileManager.default.copyItem(
        at: made.appending(path: part), to: carried.appending(path: part))
    }
    let results = try mira.store.exchange(mira.container, through: carried).documents
    #expect(results.map(\.sent) == [4])
    #expect(try GitCheck.problems(inStore: carried).isEmpty)
  }
}
