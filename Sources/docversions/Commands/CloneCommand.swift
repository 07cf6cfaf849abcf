internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Makes a folder with all documents of a git repository.
struct CloneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "clone",
    abstract: "Create a folder with the documents of a git repository, as a new device.",
    discussion: """
      The repository becomes the folder’s remote, under the name origin. If the connection breaks, continue with \
      “docversions sync” in the folder.

      JSON: as that of sync.
      """)

  @Argument(help: "The address of the repository, or its path.")
  var address: AddressArgument

  @Argument(help: "A new or an empty folder.", completion: .directory)
  var folder: DocumentArgument

  @Flag(
    help: """
      Allow a folder with files: a file that is a version of the document with its name becomes that document and \
      gets its newest contents; other files stay unchanged.
      """)
  var intoExisting = false

  @Flag(help: "Only list the documents, until they are downloaded; also those that come later.")
  var lazy = false

  @Flag(help: "Accept git and similar repositories inside packages.")
  var withRepositories = false

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func run() throws {
    var store = try identity.store()
    store.takesRepositories = withRepositories
    let remote = try Remote(name: "origin", address: address.text, isShared: true)
    let access = RemoteSettings.access(isJSON: options.isJSON)
    let outcome = try store.showingProgress(
      "Cloning", Printable.text(address.text), isJSON: options.isJSON, asking: true
    ) {
      try $0.clone(
        remote, to: folder.url, takingFiles: intoExisting, listing: lazy, access: access)
    }
    try SyncAnswer(
      place: folder.url, remote: remote, outcome: outcome,
      notDownloaded: store.documentsNotDownloaded(below: folder.url)
    ).give(isJSON: options.isJSON)
  }
}
