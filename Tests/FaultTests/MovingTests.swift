internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// A document that can't be moved to another container stays whole where it is.
@Suite("Moving where nothing can be written", .enabled(if: FullDisk.isPossible), .blocks)
struct MovingTests {
  private static let text = String(repeating: "a tent, a map and a rope\n", count: 8_000)

  /// A bed with a document of two versions, and a small disk beside it.
  private func withDisk(
    _ body: @escaping @Sendable (FaultBed, FullDisk, _ disk: URL) throws -> Void
  ) async throws {
    let bed = try FaultBed()
    try await Workers.run {
      try bed.save("a tent\n", as: "trip.md", minute: 1)
      try bed.save(Self.text, as: "trip.md", minute: 2)
      let folder = bed.elsewhere("disk")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let disk = try FullDisk(at: folder)
      defer { disk.unmount() }
      try bed.expect(["container", "init", folder.path], minute: 3)
      try body(bed, disk, folder)
    }
  }

  private func expectWhole(_ bed: FaultBed, _ count: Int = 2) throws {
    #expect(try Data(contentsOf: bed["trip.md"]) == Data(Self.text.utf8))
    #expect(try bed.identifiers(of: "trip.md").count == count)
    #expect(try bed.run(["verify", "trip.md"]).exitCode == 0)
  }

  @Test func `without room the document stays, and it is moved once there is some`() async throws {
    try await withDisk { bed, disk, folder in
      try disk.fill()
      let full = try bed.run(["move", "trip.md", folder.path])
      #expect(full.exitCode == 5)
      #expect(full.errorOutput.contains("No space left on device"), "\(full.errorOutput)")
      try expectWhole(bed)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "trip.md").path))
      try disk.makeSpace()
      let moved = try bed.run(["move", "trip.md", folder.path], minute: 40)
      #expect(moved.exitCode == 0, "\(moved.errorOutput)")
      #expect(
        try Data(contentsOf: folder.appending(path: "trip.md")) == Data(Self.text.utf8))
      // And back; now the other disk can't be written.
      try disk.makeReadOnly()
      let refused = try bed.run(["undo", folder.appending(path: "trip.md").path], minute: 41)
      #expect(refused.exitCode == 5, "\(refused.errorOutput)")
      #expect(
        try Data(contentsOf: folder.appending(path: "trip.md")) == Data(Self.text.utf8))
      #expect(!FileManager.default.fileExists(atPath: bed["trip.md"].path))
      try disk.makeWritable()
      let undone = try bed.run(["undo", folder.appending(path: "trip.md").path], minute: 42)
      #expect(undone.exitCode == 0, "\(undone.errorOutput)")
      try expectWhole(bed, 5)
    }
  }

  @Test func `into a folder that can't be written, nothing is moved`() async throws {
    try await withDisk { bed, disk, folder in
      try disk.makeReadOnly()
      let refused = try bed.run(["move", "trip.md", folder.path])
      #expect(refused.exitCode == 5)
      #expect(refused.errorOutput.contains("Read-only file system"), "\(refused.errorOutput)")
      try expectWhole(bed)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "trip.md").path))
    }
  }
}
