import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Operations on a document that was renamed outside docversions, whose store still has the former name.
@Suite("Renamed outside docversions")
struct RenamedOutsideTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func rename(_ name: String, to other: String) throws {
    try FileManager.default.createDirectory(
      at: desk[other].deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: desk[name], to: desk[other])
  }

  @Test(
    "Edits that were not saved become a version before another one takes their place",
    arguments: ["replaced", "exported"], ["b.md", "notes/b.md"])
  func edits(how: String, name: String) throws {
    let first = try desk.save("first", as: "a.md")
    try desk.write("not saved", to: "a.md")
    try rename("a.md", to: name)
    if how == "replaced" {
      try first.replaceItem(at: desk[name])
    } else {
      try desk.store.export(first, to: desk[name], replacing: true)
    }
    #expect(try desk.read(name) == "first")
    #expect(try desk.texts(name).contains("not saved"))
    try desk.expectSound()
  }

  @Test func `edits of another document are kept, too`() throws {
    let version = try desk.save("mine", as: "a.md")
    try desk.save("other", as: "b.md")
    try desk.write("other, not saved", to: "b.md")
    try rename("b.md", to: "c.md")
    try version.replaceItem(at: desk["c.md"])
    #expect(try desk.read("c.md") == "mine")
    #expect(try desk.texts("c.md") == ["other, not saved", "other"])
  }

  @Test func `a member of a package that was renamed is no document`() throws {
    try desk.write("text", to: "a.pack/m.txt")
    try desk.store.save(desk["a.pack"])
    try rename("a.pack", to: "b.pack")
    expectVersionError(.invalidArgument) { try desk.store.save(desk["b.pack/m.txt"]) }
    try desk.write("not saved", to: "b.pack/m.txt")
    let other = try desk.save("other", as: "other.txt")
    try desk.store.export(other, to: desk["b.pack/m.txt"], replacing: true)
    let kept = try #require(try desk.history("b.pack").versions.first)
    #expect(try kept.contents(ofMember: "m.txt") == Data("not saved".utf8))
  }

  @Test("Of many documents that were moved and are saved at once, each keeps its own versions")
  func many() throws {
    try desk.save("top", as: "top.md")
    let names = (1...30).map { "\($0).md" }
    for name in names { try desk.save("text of \(name)", as: "old/\(name)") }
    for name in ["x.md", "y.md", "gone.md"] { try desk.save("same", as: "old/\(name)") }
    try desk.store.delete(desk["old/gone.md"])
    for name in names.prefix(15) { try rename("old/\(name)", to: "new/\(name)") }
    // Other files with the same contents, as a sync tool leaves them.
    for name in names.dropFirst(15) { try desk.write("text of \(name)", to: "new/\(name)") }
    try desk.write("same", to: "new/x.md")
    for name in names.dropFirst(15) + ["x.md", "y.md"] {
      try FileManager.default.removeItem(at: desk["old/\(name)"])
    }
    for outcome in desk.store.saveEach((names + ["x.md"]).map { desk["new/\($0)"] }) {
      #expect(try outcome.get().isNew)
    }
    for name in names {
      #expect(
        try desk.texts("new/\(name)") == ["text of \(name)", "text of \(name)"], "\(name)")
    }
    // Two documents had these contents, and one of them this name.
    #expect(try desk.texts("new/x.md") == ["same", "same"])
    #expect(try desk.history("old/y.md").versions.count == 1)
    try desk.expectSound()
  }

  @Test(
    "An item that is replaced by a version with another extension does not stay beside it",
    arguments: [true, false])
  func anotherExtension(isDocument: Bool) throws {
    let version = try desk.save("mine", as: "a.md")
    try desk.write("other", to: "b.txt")
    if isDocument { try desk.store.save(desk["b.txt"]) }
    let place = try version.replaceItem(at: desk["b.txt"])
    #expect(place.lastPathComponent == "b.md")
    #expect(try desk.read("b.md") == "mine")
    #expect(!FileManager.default.fileExists(atPath: desk["b.txt"].path))
    if isDocument { #expect(try desk.texts("b.md").last == "other") }
  }
}
