internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Downloads documents that are on other devices.
struct DownloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "download",
    abstract: "Get documents that are listed, and not on this device yet.",
    discussion: """
      After “docversions sync --lazy” or “clone --lazy”, documents that are new here are only listed; status names \
      them. What is downloaded is in step from then on. It is a sync, so other documents are exchanged as well. It may be \
      interrupted and run again.

      JSON: as that of sync.
      """)

  @Argument(help: "Documents, or folders with documents.")
  var paths: [DocumentArgument]

  @Option(
    name: .customLong("from"), help: "The remote; by default the first one that has the document.")
  var remote: String?

  @Flag(help: "Accept git and similar repositories inside packages.")
  var withRepositories = false

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    var store = try coordination.impatient(identity.store())
    store.takesRepositories = withRepositories
    guard let first = paths.first else { return }
    let title = paths.count == 1 ? first.shown : Wording.count(paths.count, "document")
    try first.explaining {
      let access = RemoteSettings.access(isJSON: options.isJSON)
      let outcome = try store.showingProgress(
        "Downloading", title, isJSON: options.isJSON, asking: true
      ) { try $0.download(paths.map(\.url), from: remote, access: access) }
      let place = first.isFolder ? first.url : first.url.deletingLastPathComponent()
      let remotes = try store.remotes(of: place)
      guard let chosen = remotes.first(where: { $0.name == outcome.remote }) else { return }
      try SyncAnswer(place: place, remote: chosen, outcome: outcome).give(isJSON: options.isJSON)
    }
  }
}
