import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Copies made by the tools themselves, if these are installed.
@Suite("Copies made by real tools", .enabled(if: TestMode.isFull))
struct RealToolsTests {
  /// Keeps the files that a tool has left, as the fixture of the tests that run without it.
  private func keep(_ device: Device, as name: String) throws {
    guard ProcessInfo.processInfo.environment["DOCVERSIONS_WRITE_COPIES"] != nil else { return }
    let folder = EngineDocuments.fixture.appending(path: name)
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
    try FileManager.default.copyItem(at: device.container, to: folder)
    for other in [".docversions", ".stfolder", ".stignore"] {
      let item = folder.appending(path: other)
      if FileManager.default.fileExists(atPath: item.path) {
        try FileManager.default.removeItem(at: item)
      }
    }
  }

  @Test("Unison")
  func unison() async throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    func run() throws {
      let result = try Command.run(
        "/usr/bin/unison",
        [
          mira.container.path, tom.container.path, "-batch", "-ui", "text", "-prefer",
          mira.container.path, "-copyonconflict", "-ignore", "Name .docversions", "-times",
        ], in: world.scratch.url,
        environment: ["UNISON": world.scratch["unison"].path, "HOME": world.scratch.url.path])
      #expect(result.exitCode <= 1, "\(result)")
    }
    try EngineDocuments.save(on: mira)
    try run()
    try EngineDocuments.write(on: mira, \.mira)
    try EngineDocuments.write(on: tom, \.tom)
    try run()
    // Unison leaves the copy on the side that lost; Mira’s device gets it with the next run.
    try run()
    try keep(mira, as: "unison")
    try await EngineDocuments.expectMerged(on: mira)
  }

  @Test("rclone bisync leaves two copies and no document")
  func rclone() async throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    func run(_ options: String...) throws {
      let result = try Command.run(
        "/usr/bin/rclone",
        [
          "bisync", mira.container.path, tom.container.path, "--force", "--exclude",
          ".docversions/**", "--workdir", world.scratch["rclone"].path,
        ] + options,
        in: world.scratch.url, environment: ["HOME": world.scratch.url.path])
      #expect(result.exitCode == 0, "\(result)")
    }
    try EngineDocuments.save(on: mira)
    try run("--resync")
    try EngineDocuments.write(on: mira, \.mira)
    try EngineDocuments.write(on: tom, \.tom)
    try run()
    let copies = try await mira.copies()
    #expect(copies.count == EngineDocuments.all.count * 2, "\(copies.keys.sorted())")
    #expect(copies.values.allSatisfy { $0.name.tools == [.rclone] })
    try keep(mira, as: "rclone")
    // Of a member the person says which one it is.
    try FileManager.default.moveItem(
      at: mira["trip.rtfd/TXT.rtf..path1"], to: mira["trip.rtfd/TXT.rtf"])
    try await EngineDocuments.expectMerged(on: mira, copyCount: copies.count - 1)
  }

  private static func wait(_ what: String, until isDone: () throws -> Bool) async throws {
    let isThere = try await eventually(within: .seconds(120), every: .milliseconds(200), isDone)
    try #require(isThere, "waited in vain for \(what)")
  }

  @Test("Two Syncthing instances", .enabled(if: SyncthingPair.isInstalled))
  func syncthing() async throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    let pair = try SyncthingPair(mira.container, tom.container)
    defer { pair.stop() }
    try EngineDocuments.save(on: mira)
    try pair.start()
    try await Self.wait("the documents to arrive") {
      EngineDocuments.all.allSatisfy { (try? tom.read($0.name)) == $0.base }
    }
    pair.stop()
    try EngineDocuments.write(on: tom, \.tom)
    try EngineDocuments.write(on: mira, \.mira)
    // The later one keeps the name.
    for document in EngineDocuments.all {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: tom[document.name].path)
    }
    try pair.start()
    try await Self.wait("the copies to arrive") {
      try mira.copiesNow().count == EngineDocuments.all.count
    }
    pair.stop()
    try keep(mira, as: "syncthing")
    let copies = try await mira.copies()
    #expect(copies.values.allSatisfy { $0.name.tools == [.syncthing] && $0.device != "unknown" })
    #expect(copies.values.allSatisfy { $0.author == "unknown" })
    try await EngineDocuments.expectMerged(on: mira)
    // The merged document and the removal of the copies are synced.
    try pair.start()
    try await Self.wait("the merged documents to arrive") {
      try tom.copiesNow().isEmpty
        && EngineDocuments.all.allSatisfy { (try? tom.read($0.name)) == (try? mira.read($0.name)) }
    }
  }
}
