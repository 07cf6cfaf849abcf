import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Synchronization
import Testing

/// Two devices that exchange through one folder at the same time, while both are edited.
@Suite("Exchanges side by side", .serialized, .blocks)
struct ExchangeRaceTests {
  private let world: World
  private let devices: [Device]

  init() throws {
    world = try World()
    devices = try ["mira", "tom"].map { [world] in try world.device($0) }
  }

  /// Edits and saves as an editor does: writes beside the file, then replaces it in one step.
  ///
  /// - Returns: the saved text.
  private func edit(_ step: Int, on device: Device) throws -> String {
    let text = "\(device.name) edits \(step)\n"
    let staged = try world.scratch.write(text, to: "\(device.name)-staged")
    guard rename(staged.path, device["trip.md"].path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    let save = try device.run("save", "trip.md")
    #expect(save.exitCode == 0, "save: \(save.errorOutput)")
    return text
  }

  private func exchange(_ device: Device) throws {
    let exchange = try device.run("exchange", world.cloud.path)
    #expect(exchange.exitCode == 0, "exchange: \(exchange.errorOutput)")
  }

  @Test("Devices that exchange and save at the same time lose nothing, and come to agree")
  func exchanging() throws {
    let saved = Mutex(Set([try edit(0, on: devices[0])]))
    for device in devices { try exchange(device) }
    let loops = devices.map { device in
      BackgroundLoop { _ in
        try exchange(device)
        return true
      }
    }
    try Crowd.run(2) { number in
      for step in 1...TestMode.pick(short: 6, full: 30) {
        let text = try edit(step, on: devices[number])
        saved.withLock { _ = $0.insert(text) }
      }
    }
    let rounds = try loops.map { try $0.stop(after: 1) }
    for _ in 0..<3 { for device in devices { try exchange(device) } }
    print("Two devices exchanged \(rounds) times while both were saved")

    let histories = try devices.map { try $0.history("trip.md").versions }
    #expect(Set(histories[0].map(\.id)) == Set(histories[1].map(\.id)))
    #expect(histories[0].first(where: \.isCurrent) == histories[1].first(where: \.isCurrent))
    for history in histories {
      let texts = try history.filter { !$0.isDeletion }.map {
        String(decoding: try $0.contents(), as: UTF8.self)
      }
      #expect(saved.withLock { $0 }.isSubset(of: texts), "something that was saved is lost")
    }
    try world.expectSound("mira", "tom")
  }
}
