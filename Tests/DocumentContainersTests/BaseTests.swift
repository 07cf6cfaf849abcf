import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Bases of copies that other tools keep")
struct BaseTests {
  private static let base = "first line\nsecond line\nthird line\n"
  private static let document = "first line\nsecond line\nthird line\nfrom the document\n"
  private static let copy = "from the copy\nfirst line\nsecond line\nthird line\n"
  private static let merged =
    "from the copy\nfirst line\nsecond line\nthird line\nfrom the document\n"

  private func desk(in folder: String = "") throws -> Device {
    let desk = try Device()
    try desk.write(Self.document, to: folder + "a.md")
    try desk.write(Self.copy, to: folder + syncthingCopy(of: "a"))
    return desk
  }

  @Test(
    "A file that another tool has kept is a base, and becomes a version",
    arguments: [
      ("", ".stversions/a~20261120-101112.md"), ("sub/", ".stversions/sub/a~20261120-101112.md"),
      ("sub/", "sub/.bak.1.a.md"), ("sub/", ".sync/Archive/sub/a.2.md"),
    ])
  func keptFile(folder: String, file: String) async throws {
    let desk = try desk(in: folder)
    try desk.write(Self.base, to: file)
    let copy = try #require(try await desk.copies()[syncthingCopy(of: "a")])
    #expect(copy.outlookWord == "merges")
    guard case .file(let url)? = copy.base?.source else {
      Issue.record("The base is \(String(describing: copy.base))")
      return
    }
    #expect(url.lastPathComponent == file.split(separator: "/").last.map(String.init))
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.failure == nil)
    #expect(try desk.read(folder + "a.md") == Self.merged)
    #expect(try desk.texts(folder + "a.md").contains(Self.base))
    try desk.expectSound()
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.failures.isEmpty)
    #expect(try desk.read(folder + "a.md") == Self.document)
    #expect(try desk.read(folder + syncthingCopy(of: "a")) == Self.copy)
  }

  @Test("The newest file that the copy has seen is the base, and none that it has not")
  func newest() async throws {
    let desk = try desk()
    try desk.write("first line\n", to: ".stversions/a~20261118-101112.md")
    try desk.write(Self.base, to: ".stversions/a~20261119-101112.md")
    try desk.write(Self.document, to: ".stversions/a~20261120-101112.md")
    let base = try #require(try await desk.copies()[syncthingCopy(of: "a")]?.base)
    #expect(
      base.source == .file(desk[".stversions/a~20261119-101112.md"].resolvingSymlinksInPath()))
    #expect(Timestamp.textInSeconds(base.date) == "2026-11-19T10:11:12Z")
  }

  @Test(
    "A text that a tool put in the place of a saved one is merged with it, and takes nothing back")
  func replaced() async throws {
    let desk = try Device()
    try desk.save(Self.base, as: "a.md")
    try desk.save(Self.copy, as: "a.md")
    // Another device's edit of the first version is the document now, and the saved text is its copy.
    try desk.write(Self.document, to: "a.md")
    try desk.write(Self.copy, to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "merges")
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.failure == nil)
    #expect(try desk.read("a.md") == Self.merged)
    #expect(!desk.exists(syncthingCopy(of: "a")))
    let texts = try desk.texts("a.md")
    #expect([Self.base, Self.copy, Self.document].allSatisfy(texts.contains))
    try desk.expectSound()
  }

  @Test("What was typed on top of a saved text is merged with what a tool put in its place")
  func replacedWithEdits() async throws {
    let desk = try Device()
    try desk.save(Self.base, as: "a.md")
    try desk.save(Self.copy, as: "a.md")
    try desk.write(Self.document, to: "a.md")
    try desk.write(Self.copy + "typed since\n", to: syncthingCopy(of: "a"))
    // The end of the text is edited on both sides, which is a question with any base.
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "contradiction")
    try desk.write("typed since\n" + Self.copy, to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "merges")
    #expect(try await desk.adopt(.merge).first?.failure == nil)
    #expect(try desk.read("a.md") == "typed since\n" + Self.merged)
    #expect(!desk.exists(syncthingCopy(of: "a")))
    try desk.expectSound()
  }

  @Test(
    "A copy of the only version is a question, where the document does not show that it follows")
  func replacedFirst() async throws {
    let desk = try Device()
    try desk.save(Self.copy, as: "a.md")
    try desk.write("another text\nof another device\n", to: "a.md")
    try desk.write(Self.copy, to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "unknown base")
    try await desk.adopt(.merge)
    #expect(desk.exists(syncthingCopy(of: "a")))
    // A decision is made, and the copy doesn't count as merged.
    let adopted = try await desk.adopt(.resolve(.merge))
    #expect(adopted.first?.isInConflict == true || adopted.first?.resolution != nil)
    try desk.expectSound()
    // What follows shows it.
    let other = try Device()
    try other.save(Self.copy, as: "a.md")
    try other.write(Self.copy + "more\n", to: "a.md")
    try other.write(Self.copy, to: syncthingCopy(of: "a"))
    #expect(try await other.copies()[syncthingCopy(of: "a")]?.outlookWord == "nothing new")
  }

  @Test("A copy of a version is a question, where the one after it does not show that it follows")
  func overtaken() async throws {
    let desk = try Device()
    try desk.save(Self.base, as: "a.md")
    try desk.save(Self.copy, as: "a.md")
    try desk.save(Self.document, as: "a.md")
    try desk.write(Self.copy, to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "unknown base")
    try desk.write(Self.base, to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "nothing new")
  }

  @Test("A commit of a git work tree is a base", arguments: [false, true])
  func commit(isPacked: Bool) async throws {
    let desk = try Device()
    func git(_ arguments: String...) throws {
      let result = try Command.run(
        "/usr/bin/git",
        ["-C", desk.container.path, "-c", "user.name=M", "-c", "user.email=m@x"] + arguments)
      try #require(result.exitCode == 0, "\(result)")
    }
    try git("init", "-q", "-b", "main")
    for text in ["first line\n", Self.base] {
      try desk.write(text, to: "sub/a.md")
      try git("add", ".")
      try git("commit", "-q", "-m", "x")
    }
    if isPacked { try git("gc", "-q") }
    try desk.write(Self.document, to: "sub/a.md")
    try desk.write(Self.copy, to: "sub/" + syncthingCopy(of: "a"))
    let copy = try #require(try await desk.copies()[syncthingCopy(of: "a")])
    guard case .commit? = copy.base?.source else {
      Issue.record("The base is \(String(describing: copy.base))")
      return
    }
    try await desk.adopt(.merge)
    #expect(try desk.read("sub/a.md") == Self.merged)
  }

  @Test("A damaged repository of git is no base, and no failure")
  func damagedRepository() async throws {
    let desk = try desk()
    try desk.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try desk.write("nonsense", to: ".git/refs/heads/main")
    try desk.write("", to: ".git/objects/x")
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "unknown base")
  }

  @Test("A package takes copies of its members in as versions of itself")
  func members() async throws {
    let desk = try Device()
    let name = "trip.rtfd"
    try desk.write(Self.base, to: "\(name)/TXT.rtf")
    try desk.write("picture", to: "\(name)/1.png")
    try desk.store.save(desk[name], asPackage: true)
    desk.clock.advance(bySeconds: 60)
    try desk.write(Self.document, to: "\(name)/TXT.rtf")
    try desk.write(Self.copy, to: "\(name)/" + syncthingCopy(of: "TXT", ".rtf"))
    let copy = try #require(try await desk.copies()[syncthingCopy(of: "TXT", ".rtf")])
    #expect(copy.document.lastPathComponent == name)
    #expect(copy.member == "TXT.rtf")
    #expect(copy.outlookWord == "merges")
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.failure == nil)
    #expect(try desk.read("\(name)/TXT.rtf") == Self.merged)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk[name].path).sorted()
    #expect(names == ["1.png", "TXT.rtf"])
    let version = try #require(adopted.first?.copies.first?.version)
    #expect(version.isPackage)
    #expect(
      try desk.store.contents(of: version, member: "TXT.rtf") == Data(Self.copy.utf8))
    try desk.expectSound()

    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.failures.isEmpty)
    #expect(try desk.read("\(name)/TXT.rtf") == Self.document)
    #expect(try desk.read("\(name)/" + syncthingCopy(of: "TXT", ".rtf")) == Self.copy)
    let again = try await desk.adopt(.merge)
    #expect(again.first?.failure == nil)
    #expect(try desk.read("\(name)/TXT.rtf") == Self.merged)
  }

  @Test("A member’s copy that is equal to it goes, and comes back")
  func equalMember() async throws {
    let desk = try Device()
    try desk.write(Self.base, to: "trip.rtfd/TXT.rtf")
    try desk.write(Self.base, to: "trip.rtfd/" + syncthingCopy(of: "TXT", ".rtf"))
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.failure == nil)
    #expect(!desk.exists("trip.rtfd/" + syncthingCopy(of: "TXT", ".rtf")))
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.failures.isEmpty)
    #expect(desk.exists("trip.rtfd/" + syncthingCopy(of: "TXT", ".rtf")))
  }

  @Test("A copy of a whole package is one of the package")
  func packageCopy() async throws {
    let desk = try Device()
    try desk.write("text\n", to: "trip.rtfd/TXT.rtf")
    try desk.store.save(desk["trip.rtfd"], asPackage: true)
    desk.clock.advance(bySeconds: 60)
    try desk.write("picture", to: "trip.rtfd/1.png")
    let name = "trip (conflicted copy 2021-06-16 143218).rtfd"
    try desk.write("text\n", to: "\(name)/TXT.rtf")
    try desk.write("other picture", to: "\(name)/2.png")
    #expect(try await desk.copies()[name]?.outlookWord == "merges")
    try await desk.adopt(.merge)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk["trip.rtfd"].path).sorted()
    #expect(names == ["1.png", "2.png", "TXT.rtf"])
    #expect(!desk.exists(name))
    _ = try await desk.adoption.undo(in: desk.container)
    #expect(desk.exists("\(name)/2.png") && !desk.exists("trip.rtfd/2.png"))
  }

  // MARK: Lines that the copy has changed

  private static let five = "# List\n- tent for two\n- stove and gas\n- rope, ten metres\n- map\n"

  /// A document of which the copy has another first item, with one version, or a second one of the document’s own change.
  private func changed(hasTwoVersions: Bool, copy: String) throws -> Device {
    let desk = try Device()
    try desk.write(Self.five, to: "a.md")
    try desk.store.save(desk["a.md"])
    desk.clock.advance(bySeconds: 60)
    try desk.write(Self.five.replacing("ten metres", with: "20 metres"), to: "a.md")
    if hasTwoVersions { try desk.store.save(desk["a.md"]) }
    try desk.write(copy, to: syncthingCopy(of: "a"))
    return desk
  }

  @Test(
    "A saved version is the base where the copy has changed a line and the document another one",
    arguments: [false, true])
  func changedLine(hasTwoVersions: Bool) async throws {
    let copy = Self.five.replacing("for two", with: "for three")
    let desk = try changed(hasTwoVersions: hasTwoVersions, copy: copy)
    let found = try #require(try await desk.copies()[syncthingCopy(of: "a")])
    #expect(found.outlookWord == "merges")
    guard case .version? = found.base?.source else {
      Issue.record("The base is \(String(describing: found.base))")
      return
    }
    try await desk.adopt(.merge)
    #expect(
      try desk.read("a.md")
        == Self.five.replacing("for two", with: "for three")
        .replacing("ten metres", with: "20 metres"))
    #expect(try desk.texts("a.md").contains(copy))
    try desk.expectSound()
  }

  @Test(
    "Lines that both have changed are a question, and a copy made from the second version is of that"
  )
  func changedAlike() async throws {
    let both = Self.five.replacing("ten metres", with: "30 metres")
    let contradiction = try changed(hasTwoVersions: true, copy: both)
    #expect(
      try await contradiction.copies()[syncthingCopy(of: "a")]?.outlookWord == "contradiction")
    let newest = Self.five.replacing("for two", with: "for three")
      .replacing("ten metres", with: "20 metres")
    let desk = try changed(hasTwoVersions: true, copy: newest)
    let base = try #require(try await desk.copies()[syncthingCopy(of: "a")]?.base)
    let current = try #require(try desk.store.history(of: desk["a.md"]).current)
    #expect(base.source == .version(current))
  }

  @Test(
    "A copy that lacks a line, has little of the version or is older has no base",
    arguments: [
      "# List\n- tent for three\n- stove and gas\n- rope, ten metres\n",
      "# List\n- boat\n- paddles\n- vests\n- bucket\n",
    ])
  func notShown(copy: String) async throws {
    let desk = try changed(hasTwoVersions: false, copy: copy)
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.base == nil)
  }

  @Test("A copy that is older than the version was not made from it")
  func olderCopy() async throws {
    let desk = try changed(
      hasTwoVersions: false, copy: Self.five.replacing("for two", with: "for three"))
    let version = try #require(try desk.store.history(of: desk["a.md"]).current)
    try FileManager.default.setAttributes(
      [.modificationDate: version.modificationDate.addingTimeInterval(-60)],
      ofItemAtPath: desk[syncthingCopy(of: "a")].path)
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.base == nil)
  }
}
