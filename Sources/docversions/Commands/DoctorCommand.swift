internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Repairs the stores of documents.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "doctor",
    abstract: "Report how damaged stores can be repaired, and repair them.",
    discussion: """
      Without --repair, nothing is changed; the report has the first steps, and more may follow. No version is \
      deleted, and no document is changed: damaged files are moved to “quarantine” in the store, and the files that \
      list the versions are copied to “backup” first.

      Exit code: 0 nothing is left to repair, 1 --repair would repair something, 6 something can't be repaired.

      JSON: {"documents": [{"backup", "document", "losses": [{"code", "file", "message", "severity", \
      "versions"}], "repaired", "steps": [{"code", "file", "message"}]}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @Flag(help: "Repair, instead of reporting what would be done.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "An exchange folder from which to restore lost contents.",
      valueName: "folder"), completion: .directory)
  var from: DocumentArgument?

  @Flag(help: "Add unreachable versions as conflict versions.")
  var findLost = false

  @Flag(help: "Check that damage is detected here, and that the file system is suitable.")
  var selfTest = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    if selfTest { return try runSelfTest() }
    var store = try options.store()
    store.isDryRun = !repair
    var choices = RepairOptions()
    choices.findsLost = findLost
    let documents = try DocumentSearch(store: store).documents(at: paths)
    var results = EachDocument(isJSON: options.isJSON).run(documents) { document in
      let outcome = try repairing(document, store, choices)
      let report = RepairReport(outcome, isDone: repair)
      if !options.isJSON {
        let text = RepairText(file: document, source: from, findsLost: findLost)
        Console.print(lines: text.lines(report))
      }
      return report
    }
    if options.isJSON { try Console.print(json: ["documents": results.values]) }
    if documents.isEmpty, !options.isJSON {
      Console.print(lines: FoldersApart.linesWithoutDocuments(at: paths, for: "doctor"))
    }
    if results.values.contains(where: { !$0.losses.isEmpty }) { results.add(.damaged) }
    if !repair, results.values.contains(where: { !$0.steps.isEmpty }) {
      results.add(.repairsRemain)
    }
    try results.finish()
  }

  private func repairing(
    _ document: DocumentArgument, _ store: SynchronousStore, _ choices: RepairOptions
  ) throws -> Repair {
    do {
      return try store.showingProgress("Examining", document.shown, isJSON: options.isJSON) {
        guard let from else { return try $0.repair(document.url, options: choices) }
        return try $0.repair(document.url, from: from.url, options: choices)
      }
    } catch is CancellationError where repair {
      throw CommandFailure(
        Signals.status, code: "interrupted",
        "interrupted; every step that was done is whole, and the rest is as it was",
        hint: "Go on:  docversions doctor --repair \(document.word)")
    }
  }

  private func runSelfTest() throws {
    let outcome = try options.store().selfTest(in: DocumentSearch.folder(of: paths.first))
    let checks = outcome.checks.map(CheckReport.init)
    try Console.answer(["checks": checks], asJSON: options.isJSON, checks.map(\.line))
    if !outcome.isPassed { throw ExitStatus.damaged }
  }
}
