import class DocumentFiles.ChangeSignal
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// The devices that sync through a remote, and a continuous sync.
@Suite("Devices of a remote", .blocks)
struct DeviceTests {
  @Test("Devices are listed with their names, this one first", arguments: ["server", "folder"])
  func list(place: String) throws {
    let world = try RemoteWorld()
    let folder = "file://" + world.world.scratch["meeting"].path
    let address = place == "folder" ? folder : nil
    for name in ["tom", "mira"] { _ = try world.device(name, address: address) }
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    try world.world.save("two\n", as: "b.md", on: "tom")
    try world.meet("tom", "mira")
    let mira = try world.device("mira")
    let devices = try mira.store.devices(of: mira.container, access: world.access)
    #expect(devices.map(\.name) == ["mira’s laptop", "tom’s laptop"])
    #expect(devices.map(\.isCurrent) == [true, false])
    #expect(devices.map(\.documents) == [2, 2])
  }

  @Test("A device has the name that it was given in a folder, and keeps it where it is renamed")
  func name() throws {
    let world = try RemoteWorld()
    let mira = try world.device("mira")
    try mira.store.setDeviceName("Mira’s desk", in: mira.container)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    #expect(
      try mira.store.devices(of: mira.container, access: world.access).map(\.name) == [
        "Mira’s desk"
      ])
    #expect(
      try world.references().keys.contains { $0.hasPrefix("refs/heads/docversions/mira-s-desk-") })
    try mira.store.setDeviceName("Mira’s old desk", in: mira.container)
    try world.world.save("two\n", as: "a.md", on: "mira")
    try world.meet("mira")
    #expect(
      try mira.store.devices(of: mira.container, access: world.access).map(\.name) == [
        "Mira’s old desk"
      ])
    #expect(try world.references().count == 2)
    for name in ["", String(repeating: "x", count: 101), "a\nb"] {
      #expect(throws: VersionError.self) { try mira.store.setDeviceName(name, in: mira.container) }
    }
  }

  @Test("What only a forgotten device had published stays", arguments: ["server", "folder"])
  func forget(place: String) throws {
    let world = try RemoteWorld()
    let folder = "file://" + world.world.scratch["meeting"].path
    let address = place == "folder" ? folder : nil
    for name in ["tom", "mira"] { _ = try world.device(name, address: address) }
    try world.world.save("Mira’s\n", as: "m.md", on: "mira")
    for number in 1...5 { try world.world.save("Tom’s \(number)\n", as: "t.md", on: "tom") }
    try world.meet("mira", "tom")
    let mira = try world.device("mira")
    #expect(throws: VersionError.self) {
      try mira.store.forgetDevice("nobody", of: mira.container, access: world.access)
    }
    #expect(throws: VersionError.self) {
      try mira.store.forgetDevice("mira’s laptop", of: mira.container, access: world.access)
    }
    let forgotten = try mira.store.forgetDevice(
      "tom’s laptop", of: mira.container, access: world.access)
    #expect(forgotten.name == "tom’s laptop")
    #expect(try mira.store.devices(of: mira.container, access: world.access).count == 1)
    _ = try world.world.store("ida").clone(
      Remote(name: "origin", address: address ?? world.server.address(of: "docs")),
      to: world.world.scratch["ida"], access: world.access)
    let versions = try world.world.history("t.md", on: "ida").versions
    #expect(versions.count == 5)
    #expect(versions.filter { !$0.hasLocalContents }.isEmpty)
    // If the device is used again, it continues as before.
    try world.world.save("Tom’s again\n", as: "t.md", on: "tom")
    try world.meet("tom", "mira")
    #expect(try world.world.read("t.md", on: "mira") == "Tom’s again\n")
    #expect(try mira.store.devices(of: mira.container, access: world.access).count == 3)
  }

  /// Starts a continuous sync in Mira's folder.
  private func watch(on world: RemoteWorld, saving: Bool = false) throws -> RunningProgram {
    try world.device("mira").start(
      ["sync", "--watch", "--interval", "1"] + (saving ? ["--save"] : []))
  }

  @Test("A sync that goes on sends what is saved, takes in what arrives, and ends at a signal")
  func watch() throws {
    let world = try RemoteWorld()
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    let program = try watch(on: world)
    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    #expect(
      try eventually(every: .milliseconds(200)) {
        try world.sync("tom")
        return try world.world.read("a.md", on: "tom") == "Mira’s\n"
      })
    try world.world.save("Tom’s\n", as: "a.md", on: "tom")
    try world.sync("tom")
    #expect(
      try eventually(every: .milliseconds(100)) {
        try world.world.read("a.md", on: "mira") == "Tom’s\n"
      })
    #expect(
      try eventually(every: .milliseconds(100)) {
        try program.output.contains("received 1: a.md")
      })
    program.signal(15)
    let result = try program.wait(atMost: .generous)
    #expect(result.exitCode == 0)
    #expect(result.output.contains("Sent 1, received 0: a.md"))
    #expect(result.output.hasSuffix("Stopped.\n"))
    #expect(result.errorOutput.isEmpty)
  }

  @Test("A sync that goes on and saves takes what is edited each time")
  func watchAndSave() throws {
    let world = try RemoteWorld()
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    let program = try watch(on: world, saving: true)
    for text in ["two\n", "three\n"] {
      try Data(text.utf8).write(to: world.world.url("mira", "a.md"))
      #expect(
        try eventually(every: .milliseconds(200)) {
          try world.sync("tom")
          return try world.world.read("a.md", on: "tom") == text
        })
    }
    program.signal(15)
    #expect(try program.wait(atMost: .generous).exitCode == 0)
  }

  @Test("A sync that goes on waits each time, until its time is over or something was saved")
  func waiting() async {
    let signal = ChangeSignal()
    for _ in 0..<3 {
      let time = await ContinuousClock().measure { await signal.next(within: .milliseconds(200)) }
      #expect(time >= .milliseconds(190))
    }
    signal.send()
    let time = await ContinuousClock().measure { await signal.next(within: .generous) }
    #expect(time < .generous / 2)
    let sending = Task { signal.send() }
    await signal.next(within: .generous)
    await sending.value
  }

  @Test("A sync that goes on reports failures, and waits longer after each")
  func backOff() async throws {
    var pause = Pause(interval: .seconds(60))
    var former = Duration.zero
    for number in 1...5 {
      pause.failed()
      #expect(pause.time > former * 1.2 || number == 1)
      former = pause.time
    }
    for _ in 1...20 { pause.failed() }
    #expect(pause.time <= .seconds(720))
    pause.succeeded(hasNews: true)
    #expect((Duration.seconds(48)...(.seconds(72))).contains(pause.time))
    for _ in 1...20 { pause.succeeded(hasNews: false) }
    #expect((Duration.seconds(480)...(.seconds(720))).contains(pause.time))

    let world = try RemoteWorld()
    let port = try Loopback.freePort()
    let mira = try world.device("mira", address: "git://127.0.0.1:\(port)/docs.git")
    let events = VersionStore(mira.store).syncs(
      of: mira.container, access: world.access, interval: .milliseconds(100))
    var failures = 0
    for try await event in events {
      guard case .failed(let error as VersionError, _) = event else { continue }
      #expect(error.code == .remoteUnreachable)
      failures += 1
      if failures == 3 { break }
    }
    #expect(failures == 3)
  }
}
