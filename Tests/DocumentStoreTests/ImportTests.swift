import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Importing conflicted copies")
struct ImportTests {
  @Test(
    "A copy becomes a conflict version with its author, and the document stays current",
    arguments: [
      ("plan (conflicted copy tom 2026-08-21 101500).md", "tom", "unknown"),
      ("plan (conflicted copy 2026-08-21 101500).md", "unknown", "unknown"),
      ("plan (Tom's phone's conflicted copy 2026-08-21).md", "Tom's phone", "unknown"),
      (
        "plan (\u{301}Tom\u{2019}\u{200D}s conflicted copy 2026-08-21).md",
        "\u{301}Tom\u{2019}\u{200D}s", "unknown"
      ),
      ("plan (\u{301}Tom's conflicted copy 2026-08-21).md", "\u{301}Tom", "unknown"),
      ("plan (To\nm's conflicted copy 2026-08-21).md", "To\nm", "unknown"),
      ("plan.sync-conflict-20260821-101500-ABCDEFG.md", "unknown", "ABCDEFG"),
      ("plan 2.md", "unknown", "unknown"), ("plan-LAPTOP.md", "unknown", "LAPTOP"),
    ])
  func importing(name: String, author: String, device: String) throws {
    let desk = try Device()
    let current = try desk.save("mine\n", as: "plan.md")
    desk.clock.advance(bySeconds: 3_600)
    let copy = try desk.write("theirs\n", to: name)
    let version = try #require(try desk.store.importCopy(copy, into: desk["plan.md"]))
    #expect(version.kind == .importCopy)
    #expect(version.isConflict && !version.isResolved && !version.isCurrent)
    #expect(version.author == author)
    #expect(version.savingDevice == device)
    #expect(try desk.history("plan.md").current == current)
    #expect(try desk.read("plan.md") == "mine\n")
    #expect(FileManager.default.fileExists(atPath: copy.path))
    // A second time there is nothing new.
    #expect(try desk.store.importCopy(copy, into: desk["plan.md"]) == nil)
    try desk.expectSound()
  }

  @Test("A document that was never saved is saved first")
  func unsavedDocument() throws {
    let desk = try Device()
    try desk.write("mine", to: "a.md")
    let copy = try desk.write("theirs", to: "a copy.md")
    #expect(try desk.store.importCopy(copy, into: desk["a.md"]) != nil)
    #expect(try desk.texts("a.md").sorted() == ["mine", "theirs"])
  }

  @Test("With a base the copy can be merged; the current version is no base")
  func base() throws {
    let desk = try Device()
    let first = try desk.save("1\n", as: "a.md")
    let second = try desk.save("2\n", as: "a.md")
    let copy = try desk.write("3\n", to: "copy.md")
    expectVersionError(.invalidArgument) {
      _ = try desk.store.importCopy(copy, into: desk["a.md"], base: second)
    }
    let version = try desk.store.importCopy(copy, into: desk["a.md"], base: first)
    #expect(version?.parents == [first.id])
    #expect(try desk.history("a.md").conflictBase == first)
  }

  @Test("A copy that has versions of its own is another document")
  func ownVersions() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.save("2", as: "a 2.md")
    expectVersionError(.invalidArgument) {
      _ = try desk.store.importCopy(desk["a 2.md"], into: desk["a.md"])
    }
  }

  @Test("A document is no copy of itself")
  func itself() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    expectVersionError(.invalidArgument) {
      _ = try desk.store.importCopy(desk["a.md"], into: desk["a.md"])
    }
  }
}
