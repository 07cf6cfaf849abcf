import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Syncs with a server on a disk that becomes full.
@Suite(
  "Syncs on a full disk",
  .enabled(if: FullDisk.isPossible, "only root can make a small disk"), .blocks)
struct FullDiskSyncTests {
  @Test("A full disk is named by its folder, and not by the server’s address")
  func receiving() throws {
    let world = try RemoteWorld()
    var random = SeededGenerator(seed: 3)
    let noise = (0..<2_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let mira = try world.device("mira")
    try Data(noise).write(to: mira["large.bin"])
    try mira.store.save(mira["large.bin"])
    try world.sync("mira")
    let (store, folder) = (world.world.store("jo"), world.world.scratch["jo"])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try FullDisk(at: folder, size: 8 << 20)
    defer { disk.unmount() }
    try store.makeContainer(folder)
    let address = world.server.address(of: "docs")
    try store.addRemote(Remote(name: "origin", address: address), to: folder)
    try disk.fill(leaving: 600 << 10)
    let failure = #expect(throws: FileError.self) { try store.sync(folder, access: world.access) }
    #expect(failure?.code == .noSpace)
    #expect(failure?.path.hasPrefix(folder.path + "/") == true, "\(failure?.path ?? "")")
    #expect(failure?.message.contains(folder.path) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("git:") == false)
    try disk.makeSpace()
    _ = try store.sync(folder, access: world.access)
    #expect(try Data(contentsOf: folder.appending(path: "large.bin")) == Data(noise))
  }
}
