internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Marks conflict versions as resolved in favor of the current one.
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
      let report = MarkReport(open, current: current)
      try Console.answer(
        report, asJSON: options.isJSON, report.lines(for: file, isDryRun: options.isDryRun))
    }
  }
}
