import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

/// For Swift, two ways to compose a character are equal, but names are bytes.
@Suite("Names that are equal as texts, but not as bytes")
struct SpelledNameTests {
  private static let (composed, taken) = ("caf\u{E9}.md", "cafe\u{301}.md")

  private func names(in folder: URL) throws -> [[UInt8]] {
    try Folder.names(in: folder.filePath).filter { $0.first != UInt8(ascii: ".") }
  }

  @Test("A document that is renamed from one to the other has a version of it, on every device")
  func renamed() throws {
    let scratch = try ScratchFolder()
    let (mira, tom) = try Device.pair(in: scratch)
    try mira.save("one\n", as: Self.composed)
    for desk in [mira, tom] { _ = try desk.store.exchange(desk.container, through: scratch["x"]) }
    let renamed = try mira.store.rename(mira[Self.composed], to: Self.taken)
    #expect(renamed.kind == .rename)
    for desk in [mira, tom, mira] {
      _ = try desk.store.exchange(desk.container, through: scratch["x"])
    }
    for desk in [mira, tom] {
      #expect(try names(in: desk.container) == [Array(Self.taken.utf8)])
      #expect(try desk.history(Self.taken).versions.count == 2)
    }
  }

  @Test("Of members that differ only so, each is saved that is said to have changed")
  func members() throws {
    let desk = try Device()
    for name in [Self.composed, Self.taken] { try desk.write("one", to: "P.notes/\(name)") }
    try desk.store.save(desk["P.notes"])
    for name in [Self.composed, Self.taken] { try desk.write("new \(name)", to: "P.notes/\(name)") }
    let saved = try desk.store.save(desk["P.notes"], changed: [Self.composed, Self.taken])
    #expect(saved.isNew)
    #expect(try desk.store.state(of: desk["P.notes"]) == .unchanged)
  }

  @Test("A folder that holds a document is no package of another device, however its name begins")
  func folder() throws {
    let scratch = try ScratchFolder()
    let (mira, tom) = try Device.pair(in: scratch)
    try mira.save("top\n", as: "top.md")
    try mira.save("one\n", as: "f/\u{301}d.md")
    try tom.write("one\n", to: "f/\u{301}d.md")
    try tom.store.save(tom["f"], asPackage: true)
    for desk in [tom, mira, tom] {
      _ = try desk.store.exchange(desk.container, through: scratch["x"])
    }
    #expect(try mira.history("f/\u{301}d.md").versions.count == 1)
    #expect(try mira.history("f 2").versions.count == 1)
    #expect(try mira.read("f/\u{301}d.md") == "one\n")
  }

  @Test(
    "What a disk may take for the folder of the stores is no name",
    arguments: [".docversions", ".DocVersions", ".docver\u{17F}ions", ".doc\u{200D}versions"])
  func stores(name: String) {
    #expect(ContainerPath.isStoresFolder(name))
    #expect(!ContainerPath.isValid("\(name)/a.md"))
    #expect(!ContainerPath.isStoresFolder(name + "2"))
  }
}
