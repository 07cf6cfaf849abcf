package import Foundation

/// Two instances of Syncthing on this machine that know only each other, and sync one folder.
package final class SyncthingPair {
  private static let path = "/usr/bin/syncthing"
  /// True if Syncthing is installed on this machine.
  package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  private struct Instance {
    let home: ScratchFolder
    let folder: URL
    let ports: (listening: Int, page: Int)
    let identifier: String
  }

  /// An error for unreadable settings of Syncthing.
  private struct NotPrepared: Error {
    let result: Command.Result
  }

  private let instances: [Instance]
  private var processes: [RunningProgram] = []

  /// Prepares two devices, which don't sync `.docversions`.
  package init(_ first: URL, _ second: URL) throws {
    instances = try [first, second].map { folder in
      let home = try ScratchFolder()
      let result = try Command.run(
        Self.path,
        ["generate", "--home", home.url.path, "--no-default-folder", "--skip-port-probing"],
        in: home.url, environment: ["HOME": home.url.path])
      guard
        let identifier = try home.read("config.xml").firstMatch(of: /device id="([A-Z0-9-]+)"/)?.1
      else { throw NotPrepared(result: result) }
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".stfolder"), withIntermediateDirectories: true)
      try Data(".docversions\n".utf8).write(to: folder.appending(path: ".stignore"))
      return Instance(
        home: home, folder: folder, ports: (try Loopback.freePort(), try Loopback.freePort()),
        identifier: String(identifier))
    }
    for (own, other) in zip(instances, instances.reversed()) {
      try own.home.write(Self.configuration(of: own, with: other), to: "config.xml")
    }
  }

  /// Returns a configuration with only the two devices: no discovery, no relays, no port mapping, no reports,
  /// no upgrades.
  private static func configuration(of own: Instance, with other: Instance) -> String {
    """
    <configuration version="36">
      <folder id="docs" path="\(own.folder.path)" type="sendreceive" rescanIntervalS="1" fsWatcherEnabled="false">
        <device id="\(own.identifier)"/><device id="\(other.identifier)"/>
        <maxConflicts>10</maxConflicts>
      </folder>
      <device id="\(own.identifier)" name="own"><address>tcp://127.0.0.1:\(own.ports.listening)</address></device>
      <device id="\(other.identifier)" name="other"><address>tcp://127.0.0.1:\(other.ports.listening)</address></device>
      <gui enabled="true" tls="false"><address>127.0.0.1:\(own.ports.page)</address><apikey>test</apikey></gui>
      <options>
        <listenAddress>tcp://127.0.0.1:\(own.ports.listening)</listenAddress>
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

  /// Starts both.
  package func start() throws {
    for instance in instances {
      let home = instance.home.url.path
      processes.append(
        try RunningProgram(
          Self.path, ["serve", "--home", home, "--no-browser", "--no-restart", "--no-upgrade"],
          environment: ["HOME": home, "STNOUPGRADE": "1"]))
    }
  }

  /// Ends both.
  package func stop() {
    for process in processes { process.signal(SIGTERM) }
    for process in processes where !process.hasEnded(within: .seconds(60)) { process.kill() }
    processes = []
  }

  deinit { stop() }
}
