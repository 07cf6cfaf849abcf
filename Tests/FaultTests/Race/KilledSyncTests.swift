import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Three devices that save, rename, resolve and sync, while syncs are killed at any moment.
@Suite("Killed syncs", .serialized, .blocks)
struct KilledSyncTests {
  /// In the full mode thirty seeds of about a minute each.
  private static let seeds = 0..<TestMode.pick(short: 1, full: 30)
  private static let steps = TestMode.pick(short: 80, full: 800)

  private let devices: [Device]

  init() throws {
    let world = try World()
    devices = try ["a", "b", "c"].map { try world.device($0) }
    for device in devices {
      try device.store.makeContainer(device.container)
      let address = "file://\(world.scratch["server.git"].path)"
      #expect(try device.run("remote", "add", "origin", address).exitCode == 0)
    }
  }

  private func notes(_ device: Device) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: device.container.path)
      .filter { $0.hasSuffix(".md") }.sorted()
  }

  @Test(
    "A killed sync never blocks the next one, and nothing that was saved is lost", arguments: seeds)
  func killed(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var saved: Set<String> = []
    for number in 1...Self.steps {
      let device = devices.randomElement(using: &random) ?? devices[0]
      let files = try notes(device)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        let isOld = Int.random(in: 0..<10, using: &random) < 8
        let file =
          (isOld ? files.randomElement(using: &random) : nil) ?? "n\(device.name)\(number).md"
        var lines =
          files.contains(file)
          ? try device.read(file).split(separator: "\n").map(String.init)
          : (0..<10).map { "line \($0)" }
        lines[Int.random(in: lines.indices, using: &random)] = "\(device.name) \(number)"
        let text = lines.joined(separator: "\n") + "\n"
        try device.write(text, to: file)
        let save = try device.run("save", file)
        #expect(save.exitCode == 0, "save on \(device.name): \(save.errorOutput)")
        saved.insert(text)
      case 45..<50:
        guard let file = files.randomElement(using: &random) else { continue }
        try device.run("rename", file, "r\(number).md")
      case 50..<60:
        for file in files { try device.run("resolve", "--merge", file) }
      case 60..<80:
        let sync = try device.start(["sync"])
        letPass(
          .milliseconds(Int.random(in: 0..<60, using: &random)),
          because: "the moment of the kill is what is tried")
        sync.signal(SIGKILL)
        _ = try sync.wait()
      default:
        let sync = try device.run("sync")
        #expect([0, 1, 4].contains(sync.exitCode), "sync of \(device.name): \(sync.errorOutput)")
      }
    }
    try expectAgreement(on: saved)
  }

  /// Lets all devices sync to the end, and expects the same current versions and every saved text on each.
  private func expectAgreement(on saved: Set<String>) throws {
    for round in 0..<4 {
      for device in devices {
        let sync = try device.run("sync")
        #expect(round < 3 || [0, 1].contains(sync.exitCode), "\(device.name): \(sync.errorOutput)")
      }
    }
    var current: [[String: String]] = []
    for device in devices {
      var texts: Set<String> = []
      var ids: [String: String] = [:]
      for file in try notes(device) {
        let history = try device.history(file)
        ids[file] = history.current?.id.description
        for version in history.versions where version.hasLocalContents && !version.isDeletion {
          texts.insert(String(decoding: try version.contents(), as: UTF8.self))
        }
      }
      #expect(saved.subtracting(texts).isEmpty, "\(device.name) lacks something that was saved")
      current.append(ids)
    }
    #expect(Set(current).count == 1, "the devices show different versions")
  }
}
