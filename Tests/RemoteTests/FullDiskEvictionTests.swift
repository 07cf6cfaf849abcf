import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Evictions on a full disk, which they are to empty.
@Suite(
  "Evictions from a full disk",
  .enabled(if: FullDisk.isPossible, "only root can make a small disk"), .blocks)
struct FullDiskEvictionTests {
  private let world: RemoteWorld
  private let disk: FullDisk
  private let folder: URL
  private let store: SynchronousStore

  init() throws {
    world = try RemoteWorld()
    try world.server.allowSingleObjects(in: "docs")
    var random = SeededGenerator(seed: 1)
    let text = String(
      (0..<300_000).map { _ in "abcdefghijklmnop".randomElement(using: &random) ?? "a" })
    try world.world.save(text, as: "large.md", on: "mira")
    try world.world.save("small\n", as: "small.md", on: "mira")
    try world.meet("mira")
    (store, folder) = (world.world.store("jo"), world.world.scratch["jo"])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    disk = try FullDisk(at: folder, size: 6 << 20)
    _ = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      listing: true, access: world.access)
    _ = try store.download([folder], access: world.access)
  }

  private func listed() throws -> [String] {
    try store.documentsNotDownloaded(below: folder).map(\.document.lastPathComponent)
  }

  @Test("A document leaves a disk on which not one byte is free, and comes again")
  func eviction() throws {
    defer { disk.unmount() }
    let place = folder.appending(path: "large.md")
    try disk.fill()
    let gone = try store.evict([place], access: world.access) { Issue.record($1) }
    #expect(gone == [place])
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try listed() == ["large.md"])
    try disk.makeSpace()
    _ = try store.download([place], access: world.access)
    #expect(try listed().isEmpty)
    #expect(try GitCheck.problems(inContainer: folder).isEmpty)
  }

  @Test("An eviction that a crash interrupts on a full disk is known, until there are new versions")
  func interrupted() throws {
    defer { disk.unmount() }
    let place = folder.appending(path: "large.md")
    let location = try DocumentLocation(of: place)
    try disk.fill()
    try LeavingMark.write(of: StoreReader(location, in: store.environment))
    let text = try Data(contentsOf: place)
    try FileManager.default.removeItem(at: place)
    #expect(try LeavingMark.isLeft(at: location))
    #expect(try LeavingMark.isThere(of: StoreReader(location, in: store.environment)))
    #expect(try store.verify(place).findings.isEmpty)
    try disk.makeSpace()
    try (text + Data("more\n".utf8)).write(to: place)
    _ = try store.save(place)
    #expect(try !LeavingMark.isThere(of: StoreReader(location, in: store.environment)))
    try FileManager.default.removeItem(at: place)
    try store.environment.finishEviction(of: location)
    #expect(try location.hasStore)
  }
}
