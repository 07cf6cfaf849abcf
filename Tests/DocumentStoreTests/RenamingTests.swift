import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Renaming, deleting, links")
struct RenamingTests {
  @Test("A rename takes the versions along and is a version itself")
  func rename() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let renamed = try desk.store.rename(desk["a.md"], to: "b.md")
    #expect(renamed.kind == .rename)
    #expect(renamed.documentURL.lastPathComponent == "b.md")
    #expect(try desk.read("b.md") == "1")
    #expect(try desk.history("b.md").versions.map(\.localizedName) == ["b.md", "a.md"])
    #expect(try desk.store.documents(below: desk.container)?.map(\.lastPathComponent) == ["b.md"])
    try desk.expectSound()
  }

  @Test("Renaming a document with unsaved edits is undone without them")
  func renameWithEdits() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.write("2", to: "a.md")
    try desk.store.rename(desk["a.md"], to: "b.md")
    #expect(try desk.history("b.md").versions.map(\.kind) == [.rename, .save, .save])
    try desk.store.undo(desk["b.md"])
    #expect(try desk.read("a.md") == "2")
    try desk.expectSound()
  }

  @Test(
    "A rename that failed between the document and its store is done when it is tried again",
    arguments: [false, true])
  func renameHalfDone(isListed: Bool) throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let stores = ".docversions/documents/"
    try FileManager.default.moveItem(
      at: desk[stores + "a.md.git"], to: desk[stores + "b.md.git"])
    if isListed { #expect(try desk.history("a.md").versions.count == 1) }
    try desk.store.rename(desk["a.md"], to: "b.md")
    #expect(try desk.history("b.md").versions.map(\.kind) == [.rename, .save])
    try desk.expectSound()
  }

  @Test("A rename never overwrites")
  func renameOntoAnother() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.write("2", to: "b.md")
    let error = #expect(throws: FileError.self) { try desk.store.rename(desk["a.md"], to: "b.md") }
    #expect(error?.code == .exists)
    #expect(try desk.read("a.md") == "1")
    #expect(try desk.read("b.md") == "2")
  }

  @Test(
    "A rename outside docversions is followed, even with an edit", arguments: [false, true])
  func renameBehindOurBack(isEdited: Bool) throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    try desk.save("other", as: "other.md")
    try FileManager.default.createDirectory(at: desk["sub"], withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: desk["a.md"], to: desk["sub/b.md"])
    if isEdited {
      let handle = try FileHandle(forWritingTo: desk["sub/b.md"])
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("+".utf8))
      try handle.close()
    }
    // Found for reading, and moved along by the next save.
    #expect(try desk.history("sub/b.md").versions == [first])
    #expect(try desk.store.state(of: desk["sub/b.md"]) == (isEdited ? .edited : .unchanged))
    let second = try desk.store.save(desk["sub/b.md"]).version
    #expect(second.parents == [first.id])
    #expect(second.kind == (isEdited ? .save : .rename))
    #expect(second.path == "sub/b.md")
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions/documents/a.md.git"].path))
    try desk.expectSound()
  }

  @Test("A file copied to another disk and back is known by its content")
  func renameWithNewInode() throws {
    let desk = try Device()
    let first = try desk.save("unmistakable", as: "a.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try desk.write("unmistakable", to: "b.md")
    #expect(try desk.history("b.md").versions == [first])
  }

  @Test("Where two missing documents have the same content, none is taken for the other")
  func ambiguousContent() throws {
    let desk = try Device()
    try desk.save("same", as: "a.md")
    try desk.save("same", as: "b.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try FileManager.default.removeItem(at: desk["b.md"])
    try desk.write("same", to: "c.md")
    expectVersionError(.noVersions) { _ = try desk.history("c.md") }
  }

  @Test("A deleted document is gone from disk, not from history")
  func delete() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.write("unsaved", to: "a.md")
    let deletion = try desk.store.delete(desk["a.md"])
    #expect(deletion.kind == .delete && deletion.isCurrent && deletion.fileCount == 0)
    #expect(!FileManager.default.fileExists(atPath: desk["a.md"].path))
    #expect(try desk.store.state(of: desk["a.md"]) == .deleted)
    #expect(try desk.history("a.md").versions.map(\.kind) == [.delete, .save, .save])
    #expect(try desk.store.delete(desk["a.md"]) == deletion)
    let edits = try desk.history("a.md").versions[1]
    try desk.store.restore(edits)
    #expect(try desk.read("a.md") == "unsaved")
    try desk.expectSound()
  }

  @Test("A link inside the container stands for its document, and stays a link")
  func linkInside() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "real.md")
    try FileManager.default.createSymbolicLink(
      atPath: desk["link.md"].path, withDestinationPath: "real.md")
    try desk.write("2", to: "real.md")
    let second = try desk.store.save(desk["link.md"]).version
    #expect(second.parents == [first.id])
    try FileVersion.version(of: desk["link.md"], identifier: first.id, store: desk.store)?
      .replaceItem(at: desk["link.md"])
    #expect(try desk.read("real.md") == "1")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: desk["link.md"].path) == "real.md")
  }

  @Test("A link that leads out is refused, with its target")
  func linkOutside() throws {
    let desk = try Device()
    let outside = try desk.scratch.write("secret", to: "outside.md")
    try FileManager.default.createSymbolicLink(at: desk["link.md"], withDestinationURL: outside)
    let error = #expect(throws: FileError.self) { try desk.store.save(desk["link.md"]) }
    #expect(error?.code == .unsupportedKind)
    #expect(error?.message.contains("outside.md") == true)
    #expect(try desk.scratch.read("outside.md") == "secret")
  }
}
