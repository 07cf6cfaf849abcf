import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Says whether the exhaustive tests run.
private enum Mode {
  static let isFull = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULTS"] == "full"
}

/// Copies made by the tools themselves, where these are installed.
@Suite("Copies made by real tools", .enabled(if: Mode.isFull))
struct RealToolsTests {
  /// One document for each engine: before, and as two devices changed it apart.
  static let documents: [(name: String, base: String, mira: String, tom: String)] = [
    ("notes.md", "# Trip\n\nFirst the boat.\n", "# Trip\n\nFirst the boat.\n\nThen the hotel.\n",
      "# Trip\n\nPack first.\n\nFirst the boat.\n"),
    ("lines.sh", "echo one\necho two\necho three\n", "echo one\necho two\necho three\necho four\n",
      "echo zero\necho one\necho two\necho three\n"),
    ("table.csv", "what,cost\ntent,120\nboat,80\n", "what,cost\ntent,120\nboat,80\nfood,60\n",
      "what,cost\nmap,9\ntent,120\nboat,80\n"),
    ("data.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
      "{\n  \"z\": 0,\n  \"a\": 1,\n  \"b\": 2\n}\n"),
    ("data.yaml", "a: one\nb: two\n", "a: one\nb: two\nc: three\n", "z: zero\na: one\nb: two\n"),
    ("data.toml", "a = 1\nb = 2\n", "a = 1\nb = 2\nc = 3\n", "z = 0\na = 1\nb = 2\n"),
    ("data.xml", "<r>\n  <a/>\n  <b/>\n</r>\n", "<r>\n  <a/>\n  <b/>\n  <c/>\n</r>\n",
      "<r>\n  <z/>\n  <a/>\n  <b/>\n</r>\n"),
    ("page.html", "<html><body>\n<p>one</p>\n<p>two</p>\n</body></html>\n",
      "<html><body>\n<p>one</p>\n<p>two</p>\n<p>three</p>\n</body></html>\n",
      "<html><body>\n<p>zero</p>\n<p>one</p>\n<p>two</p>\n</body></html>\n"),
    ("list.plist", plist("<key>a</key>\n<string>one</string>\n"),
      plist("<key>a</key>\n<string>one</string>\n<key>c</key>\n<string>three</string>\n"),
      plist("<key>Z</key>\n<string>zero</string>\n<key>a</key>\n<string>one</string>\n")),
    ("book.ipynb", notebook(["one"]), notebook(["one", "two"]), notebook(["zero", "one"])),
    ("trip.rtfd/TXT.rtf", "first\nsecond\n", "first\nsecond\nthird\n", "zeroth\nfirst\nsecond\n"),
  ]

  private static func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(members)</dict>
    </plist>

