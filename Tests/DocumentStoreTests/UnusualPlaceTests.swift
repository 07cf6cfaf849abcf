import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Documents in unusual places, and places that are none")
struct UnusualPlaceTests {
  @Test(
    "A name under which a deleted document has versions can be taken by a rename, and these stay")
  func renameOntoDeleted() throws {
    let desk = try Device()
    try desk.save("old a", as: "a.md")
    try desk.store.delete(desk["a.md"])
    try desk.save("b", as: "b.md")
    try desk.store.rename(desk["b.md"], to: "a.md")
    #expect(try desk.read("a.md") == "b")
    #expect(try desk.history("a.md").versions.filter { !$0.isDeletion }.count == 2)
    #expect(try desk.history("a 2.md").versions.contains { $0.isDeletion })
  }

  @Test("Versions of a document in whose place a link was put are still there")
  func link() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.save("2", as: "a.md")
    try FileManager.default.moveItem(at: desk["a.md"], to: desk["real.md"])
    for target in ["real.md", "nowhere", "/"] {
      try FileManager.default.createSymbolicLink(
        atPath: desk["a.md"].path, withDestinationPath: target)
      #expect(try desk.history("a.md").versions.count == 2)
      expectFileError(.unsupportedKind) { _ = try desk.store.save(desk["a.md"]) }
      try FileManager.default.removeItem(at: desk["a.md"])
    }
  }

  @Test("A document that was deleted comes back also where its folder has gone")
  func folderGone() throws {
    let desk = try Device()
    try desk.save("other", as: "b.md")
    try desk.save("1", as: "sub/deep/a.md")
    let version = try #require(try desk.history("sub/deep/a.md").current)
    try desk.store.delete(desk["sub/deep/a.md"])
    try FileManager.default.removeItem(at: desk["sub"])
    #expect(try desk.history("sub/deep/a.md").versions.count == 2)
    try desk.store.restore(version)
    #expect(try desk.read("sub/deep/a.md") == "1")
  }

  @Test("A package is a document, also with a member that has the name of the folder of stores")
  func memberOfThatName() throws {
    let desk = try Device()
    try desk.write("1", to: "P.pack/a.txt")
    try desk.write("2", to: "P.pack/.docversions/b.txt")
    _ = try desk.store.save(desk["P.pack"], asPackage: true)
    #expect(try desk.store.documents(below: desk["P.pack"])?.map(\.lastPathComponent) == ["P.pack"])
  }

  @Test("Another item in the place of the stores is reported")
  func noFolderOfStores() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try FileManager.default.removeItem(at: desk[".docversions/documents"])
    try desk.write("file", to: ".docversions/documents")
    expectFileError(.unsupportedKind) { _ = try desk.store.documents(below: desk.container) }
  }

  @Test(
    "A version is not written over stores, or over the document itself",
    arguments: [
      ".docversions", ".docversions/documents/a.md.git", ".docversions/documents/a.md.git/x",
      "a.md", "", "other", "pipe",
    ])
  func export(place: String) throws {
    let desk = try Device()
    let version = try desk.save("1", as: "a.md")
    try desk.write("edit", to: "a.md")
    try FileManager.default.createDirectory(
      at: desk["other/.docversions"], withIntermediateDirectories: true)
    try #require(mkfifo(desk["pipe"].path, 0o600) == 0)
    let target = place.isEmpty ? desk.container : desk[place]
    #expect(throws: (any Error).self) {
      try desk.store.export(version, to: target, replacing: true)
    }
    #expect(try desk.read("a.md") == "edit")
    #expect(try desk.texts("a.md") == ["1"])
    try desk.expectSound()
  }

  @Test("A clock that shows an impossible time harms no store", arguments: [1e300, -1e300, 1e13])
  func impossibleTime(seconds: Double) throws {
    let desk = try Device()
    var store = desk.store
    store.clock = { Date(timeIntervalSince1970: seconds) }
    for text in ["1", "2", "3"] {
      _ = try store.save(desk.write(text, to: "a.md"))
    }
    try desk.save("4", as: "a.md")
    #expect(try desk.texts("a.md").sorted() == ["1", "2", "3", "4"])
    #expect(try desk.history("a.md").versions.count == 4)
    _ = try store.collect(desk["a.md"])
    try desk.expectSound()
  }
}
