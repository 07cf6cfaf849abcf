internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the devices that sync through a remote, and forgets those that are no longer used.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the devices that sync with a remote, or forget one.",
    discussion: """
      Without a subcommand, the devices are listed.
      """,
    subcommands: [List.self, Forget.self], defaultSubcommand: List.self)

  /// The folder of documents, its remote, and the form of the answer.
  struct Place: ParsableArguments {
    @Option(help: "The remote; by default the one that was added first.")
    var remote: String?

    @OptionGroup var container: FolderOption

    @OptionGroup var output: OutputOptions

    @OptionGroup var identity: IdentityOptions

    var url: URL { container.url }

    var access: RemoteAccess { RemoteSettings.access(isJSON: output.isJSON) }
  }

  /// Lists the devices.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the devices that sync with a remote.",
      discussion: """
        JSON: {"devices": [{"current", "documents", "id", "lastPublished", "name"}]}.
        """)

    @OptionGroup var place: Place

    func run() throws {
      let store = try place.identity.store()
      let devices = try store.showingProgress("Asking", "the remote", isJSON: place.output.isJSON) {
        try $0.devices(of: place.url, with: place.remote, access: place.access)
      }
      let time = ReadableTime(now: store.clock())
      var table = Table()
      table.rows = devices.map { device in
        [
          Table.Cell(device.name, room: .yielding),
          Table.Cell(String(device.id.prefix(8))) { $0.asMuted },
          Table.Cell(Wording.count(device.documents, "document")),
          Table.Cell("published \(time.text(device.lastPublished))") { $0.asMuted },
          Table.Cell(device.isCurrent ? "this device" : ""),
        ]
      }
      let lines =
        devices.isEmpty ? ["No device has published anything there yet.".asMuted] : table.lines()
      let reports = devices.map { DeviceReport($0) }
      try Console.answer(["devices": reports], asJSON: place.output.isJSON, lines)
    }
  }

  /// Forgets a device.
  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Remove a device that is no longer used from a remote.",
      discussion: """
        This device first publishes the versions that only that device has published. If that device is used again, \
        it is a device as before.

        JSON: {"current", "documents", "id", "lastPublished", "name"}.
        """)

    @Argument(help: "The device's name, or the beginning of its identity.")
    var device: String

    @OptionGroup var place: Place

    func run() throws {
      let store = try place.identity.store()
      let forgotten = try store.showingProgress(
        "Forgetting", Printable.text(device), isJSON: place.output.isJSON
      ) {
        try $0.forgetDevice(device, of: place.url, with: place.remote, access: place.access)
      }
      try Console.answer(
        DeviceReport(forgotten), asJSON: place.output.isJSON,
        ["Forgot \(forgotten.name) (\(forgotten.id.prefix(8))). All of its versions stay."])
    }
  }
}
