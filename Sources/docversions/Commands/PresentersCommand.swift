internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the programs that have documents open, and the messages that passed between programs.
struct PresentersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "presenters",
    abstract: "List which programs have documents open, and the requests they received.",
    discussion: """
      A program that has a document open saves it before another one reads or changes it, and shows afterwards what was \
      done. The last messages about that are listed below the programs, the newest last.

      JSON: {"messages": [{"access", "failure", "from", "items", "kind", "milliseconds", "number", "target", "time", \
      "to"}], "programs": [{"items", "name", "process", "stopped"}]}.
      """)

  @Argument(help: "A document or a folder; by default the current one.")
  var path: DocumentArgument?

  @Option(help: ArgumentHelp("The number of messages to list.", valueName: "number"))
  var messages = 20

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard messages >= 0 else { throw ValidationError("--messages is a number from 0.") }
  }

  func run() throws {
    let url = path?.url ?? URL(filePath: ".")
    let programs = try PresenterListing.programs(at: url)
    let messages = try PresenterListing.messages(at: url, newest: messages)
    guard !programs.isEmpty || !messages.isEmpty || url.isThere
    else {
      throw CommandFailure(
        .notFound, code: FileError.Code.notFound.rawValue,
        "There is no document or folder “\(path?.shown ?? ".")”.", path: path?.path ?? ".")
    }
    let report = PresentersReport(programs, messages)
    try Console.answer(
      report, asJSON: output.isJSON,
      PresentersText(base: url).lines(report, ReadableTime(now: Date())))
  }
}
