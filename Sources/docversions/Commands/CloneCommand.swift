internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Makes a folder with all documents of a git repository.
struct CloneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "clone",
    abstract: "Make a folder with the documents of a git repository: a new device.",
    discussion: """
      The repository becomes the folder’s remote, under the name origin. Where the connection is cut, go on with \
      “docversions sync” in the folder.

      JSON: as that of sync.
      """)

  @Argument(help: "The address of the repository.")
  var address: String

  @Argument(help: "A new or an empty folder.", completion: .directory)
  var folder: DocumentArgument

  @Flag(
    help: """
      There may be files in the folder: those that are versions of a document with their name become that document and get \
      its newest contents; the others stay as they are.
      """)
  var intoExisting = false

  @Flag(help: "Take repositories of git and the like that arrive inside packages.")
  var withRepositories = false

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func run() throws {
    var store = try identity.store()
    store.takesRepositories = withRepositories
    let remote = try Remote(name: "origin", address: address, isShared: true)
    let access = RemoteSettings.access(isJSON: options.isJSON)
    let outcome = try store.showingProgress(
      "Cloning", Printable.text(address), isJSON: options.isJSON, asking: true
    ) { try $0.clone(remote, to: folder.url, takingFiles: intoExisting, access: access) }
    try SyncAnswer(place: folder.url, remote: remote, outcome: outcome)
      .give(isJSON: options.isJSON)
  }
}
