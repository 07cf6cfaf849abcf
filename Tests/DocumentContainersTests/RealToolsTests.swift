import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Copies made by the tools themselves, where these are installed.
@Suite("Copies made by real tools", .enabled(if: TestMode.isFull))
struct RealToolsTests {
  /// Keeps what a tool has left, as the fixture of the tests that run without it.
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
    // Nothing is taken before the person says which one is the document.
    _ = try await mira.adopt(.latest)
    for (name, _, mine, _) in EngineDocuments.all where !name.contains("/") {
      #expect(try mira.read(name + "..path1") == mine)
      try FileManager.default.moveItem(at: mira[name + "..path1"], to: mira[name])
    }
    try FileManager.default.moveItem(
      at: mira["trip.rtfd/TXT.rtf..path1"], to: mira["trip.rtfd/TXT.rtf"])
    try await EngineDocuments.expectMerged(on: mira)
  }

  @Test("Two Syncthing instances")
  func syncthing() async throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    for device in [mira, tom] { try device.write("", to: ".stfolder/x") }
    try mira.write(".docversions\n", to: ".stignore")
    try tom.write(".docversions\n", to: ".stignore")
    let pair = try SyncthingPair(mira.container, tom.container, in: world.scratch)
    defer { pair.stop() }
    try EngineDocuments.save(on: mira)
    try pair.start()
    try await SyncthingPair.wait("the documents to arrive") {
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
    try await SyncthingPair.wait("the copies to arrive") {
      try mira.copiesNow().count == EngineDocuments.all.count
    }
    pair.stop()
    try keep(mira, as: "syncthing")
    let copies = try await mira.copies()
    #expect(copies.values.allSatisfy { $0.name.tools == [.syncthing] && $0.device != "unknown" })
    #expect(copies.values.allSatisfy { $0.author == "unknown" })
    try await EngineDocuments.expectMerged(on: mira)
    // What was merged travels, and so does that the copies are gone.
    try pair.start()
    try await SyncthingPair.wait("the merged documents to arrive") {
      try tom.copiesNow().isEmpty
        && EngineDocuments.all.allSatisfy { (try? tom.read($0.name)) == (try? mira.read($0.name)) }
    }
  }
}

/// Two instances of Syncthing on this machine that know of no other, and carry one folder.
private final class SyncthingPair {
  private struct Instance {
    let home: URL
    let folder: URL
    let port: Int
    let identifier: String
  }

  private var instances: [Instance] = []
  private var processes: [Process] = []

  init(_ first: URL, _ second: URL, in scratch: ScratchFolder) throws {
    let port = Int.random(in: 23_000...52_000)
    for (index, folder) in [first, second].enumerated() {
      let home = scratch["syncthing\(index)"]
      _ = try Command.run(
        "/usr/bin/syncthing",
        ["generate", "--home", home.path, "--no-default-folder", "--skip-port-probing"],
        in: scratch.url, environment: ["HOME": scratch.url.path])
      let config = try String(contentsOf: home.appending(path: "config.xml"), encoding: .utf8)
      let identifier = try #require(config.firstMatch(of: /device id="([A-Z0-9-]+)"/)?.1)
      instances.append(
        Instance(home: home, folder: folder, port: port + index * 2, identifier: String(identifier))
      )
    }
    for (index, instance) in instances.enumerated() {
      try configuration(of: instance, with: instances[1 - index])
        .write(to: instance.home.appending(path: "config.xml"), atomically: true, encoding: .utf8)
    }
  }

  /// Nothing but the two: no discovery, no relays, no port mapping, no reports, no upgrades.
  private func configuration(of own: Instance, with other: Instance) -> String {
    """
    <configuration version="36">
      <folder id="docs" path="\(own.folder.path)" type="sendreceive" rescanIntervalS="1" fsWatcherEnabled="false">
        <device id="\(own.identifier)"/><device id="\(other.identifier)"/>
        <maxConflicts>10</maxConflicts>
      </folder>
      <device id="\(own.identifier)" name="own"><address>tcp://127.0.0.1:\(own.port)</address></device>
      <device id="\(other.identifier)" name="other"><address>tcp://127.0.0.1:\(other.port)</address></device>
      <gui enabled="true" tls="false"><address>127.0.0.1:\(own.port + 1)</address><apikey>test</apikey></gui>
      <options>
        <listenAddress>tcp://127.0.0.1:\(own.port)</listenAddress>
        <globalAnnounceEnabled>false</globalAnnounceEnabled>
        <localAnnounceEnabled>false</localAnnounceEnabled>
        <relaysEnabled>false</relaysEnabled>
        <natEnabled>false</natEnabled>
        <urAccepted>-1</urAccepted>
        <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
        <crashReportingEnabled>false</crashReportingEnabled>
        <startBrowser>false</startBrowser>
        <reconnectionIntervalS>1</reconnectionIntervalS>
        <stunKeepaliveStartS>0</stunKeepaliveStartS>
      </options>
    </configuration>
    """
  }

  func start() throws {
    for instance in instances {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/syncthing")
      process.arguments = [
        "serve", "--home", instance.home.path, "--no-browser", "--no-restart", "--no-upgrade",
      ]
      process.environment = ["HOME": instance.home.path, "STNOUPGRADE": "1"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      processes.append(process)
    }
  }

  func stop() {
    for process in processes {
      process.terminate()
      process.waitUntilExit()
    }
    processes = []
  }

  static func wait(_ what: String, until isDone: () throws -> Bool) async throws {
    let isThere = try await eventually(within: .seconds(120), every: .milliseconds(200), isDone)
    try #require(isThere, "waited in vain for \(what)")
  }

  deinit { stop() }
}