    """
  }

  private static func notebook(_ cells: [String]) -> String {
    let all = cells.map {
      "  {\n   \"cell_type\": \"markdown\",\n   \"id\": \"\($0)\",\n   \"metadata\": {},\n   \"source\": [\n    \"\($0)\"\n   ]\n  }"
    }
    return
      "{\n \"cells\": [\n\(all.joined(separator: ",\n"))\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
  }

  /// Saves the documents as they were before, on Mira’s device.
  private func save(_ mira: Device) throws {
    for (name, base, _, _) in Self.documents {
      let document = name.split(separator: "/").first.map(String.init) ?? name
      try mira.write(base, to: name)
      try mira.store.save(mira[document], asPackage: document != name)
    }
  }

  private func write(_ device: Device, _ text: KeyPath<(name: String, base: String, mira: String, tom: String), String>) throws {
    for document in Self.documents { try device.write(document[keyPath: text], to: document.name) }
  }

  /// Adopts what a tool has left, and expects that every document has what both wrote.
  private func expectMerged(on mira: Device, besides unmergeable: Set<String> = []) async throws {
    let copies = try await mira.copies()
    #expect(copies.count == Self.documents.count, "\(copies.keys.sorted())")
    mira.clock.advance(bySeconds: 60)
    for document in try await mira.adopt(.merge) {
      #expect(document.failure == nil)
      #expect(document.resolution != nil, "\(document.document.lastPathComponent): \(document.copies.map(\.copy.outlookWord))")
    }
    for (name, base, mine, theirs) in Self.documents {
      let now = Set(try mira.read(name).split(separator: "\n"))
      let before = Set(base.split(separator: "\n"))
      for line in Set(mine.split(separator: "\n")).symmetricDifference(theirs.split(separator: "\n"))
      where !before.contains(line) {
        let isThere = now.contains { $0.contains(line.trimmingSuffix(",")) }
        #expect(isThere, "\(name) lacks “\(line)”")
      }
    }
    #expect(try await mira.copies().isEmpty)
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
        ], in: world.scratch.url, environment: ["UNISON": world.scratch["unison"].path, "HOME": world.scratch.url.path])
      #expect(result.exitCode <= 1, "\(result)")
    }
    try save(mira)
    try run()
    try write(mira, \.mira)
    try write(tom, \.tom)
    try run()
    // Unison leaves the copy on the side that lost; Mira’s device gets it with the next run.
    try run()
    try await expectMerged(on: mira)
  }

  @Test("rclone bisync leaves two copies and no document")
  func rclone() async throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    func run(_ options: String...) throws {
      let result = try Command.run(
        "/usr/bin/rclone",
        ["bisync", mira.container.path, tom.container.path, "--force", "--exclude", ".docversions/**", "--workdir", world.scratch["rclone"].path] + options,
        in: world.scratch.url, environment: ["HOME": world.scratch.url.path])
      #expect(result.exitCode == 0, "\(result)")
    }
    try save(mira)
    try run("--resync")
    try write(mira, \.mira)
    try write(tom, \.tom)
    try run()
    let copies = try await mira.copies()
    #expect(copies.count == Self.documents.count * 2, "\(copies.keys.sorted())")
    #expect(copies.values.allSatisfy { $0.name.tools == [.rclone] })
    // Nothing is taken before the person says which one is the document.
    _ = try await mira.adopt(.latest)
    for (name, _, mine, _) in Self.documents where !name.contains("/") {
      #expect(try mira.read(name + "..path1") == mine)
      try FileManager.default.moveItem(at: mira[name + "..path1"], to: mira[name])
    }
    try FileManager.default.moveItem(
      at: mira["trip.rtfd/TXT.rtf..path1"], to: mira["trip.rtfd/TXT.rtf"])
    try await expectMerged(on: mira)
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
    try save(mira)
    try pair.start()
    try await pair.wait("the documents to arrive") {
      Self.documents.allSatisfy { (try? tom.read($0.name)) == $0.base }
    }
    pair.stop()
    try write(tom, \.tom)
    // The later one keeps the name.
    try await Task.sleep(for: .seconds(1.1))
    try write(mira, \.mira)
    try pair.start()
    try await pair.wait("the copies to arrive") {
      try await mira.copies().count == Self.documents.count
    }
    pair.stop()
    let copies = try await mira.copies()
    #expect(copies.values.allSatisfy { $0.name.tools == [.syncthing] && $0.device != "unknown" })
    #expect(copies.values.allSatisfy { $0.author == "unknown" })
    try await expectMerged(on: mira)
    // What was merged travels, and so does that the copies are gone.
    try pair.start()
    try await pair.wait("the merged documents to arrive") {
      try await tom.copies().isEmpty
        && Self.documents.allSatisfy { (try? tom.read($0.name)) == (try? mira.read($0.name)) }
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ end: Character) -> Substring { last == end ? dropLast() : self }
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
        Instance(home: home, folder: folder, port: port + index * 2, identifier: String(identifier)))
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

  func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try await !isDone() {
      try #require(ContinuousClock.now < end, "waited in vain for \(what)")
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  deinit { stop() }
}
