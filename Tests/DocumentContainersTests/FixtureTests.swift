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

  @Test("are merged where no document is left, on its current version")
  func twoCopies() async throws {
    let desk = try desk(with: "rclone")
    for (name, _, _, _) in EngineDocuments.all {
      try FileManager.default.removeItem(at: desk[name])
    }
    let count = EngineDocuments.all.count * 2
    let copies = try await desk.copies()
    #expect(copies.count == count)
    let member = "trip.rtfd/TXT.rtf"
    #expect(
      copies.values.filter { $0.member == nil }
        .allSatisfy { $0.outlookWord == "merges" || $0.outlookWord == "nothing new" })
    // Of a member the person says which one it is.
    #expect(
      copies.values.filter { $0.member != nil }.map(\.outlookWord)
        == ["document missing", "document missing"])
    try FileManager.default.moveItem(at: desk[member + "..path1"], to: desk[member])
    try await EngineDocuments.expectMerged(on: desk, copyCount: count - 1)
    try desk.expectSound()
  }
}
