import DocumentStore
import DocumentSync
import DocumentWorld
import Foundation
import Testing

@Suite("Settings of a container that several programs change at once")
struct SettingsTests {
  /// Runs a change for each number, all at the same time.
  private func atOnce(_ change: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 { group.addTask { try await change(number) } }
      try await group.waitForAll()
    }
  }

  @Test("No remote is lost")
  func remotes() async throws {
    let device = try Device()
    try device.save("one\n", as: "a.md")
    let store = VersionStore(device.store)
    try await atOnce { number in
      try await store.addRemote(
        Remote(name: "r\(number)", address: "https://example.org/\(number).git"),
        to: device.container)
    }
    #expect(try device.store.remotes(of: device.container).count == 16)
    try await atOnce { number in
      if number < 8 {
        _ = try await store.removeRemote(named: "r\(number)", from: device.container)
      } else {
        try await store.addRemote(
          Remote(name: "s\(number)", address: "https://example.org/s\(number).git"),
          to: device.container)
      }
    }
    let names = Set(try device.store.remotes(of: device.container).map(\.name))
    #expect(names == Set((8..<16).flatMap { ["r\($0)", "s\($0)"] }))
  }

  @Test("No document that is paused is forgotten")
  func paused() async throws {
    let device = try Device()
    for number in 0..<16 { try device.save("one\n", as: "\(number).md") }
    let store = VersionStore(device.store)
    try await atOnce { try await store.pauseSync(of: device["\($0).md"]) }
    #expect(try device.store.pausedDocuments(below: device.container).count == 16)
    try await atOnce { number in
      if number < 8 { _ = try await store.resumeSync(of: device["\(number).md"]) }
    }
    #expect(try device.store.pausedDocuments(below: device.container).count == 8)
  }
}
