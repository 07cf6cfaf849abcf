import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Names of documents that a device only lists.
@Suite("Names of documents that are not downloaded")
struct ListedNamesTests {
  private let world: RemoteWorld

  init() throws {
    world = try RemoteWorld()
    try world.server.allowSingleObjects(in: "docs")
  }

  private func files(on device: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: world.world.scratch[device].path)
      .filter { $0 != ".docversions" }.sorted()
  }

  /// Lets Mira's device evict the first of two documents with one name.
  private func evictFirst() throws -> Device {
    try world.world.save("Mira’s\n", as: "n.md", on: "mira")
    try world.world.save("Tom’s\n", as: "n.md", on: "tom")
    try world.meet("mira", "tom", "mira")
    #expect(try files(on: "mira") == ["n 2.md", "n.md"])
    let mira = try world.device("mira")
    try mira.store.setListsNewDocuments(true, in: mira.container)
    let gone = try mira.store.evict(
      [mira.container.appending(path: "n.md")], access: world.access
    ) { Issue.record($1) }
    #expect(gone.count == 1)
    return mira
  }

  @Test("An evicted document keeps its name, which no other one takes while it is away")
  func evicted() throws {
    let mira = try evictFirst()
    let texts = try ["n.md", "n 2.md"].map { try world.world.read($0, on: "tom") }
    try world.meet("mira", "tom", "mira")
    #expect(try files(on: "mira") == ["n 2.md"])
    #expect(
      try mira.store.documentsNotDownloaded(below: mira.container).map(\.document.lastPathComponent)
        == ["n.md"])
    #expect(try world.world.read("n 2.md", on: "mira") == texts[1])

    _ = try mira.store.download(
      [mira.container.appending(path: "n.md")], access: world.access)
    try world.meet("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try files(on: device) == ["n 2.md", "n.md"])
      #expect(try ["n.md", "n 2.md"].map { try world.world.read($0, on: device) } == texts)
    }
    try world.expectSound("mira", "tom")
  }

  @Test("No document is renamed or moved to the name of one that is not downloaded")
  func renamed() throws {
    let mira = try evictFirst()
    try world.world.save("other\n", as: "other.md", on: "mira")
    let other = mira.container.appending(path: "other.md")
    for name in ["n.md", "N.md"] {
      let error = #expect(throws: FileError.self) { try mira.store.rename(other, to: name) }
      #expect(error?.code == .exists)
      #expect(error?.message.contains("not downloaded") == true)
    }
    #expect(try files(on: "mira") == ["n 2.md", "other.md"])
  }
}
