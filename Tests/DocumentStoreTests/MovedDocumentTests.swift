import DocumentSync
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Documents that were moved, copied or put aside outside docversions.
struct MovedDocumentTests {
  private let files = FileManager.default

  private func move(_ name: String, to other: String, on desk: Device) throws {
    try files.createDirectory(
      at: desk[other].deletingLastPathComponent(), withIntermediateDirectories: true)
    try files.moveItem(at: desk[name], to: desk[other])
  }

  @Test(
    "A document that is put aside under the name of a backup or a copy is missing, not renamed",
    arguments: [
      "n.md~", "n.md.~1~", "#n.md#", ".#n.md", ".n.md.swp", ".n.md.swo", "n.md.bak", "n.bak",
      "n.md.bak2", "n.md.tmp", "n.md.1", "n.md-2", "n.md.orig", "n.md.save.1", "~$n.md",
      ".~lock.n.md#", "n.md.sb-1a2b3c4d-XyZ123", ".nfs00000000012ab3",
      ".fuse_hidden0000abcd00000001",
      "n.md___jb_old___", "n.md.nextcloud", ".n.md.icloud", "Backup of n.md", "n (Autosaved).md",
      "n.sync-conflict-20230112-003022-FUKIKK4.md",
      "n (conflicted copy 2026-08-21 101500).md", ".n.md.Xy12Zw", "N.MD.BAK", "sub/n.md~",
    ])
  func putAside(name: String) throws {
    let world = try World()
    let desk = try world.device("mira")
    try desk.save("one", as: "n.md")
    try desk.save("two", as: "n.md")
    try move("n.md", to: name, on: desk)
    #expect(try desk.store.state(of: desk[name]) == .unsaved)
    #expect(try desk.store.state(of: desk["n.md"]) == .missing)
    #expect(try desk.store.movedDocuments(among: [desk["n.md"]]).isEmpty)
    try desk.store.exchange(desk.container, through: world.cloud)
    try desk.save("three", as: "n.md")
    #expect(try desk.texts("n.md") == ["three", "two", "one"])
  }

  @Test(
    "A document keeps its versions under any other name",
    arguments: ["m.md", "n.txt", "n.md.txt", "notes 2.md", "backup.md", "temporary.md", "1.md"])
  func renamed(name: String) throws {
    let desk = try Device()
    try desk.save("one", as: "n.md")
    try move("n.md", to: name, on: desk)
    try desk.save("two", as: name)
    #expect(try desk.texts(name) == ["two", "one"])
  }

  @Test(
    "Of a folder that is moved, a document whose file was replaced since is found beside the others",
    arguments: ["Done", "All/Done", "All/Work"], [true, false])
  func movedWithFolder(folder: String, savesItFirst: Bool) throws {
    let desk = try Device()
    try desk.store.makeContainer(desk.container)
    for name in ["a.md", "sub/b.md", "sub/c.md", "gone.md"] {
      try desk.save("\(name) of one\n", as: "Work/\(name)")
    }
    try desk.store.delete(desk["Work/gone.md"])
    try move("Work", to: folder, on: desk)
    try desk.write("another text\n", to: "\(folder)/gone.md")
    for name in ["a.md", "sub/b.md"] {
      try files.removeItem(at: desk["\(folder)/\(name)"])
      try desk.write("another text\n", to: "\(folder)/\(name)")
    }
    let moved = try desk.store.movedDocuments(
      among: ["a.md", "sub/b.md", "sub/c.md"].map { desk["Work/\($0)"] })
    #expect(moved.count == 3)
    let names = ["sub/c.md", "a.md", "sub/b.md", "gone.md"].map { desk["\(folder)/\($0)"] }
    for result in desk.store.saveEach(savesItFirst ? names.reversed() : names) {
      _ = try result.get()
    }
    #expect(try desk.history("\(folder)/a.md").versions.count == 2)
    #expect(try desk.history("\(folder)/sub/b.md").versions.count == 2)
    // What was deleted there is not what is new here.
    #expect(try desk.history("\(folder)/gone.md").versions.count == 1)
  }

  @Test(
    "An ignored copy is not taken for a document that was deleted; the moved file itself is",
    arguments: [
      ("backup", ".docversionsignore", "/backup/\n"), ("node_modules", nil, ""),
      ("tree", "tree/.git", "gitdir: elsewhere\n"), ("cache", "cache/CACHEDIR.TAG", ""),
    ] as [(String, String?, String)], [false, true])
  func ignoredCopy(
    of kind: (folder: String, mark: String?, contents: String), isMoved: Bool
  ) throws {
    let desk = try Device()
    try desk.save("one", as: "n.md")
    try desk.save("other", as: "o.md")
    try desk.write("one", to: "\(kind.folder)/sub/n.md")
    try desk.write("one", to: "\(kind.folder)/copy.md")
    if let mark = kind.mark { try desk.write(kind.contents, to: mark) }
    if isMoved {
      try files.removeItem(at: desk["\(kind.folder)/sub/n.md"])
      try move("n.md", to: "\(kind.folder)/sub/n.md", on: desk)
    } else {
      try files.removeItem(at: desk["n.md"])
    }
    let moved = try desk.store.moves(of: [desk["n.md"]])
    #expect(moved.places.values.map(\.lastPathComponent) == (isMoved ? ["n.md"] : []))
    #expect(moved.open.isEmpty)
  }

