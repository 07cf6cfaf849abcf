import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Copies that real tools have made; the tests of the tools themselves write them.
@Suite("Copies that real tools have made")
struct FixtureTests {
  private func desk(with tool: String) throws -> Device {
    let desk = try Device()
    try EngineDocuments.save(on: desk)
    let folder = EngineDocuments.fixture.appending(path: tool)
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appending(path: name)
      guard try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else {
        continue
      }
      try desk.write(try String(contentsOf: file, encoding: .utf8), to: name)
    }
    return desk
  }

  @Test("are merged, a document for each engine and a package", arguments: ["syncthing", "unison"])
  func merging(tool: String) async throws {
    let desk = try desk(with: tool)
    try await EngineDocuments.expectMerged(on: desk)
    try desk.expectSound()
  }

  @Test("of which no document is left stay until the person says which is one")
  func twoCopies() async throws {
    let desk = try desk(with: "rclone")
    for (name, _, _, _) in EngineDocuments.all {
      try FileManager.default.removeItem(at: desk[name])
    }
    let before = try desk.names()
    let copies = try await desk.copies()
    #expect(copies.count == EngineDocuments.all.count * 2)
    #expect(copies.values.allSatisfy { $0.outlookWord == "document missing" })
    try await desk.adopt(.latest)
    #expect(try desk.names() == before)
  }
}
