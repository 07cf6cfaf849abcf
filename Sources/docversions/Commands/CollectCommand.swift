internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Compacts stores.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "collect", abstract: "Compact stores, and drop contents that were removed.",
    discussion: """
      Saving compacts a store occasionally; this command makes it as small as possible. All kept contents are \
      checked first, and a damaged store stays unchanged. Removed versions can be restored with undelete until they \
      are older than the grace period.

      JSON: {"after", "before", "document", "forgotten", "objects"}, under "collected" unless one document is named.
      """)

  @Argument(help: ArgumentHelp("Documents, or folders with documents.", valueName: "path"))
  var paths: [DocumentArgument] = []

  @Option(help: ArgumentHelp("Keep removed contents for this number of days.", valueName: "days"))
  var grace = 14.0

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard (0...36_500).contains(grace) else {
      throw ValidationError("The grace time is a number of days, from 0 on.")
    }
  }

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store).documents(at: paths)
    let collected = EachDocument(isJSON: options.isJSON).run(documents) { document in
      let outcome = try store.showingProgress(
        "Collecting", document.shown, isJSON: options.isJSON
      ) { try $0.collect(document.url, grace: .seconds(grace * 86_400)) }
      let report = CollectReport(document.absolutePath, outcome)
      if !options.isJSON {
        Console.print(report.line(for: document, isDryRun: options.isDryRun))
      }
      return report
    }
    if documents.isEmpty, !options.isJSON {
      Console.print(lines: FoldersApart.linesWithoutDocuments(at: paths, for: "collect"))
    }
    // The answer for a folder is a list, however many documents it has.
    let areNamed = documents.map(\.path) == paths.map(\.path)
    if options.isJSON { try collected.printJSON("collected", of: areNamed ? paths : nil) }
    try collected.finish()
  }
}
