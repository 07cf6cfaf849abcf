import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Pairing copies with documents")
struct PairingTests {
  @Test("A copy of a copy of a copy, by two tools, is one of the document")
  func nested() async throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    let names = [
      "a (conflicted copy 2021-06-16 143218).md",
      "a (conflicted copy 2021-06-16 143218).sync-conflict-20261121-025448-UWZBLXH.md",
      "a (conflicted copy 2021-06-16 143218).sync-conflict-20261121-025448-UWZBLXH (Mira's conflicted copy 2026-11-22).md",
    ]
    for (index, name) in names.enumerated() { try desk.write("copy \(index)\n", to: name) }
    let copies = try await desk.copies()
    #expect(copies.count == 3)
    #expect(copies.values.allSatisfy { $0.document.lastPathComponent == "a.md" })
    #expect(copies[names[2]]?.author == "Mira")
  }

  @Test("A copy whose document is gone stays, and is named")
  func documentMissing() async throws {
    let desk = try Device()
    try desk.write("copy\n", to: syncthingCopy(of: "gone"))
    try desk.write("p\n", to: "x.md..path1")
    try desk.write("q\n", to: "x.md..path2")
    let copies = try await desk.copies()
    #expect(copies.count == 3)
    #expect(copies.values.allSatisfy { $0.outlookWord == "document missing" })
    let adopted = try await desk.adopt(.latest)
    #expect(adopted.flatMap(\.copies).allSatisfy { !$0.isTaken })
    #expect(try desk.names().count == 3)
  }

  @Test(
    "Where a tool has renamed all sides, the document comes back with what all of them changed",
    arguments: [
      ["n.md..path1", "n.md..path2"], ["n.md.conflict1", "n.md.conflict2"],
      ["n.conflict1.md", "n.conflict2.md"], ["n.variant-2a3f.md", "n.variant-51bc.md"],
    ], [false, true])
  func allSides(names: [String], isSaved: Bool) async throws {
    let desk = try Device()
    let lines = (1...9).map { "line \($0)\n" }.joined()
    let mine = lines.replacing("line 2", with: "line 2, by Mira")
    try desk.save(lines, as: "n.md")
    if isSaved { try desk.save(mine, as: "n.md") }
    try FileManager.default.removeItem(at: desk["n.md"])
    try desk.write(mine, to: names[0])
    #expect(try await desk.copies().values.map(\.outlookWord) == ["document missing"])
    try desk.write(lines.replacing("line 8", with: "line 8, by Tom"), to: names[1])
    #expect(
      try await desk.copies().values.allSatisfy {
        $0.outlookWord == "merges" || isSaved && $0.outlookWord == "nothing new"
      })
    try await desk.adopt(.merge)
    #expect(try desk.names() == ["n.md"])
    #expect(try desk.read("n.md") == mine.replacing("line 8", with: "line 8, by Tom"))
    try desk.expectSound()
  }

  @Test("Sides that contradict each other all stay, and the document stays missing")
  func contradictingSides() async throws {
    let desk = try Device()
    try desk.save("one\ntwo\nthree\n", as: "n.md")
    try FileManager.default.removeItem(at: desk["n.md"])
    try desk.write("one\nTWO\nthree\n", to: "n.md..path1")
    try desk.write("one\n2\nthree\n", to: "n.md..path2")
    let now = Date().timeIntervalSince1970
    try desk.setModificationDate(now + 10, of: "n.md..path1")
    try desk.setModificationDate(now + 20, of: "n.md..path2")
    try await desk.adopt(.merge)
    #expect(try desk.names() == ["n.md..path1", "n.md..path2"])
    try await desk.adopt(.latest)
    #expect(try desk.names() == ["n.md"])
    #expect(try desk.read("n.md") == "one\n2\nthree\n")
  }

  @Test("A name that only looks like a copy’s is left alone")
  func lookalike() async throws {
    let desk = try Device()
    try desk.write("one\n", to: "meeting.md")
    try desk.write("one\n", to: "meeting (conflict resolution).md")
    #expect(try await desk.copies().isEmpty)
  }

  @Test(
    "A name that another document may have counts only beside a document that is like it, and is asked about",
    arguments: ["trip 2.md", "trip-LAPTOP.md", "trip (1).md", "trip.md.orig", "trip.Conflict.md"])
  func ambiguous(name: String) async throws {
    let desk = try Device()
    try desk.write("first line\nsecond line\nthird line\n", to: name)
    #expect(try await desk.copies().isEmpty)
    try desk.write("something else\n", to: "trip.md")
    #expect(try await desk.copies().isEmpty)
    try desk.write("first line\nsecond line\nthird line\nfourth\n", to: "trip.md")
    #expect(try await desk.copies()[name]?.outlookWord == "ambiguous")
    for rule in [AdoptionRule.merge, .latest] {
      try await desk.adopt(rule)
      #expect(desk.exists(name))
    }
    // The person says that it is a copy.
    var named: [ConflictedCopy] = []
    for try await copy in desk.adoption.copies(in: [desk[name]]) { named.append(copy) }
    #expect(named.map(\.outlookWord) == ["contained, 1 more"])
  }

  @Test("A file that has versions of its own is a document, whatever its name is")
  func ownVersions() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.md")
    try desk.save("two\n", as: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "has versions")
    try await desk.adopt(.latest)
    #expect(try desk.read(syncthingCopy(of: "a")) == "two\n")
  }

  @Test("A folder, a link and a FIFO are no copies of a file")
  func kinds() async throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    try desk.write("x", to: "\(syncthingCopy(of: "a"))/inside.md")
    try desk.write("x", to: "\(syncthingCopy(of: "a"))/\(syncthingCopy(of: "inside"))")
    try FileManager.default.createSymbolicLink(
      atPath: desk["a (conflicted copy 2021-06-16 143218).md"].path, withDestinationPath: "a.md")
    #expect(mkfifo(desk["a (conflicted copy 2021-06-17 143218).md"].path, 0o600) == 0)
    let copies = try await desk.copies()
    #expect(copies.count == 3)
    #expect(copies[syncthingCopy(of: "a")]?.outlookWord == "folder")
    #expect(copies["a (conflicted copy 2021-06-16 143218).md"]?.outlookWord == "special")
    #expect(copies["a (conflicted copy 2021-06-17 143218).md"]?.outlookWord == "special")
    try await desk.adopt(.latest)
    #expect(try desk.names().count == 4)
  }

  @Test("A copy that cannot be read stays, and hinders no other")
  func unreadable() async throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    try desk.write("one\n", to: syncthingCopy(of: "a"))
    // A folder with its name in its place is unreadable even for root.
    let name = "a (conflicted copy 2021-06-16 143218).md"
    try desk.write("one\n", to: name)
    guard geteuid() != 0 else { return }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: desk[name].path)
    #expect(try await desk.copies()[name]?.outlookWord == "unreadable")
    try await desk.adopt(.merge)
    #expect(desk.exists(name) && !desk.exists(syncthingCopy(of: "a")))
  }

  @Test("A copy that vanishes or changes while it is adopted is not lost")
  func changing() async throws {
    let desk = try Device()
    try desk.save("first line\n", as: "a.md")
    try desk.save("first line\nsecond line\n", as: "a.md")
    let name = syncthingCopy(of: "a")
    try desk.write("first line\nsecond line\nthird line\n", to: name)
    // Written to while the conflict is decided about, after the copy was taken in.
    let adopted = try await desk.adopt(
      .resolve(
        .ask { question in
          try Data("written meanwhile\n".utf8).write(to: desk[name])
          return .keep(question.conflict.versions[1].id)
        }))
    #expect((adopted.first?.failure as? FileError)?.code == .changing)
    #expect(try desk.read(name) == "written meanwhile\n")
    #expect(try desk.read("a.md") == "first line\nsecond line\nthird line\n")

    try desk.write("first line\nsecond line\nthird line\nfourth line\n", to: name)
    let vanished = try await desk.adopt(
      .resolve(
        .ask { question in
          try FileManager.default.removeItem(at: desk[name])
          return .keep(question.conflict.versions[1].id)
        }))
    #expect(vanished.first?.copies.first?.version != nil)
    #expect(try desk.texts("a.md").contains("first line\nsecond line\nthird line\nfourth line\n"))
  }

  @Test("A large copy is compared and taken without being held in memory")
  func large() async throws {
    let desk = try Device()
    // The files are sparse, so they take no space on disk.
    for (name, size) in [("film.bin", 80 << 20), (syncthingCopy(of: "film", ".bin"), 81 << 20)] {
      _ = FileManager.default.createFile(atPath: desk[name].path, contents: nil)
      try #require(truncate(desk[name].path, size) == 0)
    }
    #expect(try await desk.copies().values.first?.outlookWord == "too large")
    try await desk.adopt(.latest)
    #expect(try desk.names() == ["film.bin"])
    #expect(try desk.history("film.bin").versions.map(\.size).contains(81 << 20))
  }

  @Test("A document in a conflict of another kind is asked about")
  func inConflict() async throws {
    let desk = try Device()
    try desk.conflict(base: "one\n", other: "two\n", current: "three\n", as: "a.md")
    try desk.write("four\n", to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "in conflict")
  }

  @Test("Folders of versions, of git and of other tools are not searched")
  func skippedFolders() async throws {
    let desk = try Device()
    for folder in [".docversions", ".git", ".stversions", ".dropbox.cache"] {
      try desk.write("x\n", to: "\(folder)/\(syncthingCopy(of: "a"))")
    }
    try desk.write("one\n", to: "sub/deep/a.md")
    try desk.write("two\n", to: "sub/deep/\(syncthingCopy(of: "a"))")
    #expect(try await desk.copies().values.map(\.document.lastPathComponent) == ["a.md"])
  }
}
