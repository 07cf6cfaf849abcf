internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Makes folders containers, and finds the containers of apps.
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container",
    abstract: "Make a folder a container, or find the container of an app.",
    discussion: """
      Apps find their container by an identifier, such as org.example.notes. Such containers are in \
      docversions/containers in $XDG_DATA_HOME, by default in ~/.local/share. The documents are in the folder Documents \
      of the container, and data of the app beside it.
      """,
    subcommands: [Init.self, Create.self, Path.self, List.self])

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
      try folder?.refuseUnlessFolder()
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

  /// Makes the container of an identifier.
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Make the container of an identifier, unless it is there.",
      discussion: """
        Add a remote to sync it:  docversions remote add origin ADDRESS --in FOLDER

        --name, --public and --folder-levels declare how programs that list containers show it, on this device; each \
        of them replaces what was declared before.

        JSON: {"container", "documents", "folderLevels", "identifier", "name", "public"}.
        """)

    /// The forms of ``ContainerDeclaration/FolderLevels`` that can be typed.
    enum FolderLevels: String, ExpressibleByArgument, CaseIterable {
      case none
      case one
      case any

      var declared: ContainerDeclaration.FolderLevels {
        switch self {
        case .none: .none
        case .one: .one
        case .any: .any
        }
      }
    }

    @Argument(help: "The identifier, such as org.example.notes.")
    var identifier: String

    @Option(help: "The name that is shown to the user; by default the identifier.")
    var name: String?

    @Flag(name: .customLong("public"), help: "Its documents are shown to the user.")
    var isPublic = false

    @Option(help: "The folders in it that are shown: none, one or any level.")
    var folderLevels: FolderLevels?

    @OptionGroup var output: OutputOptions

    func run() throws {
      let containers = try UbiquityContainers.ofUser()
      let store = try output.store()
      let container = try containers.url(forUbiquityContainerIdentifier: identifier, in: store)
      if name != nil || isPublic || folderLevels != nil {
        try containers.declare(
          ContainerDeclaration(
            name: name, isDocumentScopePublic: isPublic,
            supportedFolderLevels: (folderLevels ?? FolderLevels.none).declared),
          forUbiquityContainerIdentifier: identifier, in: store)
      }
      let report = UbiquityContainerReport(
        identifier, container, try containers.declaration(ofExisting: identifier))
      try Console.answer(
        report, asJSON: output.isJSON,
        ["Documents of \(identifier) are kept in \(Printable.text(report.documents))"])
    }
  }

  /// Writes the path of a container.
  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Write the folder of a container with an identifier.",
      discussion: """
        Without such a container, the command fails.

        JSON: {"container", "documents", "folderLevels", "identifier", "name", "public"}.
        """)

    @Argument(help: "The identifier.")
    var identifier: String

    @OptionGroup var output: OutputOptions

    func run() throws {
      let containers = try UbiquityContainers.ofUser()
      guard let container = try containers.existing(identifier) else {
        throw CommandFailure(
          .notFound, code: "no-such-container", "There is no container “\(identifier)” yet.",
          hint: "Make it:  docversions container create \(identifier)")
      }
      let report = UbiquityContainerReport(
        identifier, container, try containers.declaration(ofExisting: identifier))
      try Console.answer(report, asJSON: output.isJSON, [Printable.text(report.container)])
    }
  }

  /// Lists the containers that have identifiers.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the containers with identifiers.",
      discussion: """
        JSON: {"containers": [{"container", "documents", "folderLevels", "identifier", "name", "public"}]}.
        """)

    @OptionGroup var output: OutputOptions

    func run() throws {
      let containers = try UbiquityContainers.ofUser()
      let reports = try containers.existingIdentifiers().map { identifier in
        UbiquityContainerReport(
          identifier, containers.folder.appending(path: identifier, directoryHint: .isDirectory),
          try containers.declaration(ofExisting: identifier))
      }
      var table = Table()
      table.rows = reports.map {
        [
          Table.Cell($0.identifier), Table.Cell(Printable.text($0.name ?? "")),
          Table.Cell($0.isPublic ? "public" : "") { $0.asMuted },
          Table.Cell(Printable.text($0.container), room: .yielding),
        ]
      }
      let lines =
        reports.isEmpty
        ? ["No containers yet. Make one:  docversions container create IDENTIFIER".asMuted]
        : table.lines()
      try Console.answer(["containers": reports], asJSON: output.isJSON, lines)
    }
  }
}

extension UbiquityContainers {
  /// Returns the containers of this user: in `$XDG_DATA_HOME` if that is an absolute path, else in
  /// `~/.local/share`.
  fileprivate static func ofUser() throws -> UbiquityContainers {
    let named = Settings.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let data = named ?? Settings.variable("HOME").map({ $0 + "/.local/share" }) else {
      throw CommandFailure(
        .refused, code: "no-home", "There is no home folder in which containers could be.",
        hint: "Set XDG_DATA_HOME to a folder.")
    }
    return UbiquityContainers(in: URL(filePath: data).appending(path: "docversions/containers"))
  }
}
