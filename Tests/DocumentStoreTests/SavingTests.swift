import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Saving")
struct SavingTests {
  @Test("A first save makes the store beside the document, and stock git finds it sound")
  func firstSave() throws {
    let desk = try Device()
    let version = try desk.save("tent\n", as: "packing.md", note: "first list")
    #expect(version.isCurrent)
    #expect(version.kind == .save)
    #expect(version.author == "Mira")
    #expect(version.savingDevice == "Mira’s laptop")
    #expect(version.note == "first list")
    #expect(version.size == 5)
    #expect(version.fileCount == 1)
    #expect(!version.isPackage)
    #expect(version.parents.isEmpty)
    #expect(version.localizedName == "packing.md")
    #expect(
      FileManager.default.fileExists(
        atPath: desk[".docversions/documents/packing.md.git/HEAD"].path))
    try desk.expectSound()
  }

  @Test(
    "Any time will do to wait for others",
    arguments: [Duration.seconds(-5), .zero, .seconds(Int64.max)])
  func timeToWait(_ time: Duration) throws {
    let desk = try Device()
    try desk.write("tent\n", to: "packing.md")
    var store = desk.store
    store.lockTimeout = time
    #expect(try store.save(desk["packing.md"]).isNew)
  }

  @Test("A second save follows the first, and both can be read")
  func secondSave() throws {
    let desk = try Device()
    let first = try desk.save("tent\n", as: "packing.md")
    let second = try desk.save("tent\nstove\n", as: "packing.md")
    #expect(second.parents == [first.id])
    #expect(try desk.texts("packing.md") == ["tent\nstove\n", "tent\n"])
    #expect(try desk.history("packing.md").shown == second)
    try desk.expectSound()
  }

  @Test("Saving unchanged contents writes nothing and gives the version that has them")
  func unchanged() throws {
    let desk = try Device()
    let first = try desk.save("tent\n", as: "packing.md")
    let again = try desk.store.save(desk["packing.md"])
    #expect(!again.isNew)
    #expect(again.version == first)
    #expect(try desk.history("packing.md").versions.count == 1)
  }

  @Test("An edit of the same size, with the time of the last save put back, is a new version")
  func sameSizeAndTime() throws {
    let desk = try Device()
    try desk.save("one", as: "a.md")
    let path = desk["a.md"].path
    let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let file = try FileHandle(forWritingTo: desk["a.md"])
    try file.write(contentsOf: Data("two".utf8))
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(time)], ofItemAtPath: path)
    #expect(try desk.store.state(of: desk["a.md"]) == .edited)
    #expect(try desk.store.save(desk["a.md"]).isNew)
    #expect(try desk.texts("a.md") == ["two", "one"])
  }

  @Test(
    "A document that a crash emptied is not saved by itself; one that was emptied on purpose is",
    arguments: ["", "\0\0\0\0", "\0"])
  func emptied(text: String) throws {
    let desk = try Device()
    let saved = try desk.save("text", as: "a.md")
    let path = desk["a.md"].path
    let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    try desk.write(text, to: "a.md")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(time)], ofItemAtPath: path)
    let error = try #require(throws: VersionError.self) { _ = try desk.store.save(desk["a.md"]) }
    #expect(error.code == .emptied)
    #expect(error.recovery == .restoreEmptied)
    #expect(try desk.texts("a.md") == ["text"])
    #expect(try desk.store.save(desk["a.md"], base: saved).isNew)
    #expect(try desk.texts("a.md") == [text, "text"])
    try desk.save("text again", as: "a.md")
    try desk.write(text, to: "a.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(try desk.store.save(desk["a.md"]).isNew)
  }

  @Test("A save on a stale base becomes a second head, never an overwrite")
  func staleBase() throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1\n", other: "2\n", current: "3\n", as: "a.txt")
    let history = try desk.history("a.txt")
    #expect(history.current == versions.current)
    #expect(history.unresolvedConflicts == [versions.other])
    #expect(history.conflictBase == versions.base)
    #expect(try desk.texts("a.txt") == ["3\n", "2\n", "1\n"])
    try desk.expectSound()
  }

  @Test("A slow clock cannot make an edit older than what it was made from")
  func slowClock() throws {
    let desk = try Device()
    let first = try desk.save("1\n", as: "a.txt")
    desk.clock.advance(bySeconds: -1_000_000)
    let second = try desk.save("2\n", as: "a.txt")
    #expect(second.savingDate > first.savingDate)
    #expect(second.isCurrent)
  }

  @Test(
    "Contents of every kind come back byte for byte",
    arguments: [
      Data(), Data("a".utf8), Data("a\r\nb\n".utf8), Data([0, 255, 254, 0, 10, 13]),
      Data("\u{FEFF}tree 0\0".utf8),
      Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) }),
    ])
  func bytes(contents: Data) throws {
    let desk = try Device()
    try contents.write(to: desk["a.bin"])
    let version = try desk.store.save(desk["a.bin"]).version
    #expect(try version.contents() == contents)
    try desk.expectSound()
  }

  @Test(
    "Names of every kind can be saved and found again",
    arguments: [
      "x.git", ".hidden", "a b.txt", "naïve Überschrift.md", "日本語.txt", "-m", "it's \"quoted\".md",
      "~",
      "a\nb.txt", "sub/inner/deep.md", "x.git/y.md", "x.git~/y.md",
      String(repeating: "n", count: 251),
    ])
  func names(name: String) throws {
    let desk = try Device()
    try desk.save("other\n", as: "other.txt")
    let version = try desk.save("1\n", as: name)
    #expect(version.path == name)
    #expect(
      try desk.store.documents(below: desk.container)?.contains(desk[name].standardizedFileURL)
        == true)
    #expect(try desk.texts(name) == ["1\n"])
    try desk.expectSound()
  }

  @Test("A name too long for a store is refused before anything is made")
  func longName() throws {
    let desk = try Device()
    let name = String(repeating: "n", count: 252)
    try desk.write("1\n", to: name)
    let error = #expect(throws: FileError.self) { try desk.store.save(desk[name]) }
    #expect(error?.code == .invalidName)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
  }

  @Test("A document in a subfolder belongs to the container above it")
  func subfolder() throws {
    let desk = try Device()
    try desk.save("1\n", as: "a.txt")
    try desk.save("2\n", as: "sub/b.txt")
    #expect(!FileManager.default.fileExists(atPath: desk["sub/.docversions"].path))
    #expect(try desk.history("sub/b.txt").versions.count == 1)
    #expect(try desk.store.documents(below: desk["sub"])?.count == 1)
    #expect(try desk.store.documents(below: desk.container)?.count == 2)
  }

  @Test("Without a first save there are no documents and no container")
  func noContainer() throws {
    let desk = try Device()
    #expect(try desk.store.documents(below: desk.container) == nil)
  }

  @Test("A dry run saves nothing")
  func dryRun() throws {
    let desk = try Device()
    try desk.save("1\n", as: "a.txt")
    try desk.write("2\n", to: "a.txt")
    var store = desk.store
    store.isDryRun = true
    #expect(try store.save(desk["a.txt"]).isNew)
    #expect(try desk.history("a.txt").versions.count == 1)
  }

  @Test("Two processes' worth of threads that save at once lose nothing")
  func concurrentSaves() async throws {
    let desk = try Device()
    try desk.save("0\n", as: "a.txt")
    let base = try desk.history("a.txt").current
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask {
          try await desk.store.perform { store in
            // Each from the same base, as editors that opened the document at the same time.
            let own = desk.scratch["\(number).txt"]
            try Data("\(number)\n".utf8).write(to: own)
            _ = try FileVersion.add(to: desk["a.txt"], contentsOf: own, store: store)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try desk.history("a.txt").versions.count == 9)
    #expect(try desk.history("a.txt").current == base)
    try desk.expectSound()
  }

  @Test(
    "Small edits take little room, in a file and in a member of a package",
    arguments: [false, true])
  func room(inPackage: Bool) throws {
    let desk = try Device()
    var random = SeededGenerator(seed: 1)
    func line() -> String { "\(UInt64.random(in: 0...(.max), using: &random))\n" }
    var lines = (0..<2_000).map { _ in line() }
    let document = inPackage ? "Trip.pkg" : "trip.txt"
    if inPackage {
      for page in 0..<50 { try desk.write("\(page)\n", to: "Trip.pkg/pages/\(page).txt") }
    }
    var texts: [String] = []
    for _ in 0..<60 {
      lines[Int.random(in: lines.indices, using: &random)] = line()
      texts.append(lines.joined())
      try desk.write(texts[texts.count - 1], to: inPackage ? "Trip.pkg/pages/1.txt" : document)
      desk.clock.advance(bySeconds: 60)
      try desk.store.save(desk[document])
    }
    let store = desk[".docversions/documents/\(document).git/objects/pack"]
    let sizes = try FileManager.default.contentsOfDirectory(atPath: store.path)
      .map { try Data(contentsOf: store.appending(path: $0)).count }
    // A version of its own would take 20 kilobytes.
    #expect(sizes.reduce(0, +) < 110_000)
    let versions = try desk.history(document).versions
    #expect(versions.count == 60)
    for (version, text) in zip(versions.reversed(), texts) {
      let bytes =
        try inPackage ? version.contents(ofMember: "pages/1.txt") : version.contents()
      #expect(bytes == Data(text.utf8))
    }
    try desk.expectSound()
    try desk.store.collect(desk[document])
    #expect(try desk.history(document).versions.map(\.id) == versions.map(\.id))
    try desk.expectSound()
  }
}
