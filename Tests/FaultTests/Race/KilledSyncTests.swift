import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Three devices that save, rename, resolve and sync, while syncs are killed at any moment.
@Suite("Killed syncs", .serialized)
struct KilledSyncTests {
  /// In the full mode thirty seeds of a minute each.
  private static let seeds = 0..<FaultMode.pick(short: 2, full: 30)
  private static let seconds = FaultMode.pick(short: 8.0, full: 60)
  private static let devices = ["a", "b", "c"]

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for device in Self.devices {
      let container = scratch["\(device)/.docversions"]
      try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
      let address = "file://\(scratch["server.git"].path)"
      #expect(try run(device, "remote", "add", "origin", address).code == 0)
    }
  }

  private func start(_ device: String, _ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      BuiltProgram.url.path, arguments, in: scratch[device],
      environment: ["DOCVERSIONS_AUTHOR": device, "DOCVERSIONS_DEVICE": device])
  }

  @discardableResult
  private func run(_ device: String, _ arguments: String...) throws -> RunningProgram.End {
    try start(device, arguments).wait()
  }

  private func notes(_ device: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch[device].path)
      .filter { $0.hasSuffix(".md") }.sorted()
  }

  @Test(
    "A killed sync never blocks the next one, and nothing that was saved is lost", arguments: seeds)
  func killed(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var saved: Set<String> = []
    var number = 0
    let end = Date.now + Self.seconds
    while Date.now < end {
      number += 1
      let device = Self.devices.randomElement(using: &random) ?? "a"
      let files = try notes(device)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        let isOld = Int.random(in: 0..<10, using: &random) < 8
        let file = (isOld ? files.randomElement(using: &random) : nil) ?? "n\(device)\(number).md"
        let place = "\(device)/\(file)"
        var lines =
          files.contains(file)
          ? try scratch.read(place).split(separator: "\n").map(String.init)
          : (0..<10).map { "line \($0)" }
        lines[Int.random(in: lines.indices, using: &random)] = "\(device) \(number)"
        let text = lines.joined(separator: "\n") + "\n"
        try scratch.write(text, to: place)
        let save = try run(device, "save", file)
        #expect(save.code == 0, "save on \(device): \(save.errorOutput)")
        saved.insert(text)
      case 45..<50:
        guard let file = files.randomElement(using: &random) else { continue }
        try run(device, "rename", file, "r\(number).md")
      case 50..<60:
        for file in files { try run(device, "resolve", "--merge", file) }
      case 60..<80:
        let sync = try start(device, ["sync"])
        letPass(
          .milliseconds(Int.random(in: 0..<60, using: &random)),
          because: "the moment of the kill is what is tried")
        sync.signal(SIGKILL)
        _ = try sync.wait()
      default:
        let sync = try run(device, "sync")
        #expect([0, 1, 4].contains(sync.code), "sync of \(device): \(sync.errorOutput)")
      }
    }
    try expectAgreement(on: saved)
  }

  /// Lets all devices sync to the end, and expects the same current versions and every saved text on each.
  private func expectAgreement(on saved: Set<String>) throws {
    for round in 0..<4 {
      for device in Self.devices {
        let sync = try run(device, "sync")
        #expect(round < 3 || [0, 1].contains(sync.code), "\(device): \(sync.errorOutput)")
      }
    }
    var current: [[String: String]] = []
    for device in Self.devices {
      var texts: Set<String> = []
      var ids: [String: String] = [:]
      for file in try notes(device) {
        let history = try SynchronousStore().history(of: scratch["\(device)/\(file)"])
        ids[file] = history.current?.id.description
        for version in history.versions where version.hasLocalContents && !version.isDeletion {
          texts.insert(String(decoding: try version.contents(), as: UTF8.self))
        }
      }
      #expect(saved.subtracting(texts).isEmpty, "\(device) lacks something that was saved")
      current.append(ids)
    }
    #expect(Set(current).count == 1, "the devices show different versions")
  }
}
