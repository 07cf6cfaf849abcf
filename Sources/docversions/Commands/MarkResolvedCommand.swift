internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Marks conflict versions as resolved in favour of the current one.
struct MarkResolvedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "mark-resolved",
    abstract: "Mark conflict versions as resolved; they stay in the history.",
    discussion: """
      The current version stays the document’s contents. To combine versions, use resolve.

      JSON: {"document", "marked", "version"}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("Versions in an unresolved conflict.", valueName: "version"))
  var versions: [VersionArgument]

  @OptionGroup var options: ChangeOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let history = try store.history(of: file.url)
      let found = try versions.versions(in: history, for: store)
      let open = found.filter { $0.isConflict && !$0.isResolved }
      let current = try store.showingProgress(
        "Marking versions of", file.shown, isJSON: options.isJSON
      ) { try $0.markResolved(found, of: file.url) }
      guard !options.isJSON else {
        try Console.print(json: MarkedJSON(open, current: current))
        return
      }
      let names = Wording.list(open.map(\.shown))
      let verb = options.isDryRun ? "Would mark" : "Marked"
      Console.print(
        open.isEmpty
          ? "Nothing to mark: not in an unresolved conflict."
          : "\(verb) \(names) of \(file.shown) as resolved; current is \(current.shown).")
      if !open.isEmpty && !options.isDryRun { Console.print(file.undoLine) }
    }
  }
}

/// `{"document", "marked", "version"}`: the path, the identifiers of the versions that were unresolved, and
/// the current version afterwards.
private struct MarkedJSON: Encodable {
  let document: String
  let marked: [String]
  let version: VersionJSON

  init(_ marked: [FileVersion], current: FileVersion) {
    document = current.documentURL.path
    self.marked = marked.map(\.id.description)
    version = VersionJSON(current)
  }
}
