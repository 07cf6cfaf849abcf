internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Makes a folder one whose documents are kept and synced together.
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container",
    abstract: "Make a folder a container, and name this device in it.",
    discussion: "",
    subcommands: [Init.self])

  /// Makes the folder.
  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Make a folder a container: its documents are kept and synced together.",
      discussion: """
        The versions of all documents in it, at any depth, lie in one .docversions there. A folder that is not \
        there yet is made. Saving a document makes its folder one too.

        JSON: {"container", "name"}.
        """)

    @Argument(help: "The folder; by default the current one.", completion: .directory)
    var folder: DocumentArgument?

    @Option(
      help: "The name of this device, as others see it where they meet; by default the host’s name."
    )
    var name: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
      let store = try output.store()
      let place = folder?.url ?? URL(filePath: ".")
      if !place.isThere {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      }
      if let folder, !folder.isFolder {
        throw CommandFailure(
          .usage, code: VersionError.Code.invalidArgument.rawValue,
          "“\(folder.shown)” is not a folder.", path: folder.shown)
      }
      try store.makeContainer(place)
      if let name { try store.setDeviceName(name, in: place) }
      let container = try store.container(around: place) ?? place
      let report = ContainerReport(
        container: container.absoluteURL.standardizedFileURL.path,
        name: try store.deviceName(in: place))
      try Console.answer(
        report, asJSON: output.isJSON,
        [
          "Documents in \(DocumentArgument(container).shown) are kept together; this device is “\(Printable.text(report.name))” there."
        ])
    }
  }
}
