internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Removes the contents of old versions from this device, according to rules.
struct ThinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "thin", abstract: "Remove old versions from this device, by rules.",
    discussion: """
      Each rule adds to what is kept. Of an hour, a day, a week (from Monday) and so on, the newest version is \
      kept; N counts those that have a version at all. A DURATION such as 2y5m7d3h is measured back from the \
      newest version. Whatever the rules say, the current version, versions in an unresolved conflict and \
      their base, pinned versions, the one on disk, and versions made since the last exchange stay.

      JSON: {"document", "kept": [{"reasons", "version"}], "removed": […]}, under "thinned" for several documents.
      """)

  @Argument(help: ArgumentHelp("Documents.", valueName: "file"))
  var files: [DocumentArgument]

  @OptionGroup var rules: RetentionOptions
  @OptionGroup var options: ChangeOptions

  func run() throws {
    let store = try options.store()
    let policy = rules.policy
    // This is checked only now, so that the parser reports a misspelled option first.
    guard !policy.isEmpty else {
      throw CommandFailure(
        .usage, code: "usage", "Say what to keep, for example --keep-last 10 or --keep-daily 7.",
        hint: "List the rules:  docversions help thin")
    }
    let files = files.withoutRepetition
    let results = EachDocument(isJSON: options.isJSON).run(files) { file in
      let outcome = try file.explaining {
        try store.showingProgress("Thinning", file.shown, isJSON: options.isJSON) {
          try $0.thin(file.url, keeping: policy)
        }
      }
      let report = ThinReport(outcome)
      if !options.isJSON {
        let time = ReadableTime(now: store.clock())
        Console.print(lines: report.lines(for: file, time, isDryRun: options.isDryRun))
      }
      return report
    }
    if options.isJSON { try results.printJSON("thinned", of: files) }
    try results.finish()
  }
}
