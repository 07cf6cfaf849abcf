internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Exchanges versions with other devices through a folder.
struct ExchangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "exchange",
    abstract: "Exchange versions with other devices, through a folder that all can reach.",
    discussion: """
      Any folder will do that a syncing tool, a network or a stick carries between devices; it is made on \
      first use, and serves one folder of documents. A syncing tool must carry that folder only, and never \
      .docversions.

      Only documents in which something happened are listed. What has not arrived whole yet is left for a later \
      exchange.

      JSON: {"arriving", "container", "documents": [{"document", "failure", "former", "received", "sent", \
      "unresolvedConflicts"}], "folder", "received": {"bytes", "documents", "versions"}, "sent": {…}}.
      """)

  @Argument(help: "The folder to exchange through.", completion: .directory)
  var folder: DocumentArgument

  @Argument(
    help: "The folder with the documents; by default the current one.", completion: .directory)
  var container: DocumentArgument?

  @Flag(help: "Accept git and similar repositories inside packages.")
  var withRepositories = false

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    guard !folder.looksLikeAddress || FileManager.default.fileExists(atPath: folder.path) else {
      throw CommandFailure(
        .usage, code: VersionError.Code.invalidArgument.rawValue,
        "“\(folder.shown)” is the address of a repository; documents are exchanged through a folder.",
        hint:
          "Add it as a remote:  docversions remote add origin \(ShellWord.quoted(folder.shown))",
        path: folder.shown)
    }
    let place = container?.url ?? URL(filePath: ".")
    let isNew = !FileManager.default.fileExists(atPath: folder.path)
    var store = try coordination.impatient(identity.store())
    store.takesRepositories = withRepositories
    let outcome = try store.showingProgress(
      "Exchanging through", folder.shown, isJSON: options.isJSON
    ) { try $0.exchange(place, through: folder.url) }
    let report = ExchangeReport(
      place, through: folder.url, outcome,
      outcome.documents.map {
        ExchangeReport.Document(exchange: $0, failure: $0.failure.map { CommandFailure($0) })
      })
    let apart = try options.isJSON ? [] : NewFiles(below: place, in: store).containers
    try Console.answer(
      report, asJSON: options.isJSON, lines(report, FoldersApart(apart), isFolderNew: isNew))
    try outcome.reportFailures(isJSON: options.isJSON)
  }

  private func lines(
    _ report: ExchangeReport, _ apart: FoldersApart, isFolderNew: Bool
  ) -> [String] {
    let isMade = isFolderNew && FileManager.default.fileExists(atPath: folder.path)
    return (isMade ? ["Made a new folder for exchange: \(folder.shown)"] : [])
      + ExchangeListing(report: report).lines
      // Each needs a separate exchange folder, because two folders of documents that exchange through one
      // become the same.
      + apart.lines { inner in
        let name = URL(filePath: inner.path).lastPathComponent
        return "exchange \(ShellWord.path("\(folder.path)-\(name)")) \(inner.word)"
      }
  }
}

extension DocumentArgument {
  /// True if it looks like the address of a repository: `https://…`, `user@host:…`.
  fileprivate var looksLikeAddress: Bool {
    let start = path.prefix { $0 != "/" }
    guard let colon = start.firstIndex(of: ":") else { return false }
    let at: Character = "@"
    return path[colon...].hasPrefix("://") || start[..<colon].contains(at)
  }
}
