import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// Two devices that exchange through one folder at the same time, while both are edited.
@Suite("Exchanges side by side", .serialized)
struct ExchangeRaceTests {
  /// A device: a container, and what its person saved.
  private final class Device: Sendable {
    let name: String
    let container: URL
    let texts = Mutex<[String]>([])
    let complaints = Mutex<[String]>([])

    init(_ name: String, in scratch: ScratchFolder) throws {
      self.name = name
      container = scratch[name]
      try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    }

    var document: URL { container.appending(path: "trip.md") }

    func run(_ arguments: [String]) throws -> RunningProgram.End {
      try RunningProgram(
        BuiltProgram.url.path, arguments,
        environment: ["DOCVERSIONS_AUTHOR": name, "DOCVERSIONS_DEVICE": name]
      ).wait()
    }

    /// Edits and saves as an editor does: beside, then in one step into place.
    func edit(_ step: Int) throws {
      let text = "\(name) edits \(step)\n"
      let staged = container.appending(path: "../\(name)-staged")
      try Data(text.utf8).write(to: staged)
      guard rename(staged.path, document.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      let end = try run(["save", document.path])
      if end.code == 0 {
        texts.withLock { $0.append(text) }
      } else {
        complaints.withLock { $0.append("save: \(end.errorOutput)") }
      }
    }

    func exchange(through folder: URL) throws {
      let end = try run(["exchange", folder.path, container.path])
      if end.code != 0 { complaints.withLock { $0.append("exchange: \(end.errorOutput)") } }
    }

    func history() throws -> [FileVersion] {
      try SynchronousStore().history(of: document).versions
    }
  }

  @Test("Devices that exchange and save at the same time lose nothing, and come to agree")
  func exchanging() throws {
    let scratch = try ScratchFolder()
    let folder = scratch["cloud"]
    let devices = [try Device("mira", in: scratch), try Device("tom", in: scratch)]
    try devices[0].edit(0)
    for device in devices { try device.exchange(through: folder) }
    let loops = devices.map { device in
      BackgroundLoop { _ in
        try device.exchange(through: folder)
        return true
      }
    }
    try Crowd.run(2) { number in
      for step in 1...FaultMode.pick(short: 6, full: 30) { try devices[number].edit(step) }
    }
    let rounds = try loops.map { try $0.stop() }
    for _ in 0..<3 { for device in devices { try device.exchange(through: folder) } }
    print("Two devices exchanged \(rounds) times while both were saved")

    for device in devices { #expect(device.complaints.withLock { $0 } == []) }
    let histories = try devices.map { try $0.history() }
    #expect(Set(histories[0].map(\.id)) == Set(histories[1].map(\.id)))
    #expect(histories[0].first(where: \.isCurrent) == histories[1].first(where: \.isCurrent))
    for history in histories {
      let texts = try Set(
        history.filter { !$0.isDeletion }.map {
          String(decoding: try SynchronousStore().contents(of: $0, member: nil), as: UTF8.self)
        })
      for device in devices {
        let missing = Set(device.texts.withLock { $0 }).subtracting(texts)
        #expect(missing.isEmpty, "lost: \(missing)")
      }
    }
    for device in devices { #expect(try GitCheck.problems(inContainer: device.container) == []) }
    #expect(try GitCheck.problems(inStore: folder) == [])
  }
}
