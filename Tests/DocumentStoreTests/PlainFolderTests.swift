import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

import DocumentStore
import DocumentSync

/// A plain folder in the place of a document that was a file.
@Suite("A folder in the place of a file")
struct PlainFolderTests {
  private let scratch: ScratchFolder
  private let store = SynchronousStore(identity: Identity(author: "Mira", device: "mira-laptop"))
  private let plan: URL
  private let note: URL

  init() throws {
    scratch = try ScratchFolder()
    plan = scratch["plan"]
    note = scratch["plan/a.md"]
    try scratch.write("a tent\n", to: "plan")
    try store.save(plan)
    try FileManager.default.removeItem(at: plan)
    try scratch.write("a note\n", to: "plan/a.md")
  }

  @Test("The document is missing, and what is in the folder is saved by itself")
  func inside() throws {
    #expect(try store.state(of: plan) == .missing)
    try store.save(note)
    #expect(try store.history(of: note).versions.count == 1)
    #expect(try store.history(of: plan).versions.count == 1)
  }

  @Test("Deleting the document leaves the folder")
  func deletion() throws {
    try store.delete(plan)
    #expect(try scratch.read("plan/a.md") == "a note\n")
    #expect(try store.history(of: plan).current?.isDeletion == true)
    #expect(try store.history(of: plan).versions.count == 2)
    try store.save(note)
    #expect(try store.state(of: note) == .unchanged)
  }

  @Test("An exchange makes no package of it, and leaves it")
  func exchange() throws {
    let cloud = try ScratchFolder()
    _ = try store.exchange(scratch.url, through: cloud["cloud"])
    #expect(try scratch.read("plan/a.md") == "a note\n")
    #expect(try store.history(of: plan).versions.allSatisfy { !$0.isPackage })
  }

  @Test("It becomes the document where that is asked for")
  func package() throws {
    try store.save(plan, asPackage: true)
    #expect(try store.state(of: plan) == .unchanged)
    #expect(try store.history(of: plan).current?.isPackage == true)
    expectVersionError(.invalidArgument) { try store.save(note) }
  }
}
