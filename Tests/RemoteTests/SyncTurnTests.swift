import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
@testable import DocumentSync

/// Two syncs of one container, such as those of a person and of a watcher.
@Suite("One sync at a time")
struct SyncTurnTests {
  private let world: RemoteWorld
  private let device: Device

  init() throws {
    world = try RemoteWorld()
    try world.world.save("text\n", as: "a.md", on: "mira")
    device = try world.device("mira")
  }

  private var lock: FilePath {
    get throws { try SyncFile.lock.path(in: device.container.filePath.resolvingLinks()) }
  }

  @Test("A sync waits for another one only so long, and then names it instead of a document")
  func busy() throws {
    let other = try FileLock(lock)
    var store = device.store
    store.lockTimeout = .zero
    let error = #expect(throws: FileError.self) {
      try store.sync(device.container, access: world.access)
    }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("(pid \(getpid())) is syncing “") == true)
    #expect(error?.message.contains("this document") == false)
    other.release()
    #expect(try store.sync(device.container, access: world.access).sent == 1)
  }
}
