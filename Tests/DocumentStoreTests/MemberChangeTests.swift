import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Changes of members")
struct MemberChangeTests {
  private let desk: Device
  private let notebook: Notebook
  private let first: FileVersion

  init() throws {
    desk = try Device()
    notebook = try Notebook(desk)
    first = try notebook.save()
  }

  /// Returns the changes since the first version, which are the same on disk, for the version that is then
  /// saved, and in reverse.
  private func changes(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let onDisk = try desk.store.memberChangesOnDisk(since: first)
    let second = try notebook.save()
    let stored = try desk.store.memberChanges(from: first, to: second)
    #expect(onDisk == stored, sourceLocation: sourceLocation)
    let back = try desk.store.memberChanges(from: second, to: first)
    let places = stored.map { [$0.path, $0.formerPath ?? $0.path] }
    #expect(
      Set(back.map { [$0.formerPath ?? $0.path, $0.path] }) == Set(places),
      sourceLocation: sourceLocation)
    #expect(try desk.store.memberChanges(from: second, to: second).isEmpty)
    return stored.map(\.inShort)
  }

  @Test func `nothing has changed in an untouched package`() throws {
    #expect(try desk.store.memberChangesOnDisk(since: first).isEmpty)
    #expect(try desk.store.memberChanges(from: first, to: first).isEmpty)
  }

  @Test func `added, removed and changed members are in the order of their paths`() throws {
    try notebook.write("new\n", to: "pages/page0.txt")
    try notebook.write("edited\n", to: "Info.plist")
    try notebook.remove("images/camp.png")
    #expect(try changes() == ["~ Info.plist", "- images/camp.png", "+ pages/page0.txt"])
  }

  @Test func `sizes and kinds are those before and afterwards`() throws {
    try notebook.write("0123456789", to: "empty.txt")
    try notebook.remove("Info.plist")
    let changes = try desk.store.memberChangesOnDisk(since: first)
    #expect(changes.map(\.before?.bytes) == [Notebook.settings.utf8.count, 0])
    #expect(changes.map(\.after?.bytes) == [nil, 10])
    #expect(changes.map { ($0.after ?? $0.before)?.kind } == ["file", "file"])
    let all = try desk.store.memberChanges(from: nil, to: first)
    #expect(all.map(\.inShort) == all.map { "+ \($0.path)" })
    #expect(
      all.map(\.path) == all.map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(all.map { $0.after?.kind }.count { $0 == "executable" } == 1)
    #expect(all.count == 8)
  }

  @Test func `a file with the same bytes elsewhere is renamed or moved`() throws {
    try notebook.move("pages/page1.txt", to: "pages/first.txt")
    try notebook.move("images/camp.png", to: "archive/2026/camp.png")
    try notebook.move("cover", to: "images/cover")
    #expect(
      try changes() == [
        "images/camp.png -> archive/2026/camp.png", "cover -> images/cover",
        "pages/page1.txt -> pages/first.txt",
      ])
  }

  @Test func `a file that was renamed and edited is recognized by its lines`() throws {
    try notebook.move("pages/page1.txt", to: "start.txt")
    try notebook.write(Notebook.page(1) + "And on.\n", to: "start.txt")
    try notebook.move("pages/page2.txt", to: "other.txt")
    try notebook.write("Nothing of it is left.\n", to: "other.txt")
    #expect(
      try changes() == ["+ other.txt", "- pages/page2.txt", "pages/page1.txt ~> start.txt"])
  }

  @Test func `a large file that was renamed and edited is recognized by its chunks`() throws {
    var generator = SeededGenerator(seed: 7)
    let bytes = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try notebook.write(bytes: bytes, to: "film.mov")
    let before = try notebook.save()
    try notebook.remove("film.mov")
    try notebook.write(
      bytes: bytes.prefix(1_000_000) + [0, 1, 2] + bytes.dropFirst(1_000_000), to: "movies/cut.mov")
    #expect(
      try desk.store.memberChangesOnDisk(since: before).map(\.inShort)
        == ["film.mov ~> movies/cut.mov"])
    let after = try notebook.save()
    #expect(
      try desk.store.memberChanges(from: before, to: after).map(\.inShort)
        == ["film.mov ~> movies/cut.mov"])
    try notebook.setPermissions(0o755, of: "movies/cut.mov")
    #expect(
      try desk.store.memberChangesOnDisk(since: after).map(\.inShort) == ["= movies/cut.mov +x"])
  }

  @Test func `a folder that was renamed with all it holds is one change`() throws {
    try notebook.write("", to: "pages/notes/empty.txt")
    try notebook.makeFolder("pages/later")
    let before = try notebook.save()
    try notebook.move("pages", to: "book/chapters")
    let change = try #require(try desk.store.memberChangesOnDisk(since: before).first)
    #expect(change.inShort == "pages -> book/chapters (4)")
    #expect(change.after?.kind == "folder")
    try notebook.write("more\n", to: "book/chapters/page4.txt")
    #expect(
      try desk.store.memberChangesOnDisk(since: before).map(\.inShort) == [
        "+ book/chapters/later", "pages/notes -> book/chapters/notes",
        "pages/page1.txt -> book/chapters/page1.txt", "pages/page2.txt -> book/chapters/page2.txt",
        "pages/page3.txt -> book/chapters/page3.txt", "+ book/chapters/page4.txt", "- pages/later",
      ])
  }

  @Test func `of equal files those with the same name belong together, and empty ones never do`()
    throws
  {
    for path in ["a/x.txt", "a/y.txt", "a/z.txt"] { try notebook.write("same\n", to: path) }
    try notebook.write("kept\n", to: "a/kept.txt")
    let before = try notebook.save()
    for name in ["x", "y", "z"] { try notebook.remove("a/\(name).txt") }
    try notebook.remove("empty.txt")
    for path in ["b/1.txt", "b/2.txt", "b/y.txt"] { try notebook.write("same\n", to: path) }
    try notebook.write("", to: "c/empty.txt")
    let after = try notebook.save()
    #expect(
      try desk.store.memberChanges(from: before, to: after).map(\.inShort) == [
        "a/x.txt -> b/1.txt", "a/z.txt -> b/2.txt", "a/y.txt -> b/y.txt", "+ c/empty.txt",
        "- empty.txt",
      ])
  }

  @Test func `new modes, kinds and targets of links are reported`() throws {
    try notebook.setPermissions(0o755, of: "Info.plist")
    try notebook.setPermissions(0o644, of: "tools/pack.sh")
    try notebook.remove("pages/page1.txt")
    try notebook.link("pages/page1.txt", to: "page2.txt")
    try notebook.remove("cover")
    try notebook.link("cover", to: "elsewhere")
    try notebook.remove("pages/page3.txt")
    try notebook.makeFolder("pages/page3.txt")
    #expect(
      try changes() == [
        "= Info.plist +x", "~ cover", "! pages/page1.txt", "! pages/page3.txt",
        "= tools/pack.sh -x",
      ])
  }

  @Test func `a file that became a folder is reported by the members of the folder`() throws {
    try notebook.move("Info.plist", to: "moved")
    try notebook.move("moved", to: "Info.plist/Contents.plist")
    #expect(try changes() == ["Info.plist -> Info.plist/Contents.plist"])
  }

  @Test func `a folder that was emptied has lost its members, and is there still`() throws {
    try notebook.remove("images/camp.png")
    try notebook.makeFolder("drafts")
    #expect(try changes() == ["+ drafts", "- images/camp.png"])
  }

  @Test func `names of our own and odd ones are members like all others`() throws {
    try notebook.write("x\n", to: ".git/config")
    try notebook.write("x\n", to: ".docversions-name-x")
    try notebook.write("x\n", to: "a:b\nc.txt")
    #expect(try changes() == ["+ .docversions-name-x", "+ .git/config", "+ a:b\\nc.txt"])
  }

  @Test func `a document that is a file has one change, without a path`() throws {
    let old = try desk.save("one\n", as: "a.md")
    let new = try desk.save("two\n", as: "a.md")
    #expect(try desk.store.memberChanges(from: old, to: new).map(\.inShort) == ["~ "])
    #expect(try desk.store.memberChanges(from: nil, to: new).map(\.inShort) == ["+ "])
    #expect(try desk.store.memberChangesOnDisk(since: new).isEmpty)
    #expect(try desk.store.memberChangesOnDisk(since: old).map(\.after?.bytes) == [4])
    try FileManager.default.removeItem(at: desk["a.md"])
    #expect(try desk.store.memberChangesOnDisk(since: new).map(\.inShort) == ["- "])
  }

  @Test func `a file in place of a package is one change of the document’s kind`() throws {
    try FileManager.default.removeItem(at: notebook.url)
    try desk.write("flat now\n", to: notebook.name)
    let change = try #require(try desk.store.memberChangesOnDisk(since: first).first)
    #expect(change.inShort == "! ")
    #expect([change.before?.kind, change.after?.kind] == ["folder", "file"])
    #expect(try changes() == ["! "])
  }

  @Test func `a package that is gone has lost every member`() throws {
    let deletion = try desk.store.delete(notebook.url)
    let lost = try desk.store.memberChanges(from: first, to: deletion)
    #expect(lost.count == 8 && lost.allSatisfy { $0.kind == .removed })
    #expect(try desk.store.memberChangesOnDisk(since: first) == lost)
  }

  @Test func `versions whose contents are not here are refused`() throws {
    try notebook.write("edited\n", to: "Info.plist")
    let second = try notebook.save()
    try desk.store.remove([first], of: notebook.url)
    expectVersionError(.contentsNotLocal) {
      _ = try desk.store.memberChanges(from: first, to: second)
    }
  }

  @Test func `what is equal is not read, so damage there is no matter`() throws {
    var generator = SeededGenerator(seed: 3)
    let big = try Notebook(desk, name: "Big.pkg")
    for page in 0..<500 {
      try big.write("\(UInt64.random(in: 0...(.max), using: &generator))\n", to: "a/\(page).txt")
    }
    try big.save()
    try big.write("one\n", to: "b.txt")
    let second = try big.save()
    try big.write("two\n", to: "b.txt")
    let third = try big.save()
    let store = desk[".docversions/documents/Big.pkg.git/objects/pack"]
    let packs = try FileManager.default.contentsOfDirectory(atPath: store.path)
      .filter { $0.hasSuffix(".pack") }.map { store.appending(path: $0) }
    // The files come first in a pack, then the trees and commits.
    let pack = try #require(
      try packs.max { try Data(contentsOf: $0).count < Data(contentsOf: $1).count })
    var bytes = try Data(contentsOf: pack)
    bytes.replaceSubrange(40..<bytes.count / 2, with: Data(count: bytes.count / 2 - 40))
    try FileManager.default.removeItem(at: pack)
    try bytes.write(to: pack)
    #expect(
      try desk.store.memberChanges(from: second, to: third).map(\.inShort) == ["~ b.txt"])
    #expect(throws: VersionError.self) { try third.contents(ofMember: "a/1.txt") }
  }
}