  @Test("A deleted document doesn't follow the folder that was put in its place")
  func folderInPlace() throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    try mira.save("one", as: "n")
    try world.exchange("mira", "tom")
    try files.removeItem(at: mira["n"])
    try mira.write("inner", to: "n/inner.md")
    try mira.store.delete(mira["n"])
    try move("n", to: "other", on: mira)
    #expect(try mira.store.movedDocuments(among: [mira["n"]]).isEmpty)
    try world.exchange("mira", "tom")
    #expect(!files.fileExists(atPath: tom["n"].path))
    #expect(!files.fileExists(atPath: tom["other"].path))
    #expect(files.fileExists(atPath: mira["other/inner.md"].path))
  }

  @Test("A new file with the name of a document of a folder that is gone is another one")
  func newFolder() throws {
    let desk = try Device()
    try desk.store.makeContainer(desk.container)
    for name in ["a.md", "b.md"] { try desk.save("\(name) of one\n", as: "2025/\(name)") }
    try files.removeItem(at: desk["2025"])
    for name in ["a.md", "b.md"] { try desk.save("another text\n", as: "2026/\(name)") }
    #expect(try desk.history("2026/a.md").versions.count == 1)
  }

  @Test(
    "A document in another folder is found, as the same file or by its bytes",
    arguments: ["moved", "moved and edited", "copied"])
  func moved(how: String) throws {
    let desk = try Device()
    try desk.save("one", as: "n.md")
    try desk.save("other", as: "other.md")
    try desk.write("one more", to: "Archive/more.md")
    if how == "copied" {
      try desk.write("one", to: "Archive/deep/n.md")
      try files.removeItem(at: desk["n.md"])
    } else {
      try move("n.md", to: "Archive/deep/n.md", on: desk)
      if how == "moved and edited" {
        try FileHandle(forWritingTo: desk["Archive/deep/n.md"]).write(contentsOf: Data("two".utf8))
      }
    }
    #expect(
      try desk.store.movedDocuments(among: [desk["n.md"], desk["other.md"]]).mapValues(\.path)
        == [desk["n.md"]: desk["Archive/deep/n.md"].path])
    if how == "copied" {
      try desk.write("one", to: "Archive/again.md")
      #expect(
        try desk.store.movedDocuments(among: [desk["n.md"]])[desk["n.md"]]?.path
          == desk["Archive/deep/n.md"].path)
      try desk.write("one", to: "Other/n.md")
      #expect(try desk.store.movedDocuments(among: [desk["n.md"]]).isEmpty)
    }
  }

  @Test func `an exchange writes a moved document where it is`() throws {
    let world = try World()
    try world.save("one\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom")
    let desk = try world.device("mira")
    try move("n.md", to: "Archive/n.md", on: desk)
    try world.save("one\ntwo\n", as: "n.md", on: "tom")
    try world.exchange("tom", "mira")
    #expect(!files.fileExists(atPath: desk["n.md"].path))
    #expect(try desk.texts("Archive/n.md").contains("one\ntwo\n"))
    try world.expectSound("mira", "tom")
  }

  @Test(
    "A copy keeps the history that was shown for it, once it is edited", arguments: [false, true])
  func copied(isReplaced: Bool) throws {
    let desk = try Device()
    try desk.save("one", as: "n.md")
    try desk.save("two", as: "n.md")
    try desk.write("two", to: "copies/n.md")
    try files.removeItem(at: desk["n.md"])
    #expect(try desk.texts("copies/n.md") == ["two", "one"])
    if isReplaced { try files.removeItem(at: desk["copies/n.md"]) }
    try desk.save("three", as: "copies/n.md")
    #expect(try desk.texts("copies/n.md") == ["three", "two", "one"])
  }

  @Test func `the name of a deleted document can be taken`() throws {
    let desk = try Device()
    try desk.save("foo", as: "foo.txt")
    try desk.store.delete(desk["foo.txt"])
    try desk.save("bar", as: "bar.txt")
    let (version, place) = try desk.store.renameMakingWay(desk["bar.txt"], to: "foo.txt")
    #expect(version.localizedName == "foo.txt")
    #expect(try desk.texts("foo.txt") == ["bar", "bar"])
    #expect(place?.lastPathComponent == "foo 2.txt")
    #expect(try desk.history("foo 2.txt").current?.isDeletion == true)
    let first = try #require(try desk.history("foo 2.txt").versions.last)
    try desk.store.restore(first)
    #expect(try desk.read("foo 2.txt") == "foo")
    try files.removeItem(at: desk["foo 2.txt"])
    #expect(throws: (any Error).self) { try desk.store.rename(desk["foo.txt"], to: "foo 2.txt") }
    try desk.expectSound()
  }

  @Test("What is received, restored or written elsewhere has the version’s modification time")
  func times() throws {
    let world = try World()
    let desk = try world.device("mira")
    let time = Date(timeIntervalSince1970: 1_620_284_889)
    for name in ["n.md", "a.pack/m.md"] {
      try desk.write("old", to: name)
      try files.setAttributes([.modificationDate: time], ofItemAtPath: desk[name].path)
    }
    try files.setAttributes([.modificationDate: time], ofItemAtPath: desk["a.pack"].path)
    try desk.store.save(desk["n.md"])
    try desk.store.save(desk["a.pack"])
    try world.exchange("mira", "tom")
    func modified(_ device: String, _ name: String) throws -> Date? {
      try files.attributesOfItem(atPath: world.url(device, name).path)[.modificationDate] as? Date
    }
    for name in ["n.md", "a.pack", "a.pack/m.md"] { #expect(try modified("tom", name) == time) }
    let first = try #require(try desk.history("n.md").current)
    try desk.save("new", as: "n.md")
    try desk.store.restore(first)
    #expect(try modified("mira", "n.md") == time)
    #expect(try desk.store.state(of: desk["n.md"]) == .unchanged)
    try desk.store.export(first, to: desk["copy.md"])
    #expect(try modified("mira", "copy.md") == time)
  }
}
