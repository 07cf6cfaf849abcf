internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Repairs the stores of documents.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "doctor",
    abstract: "Tell what can be repaired in damaged stores, and repair it.",
    discussion: """
      Without --repair nothing is changed; what is told are the first steps, and what they bring to light may need \
      more. No version is ever deleted, and the document is never touched: what \
      is taken out of use goes to “quarantine” in the store, and what says which versions there are is copied \
      to “backup” there first.

      Exit code: 0 there is nothing left to repair, 1 something would be repaired, 6 something can't be.

      JSON: {"documents": [{"backup", "document", "losses": [{"code", "file", "message", "severity", \
      "versions"}], "repaired", "steps": [{"code", "file", "message"}]}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @Flag(help: "Repair, instead of telling what would be done.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "A folder for exchange that has the documents too: what is missing is taken from it.",
      valueName: "folder"), completion: .directory)
  var from: DocumentArgument?

  @Flag(help: "Put versions that nothing leads to beside the others, as conflict versions.")
  var findLost = false

  @Flag(help: "Try out that damage is found here, and that the file system will do.")
  var selfTest = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    if selfTest { return try runSelfTest() }
    var store = try options.store()
    store.isDryRun = !repair
    var choices = VersionStore.RepairOptions()
    choices.exchangeFolder = from?.url
    choices.findsLost = findLost
    let documents = try DocumentSearch(store: store).documents(at: paths)
    var results = EachDocument(isJSON: options.isJSON).run(documents) { document in
      let outcome = try repairing(document, store, choices)
      if !options.isJSON { print(outcome, of: document) }
      return RepairJSON(outcome, isDone: repair)
    }
    if options.isJSON { try Console.print(json: ["documents": results.values]) }
    if documents.isEmpty, !options.isJSON { Console.print("No document here has versions.") }
    if results.values.contains(where: { !$0.losses.isEmpty }) { results.add(.damaged) }
    if !repair, results.values.contains(where: { !$0.steps.isEmpty }) {
      results.add(.repairsRemain)
    }
    try results.finish()
  }

  private func repairing(
    _ document: DocumentArgument, _ store: VersionStore, _ choices: VersionStore.RepairOptions
  ) throws -> Repair {
    do {
      return try store.showingProgress("Examining", document.shown, isJSON: options.isJSON) {
        try $0.repair(document.url, options: choices)
      }
    } catch is CancellationError where repair {
      throw Failure(
        Signals.status, code: "interrupted",
        "interrupted; every step that was done is whole, and the rest is as it was",
        hint: "Go on:  docversions doctor --repair \(document.word)")
    }
  }

  private func print(_ outcome: Repair, of document: DocumentArgument) {
    let name = document.shown
    if outcome.steps.isEmpty, outcome.losses.isEmpty {
      return Console.print("\(name)  \("nothing to repair".asGood)")
    }
    let count = Wording.count(outcome.steps.count, "step")
    let state =
      outcome.steps.isEmpty
      ? "can’t be repaired from here".asError : repair ? "\(count) done" : "\(count) would be done"
    Console.print("\(name)  \(state)")
    for step in outcome.steps { Console.print("  \(step.message)") }
    for loss in outcome.losses { Console.print("  \("lost:".asError) \(loss.message)") }
    if let backup = outcome.backup {
      Console.print("  \("As it was before:".asQuiet)  \(Printable.text(backup.path))")
    }
    if !outcome.losses.isEmpty {
      Console.print("  Another device may have what is lost; a disk that flips bits will again.")
    }
    if !outcome.losses.isEmpty, from == nil {
      Console.print(
        "  \("Take it from there:".asQuiet)  docversions doctor --repair --from FOLDER \(document.word)"
      )
    }
    if !repair, !outcome.steps.isEmpty {
      Console.print("  \("Do it:".asQuiet)  docversions doctor --repair\(choices) \(document.word)")
    }
  }

  /// The options that say what is repaired, as they are typed.
  private var choices: String {
    (from.map { " --from \($0.word)" } ?? "") + (findLost ? " --find-lost" : "")
  }

  private func runSelfTest() throws {
    let outcome = try options.store().selfTest(in: DocumentSearch.folder(of: paths.first))
    if options.isJSON {
      try Console.print(json: ["checks": outcome.checks.map(CheckJSON.init)])
    } else {
      for check in outcome.checks {
        let state = check.isPassed ? "ok".asGood : "NO".asError
        let detail = check.detail.isEmpty ? "" : "  \(Printable.text(check.detail))".asQuiet
        Console.print("\(state)  \(Printable.text(check.name))\(detail)")
      }
    }
    if !outcome.isPassed { throw ExitStatus.damaged }
  }
}

/// `{"detail", "name", "passed"}`: what was tried, and how that went.
private struct CheckJSON: Encodable {
  let name, detail: String
  let passed: Bool

  init(_ check: SelfTest.Check) {
    name = check.name
    detail = check.detail
    passed = check.isPassed
  }
}

/// `{"backup", "document", "losses", "repaired", "steps"}`: where copies were put or null, the path, what can't be
/// repaired, whether the steps were done, and the steps.
private struct RepairJSON: Encodable {
  struct Step: Encodable {
    let code, message: String
    @Nullable var file: String?
  }

  let document: String
  @Nullable var backup: String?
  let repaired: Bool
  let steps: [Step]
  let losses: [VerificationJSON.Finding]

  init(_ outcome: Repair, isDone: Bool) {
    document = outcome.document.path
    backup = outcome.backup?.path
    repaired = isDone
    steps = outcome.steps.map {
      Step(code: $0.code.rawValue, message: $0.message, file: $0.file)
    }
    losses = outcome.losses.map(VerificationJSON.Finding.init)
  }
}
