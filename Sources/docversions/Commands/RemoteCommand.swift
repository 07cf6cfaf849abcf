internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Adds, lists and removes the git repositories that a folder of documents is synced with.
struct RemoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote",
    abstract: "Add, list or remove git repositories to sync with.",
    discussion: """
      Any git repository will do that is reached by ssh, https, git or as a folder; an empty one is best. \
      The people who run its host can read every document.

      Without a subcommand, the remotes are listed.
      """,
    subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

  /// The folder of documents, and the form of the answer.
  struct Place: ParsableArguments {
    @OptionGroup var container: FolderOption

    @OptionGroup var output: OutputOptions

    var url: URL { container.url }
  }

  /// Adds a remote.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a git repository, without connecting to it.",
      discussion: """
        Addresses are https://host/path, ssh://user@host:port/path, user@host:path, git://host/path and \
        file:///path; the path of a folder will do, too. A password in an address is refused: git’s credential helpers know it, or it is asked for.

        JSON: {"address", "lastSync", "name", "private": […], "shared"}.
        """)

    @Argument(help: "A name for the repository, such as origin.")
    var name: String

    @Argument(help: "The address of the repository, or its path.")
    var address: AddressArgument

    @Flag(help: "Allow a repository with other contents, such as source code.")
    var shared = false

    @OptionGroup var place: Place

    func run() throws {
      let store = try place.output.store()
      let remote = try Remote(name: name, address: address.text, isShared: shared)
      try store.makeContainer(place.url)
      try store.addRemote(remote, to: place.url)
      let documents = try store.privateDocuments(below: place.url).map { DocumentArgument($0) }
      var lines = ["Added \(remote.name): \(Printable.text(remote.address))"]
      if !remote.isFolder {
        lines.append(
          "The people who run that host can read the documents that are synced with it.".asMuted)
      }
      if remote.address.lowercased().hasPrefix("http:") {
        lines.append(
          "http:// is not encrypted: passwords and documents travel in clear. Use https:// or ssh.")
      }
      if !documents.isEmpty {
        lines.append(
          "On this device only you can read \(documents.names()); there they are no more private than the rest."
        )
      }
      let report = RemoteReport(remote, privateDocuments: documents.map(\.absolutePath))
      try Console.answer(report, asJSON: place.output.isJSON, lines)
    }
  }

  /// Lists the remotes.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the remotes; the first one is the default.",
      discussion: """
        JSON: {"container", "remotes": [{"address", "lastSync", "name", "shared"}]}.
        """)

    @OptionGroup var place: Place

    func run() throws {
      let store = try place.output.store()
      let remotes = try store.remotes(of: place.url)
      var table = Table()
      table.rows = remotes.map { remote in
        let time = remote.lastSync.map { "synced " + ReadableTime(now: store.clock()).text($0) }
        return [
          Table.Cell(remote.name), Table.Cell(Printable.text(remote.address), room: .yielding),
          Table.Cell(time ?? "never synced") { $0.asMuted },
        ]
      }
      let lines =
        remotes.isEmpty
        ? ["No remotes yet. Add one:  docversions remote add origin ADDRESS".asMuted]
        : table.lines()
      try Console.answer(
        RemotesReport(container: place.url, remotes), asJSON: place.output.isJSON, lines)
    }
  }

  /// Removes a remote.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a remote; the repository stays unchanged.",
      discussion: """
        Documents that only this remote has, and that are not downloaded, leave the list; they are named.

        JSON: {"address", "lastSync", "name", "shared", "unlisted": […]}.
        """)

    @Argument(help: "The name of the remote.")
    var name: String

    @OptionGroup var place: Place

    func run() throws {
      let store = try place.output.store()
      let remote = try store.remotes(of: place.url).first { $0.name == name }
      let before = try store.documentsNotDownloaded(below: place.url)
      try store.removeRemote(named: name, from: place.url)
      guard let remote else { return }
      let left = Set(try store.documentsNotDownloaded(below: place.url).map(\.document))
      let unlisted = before.filter { !left.contains($0.document) }
        .map { DocumentArgument($0.document) }
      var lines = [
        "Removed \(remote.name). What was published at \(Printable.text(remote.address)) stays there."
      ]
      if !unlisted.isEmpty {
        lines.append(
          unlisted.count == 1
            ? "1 document that is not downloaded left the list with it:"
            : "\(unlisted.count) documents that are not downloaded left the list with it:")
        lines += unlisted.map { "  " + $0.shown }
      }
      try Console.answer(
        RemoteReport(remote, unlisted: unlisted.map(\.absolutePath)), asJSON: place.output.isJSON,
        lines)
    }
  }
}
