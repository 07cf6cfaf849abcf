internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Removes the contents of old versions from this device, as rules say.
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
    // Only now: an option that is misspelled is told as such.
    guard !policy.isEmpty else {
      throw Failure(
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
      if !options.isJSON { report(outcome, of: file, Moment(now: store.clock())) }
      return ThinnedJSON(outcome)
    }
    if options.isJSON { try results.printJSON("thinned", of: files) }
    try results.finish()
  }

  private func report(_ outcome: ThinOutcome, of file: DocumentArgument, _ moment: Moment) {
    var table = Table()
    table.rows = outcome.decisions.map { decision in
      let version = decision.version
      return [
        Table.Cell(decision.isKept ? "keep" : "remove") { decision.isKept ? $0 : $0.asRemoved },
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(moment.text(version.savingDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(Wording.size(version.size)) { $0.asQuiet },
        Table.Cell(decision.reasons.map(\.rawValue).joined(separator: ", ")) { $0.asQuiet },
      ]
    }
    for line in table.lines() { Console.print(line) }
    let verb = options.isDryRun ? "Would thin" : "Thinned"
    Console.print(
      """
      \(verb) \(file.shown): \(Wording.count(outcome.kept.count, "version")) kept, \
      \(outcome.removed.count) removed from this device.
      """)
    if !outcome.removed.isEmpty && !options.isDryRun { Console.print(file.undoLine) }
  }
}

/// The rules of ``ThinCommand``, with restic's names.
struct RetentionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Keep the last N versions.", valueName: "n"))
  var keepLast: Int?

  @Option(help: ArgumentHelp("Keep one version of each of the last N hours.", valueName: "n"))
  var keepHourly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N days.", valueName: "n"))
  var keepDaily: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N weeks.", valueName: "n"))
  var keepWeekly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N months.", valueName: "n"))
  var keepMonthly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N years.", valueName: "n"))
  var keepYearly: Int?

  @Option(help: ArgumentHelp("Keep all versions within a time.", valueName: "duration"))
  var keepWithin: SpanArgument?

  @Option(help: ArgumentHelp("Keep one of each hour within a time.", valueName: "duration"))
  var keepWithinHourly: SpanArgument?

  @Option(help: ArgumentHelp("Keep one of each day within a time.", valueName: "duration"))
  var keepWithinDaily: SpanArgument?

  @Option(help: ArgumentHelp("Keep one of each week within a time.", valueName: "duration"))
  var keepWithinWeekly: SpanArgument?

  @Option(help: ArgumentHelp("Keep one of each month within a time.", valueName: "duration"))
  var keepWithinMonthly: SpanArgument?

  @Option(help: ArgumentHelp("Keep one of each year within a time.", valueName: "duration"))
  var keepWithinYearly: SpanArgument?

  func validate() throws {
    let counts = [keepLast, keepHourly, keepDaily, keepWeekly, keepMonthly, keepYearly]
    guard counts.allSatisfy({ $0 ?? 0 >= 0 }) else {
      throw ValidationError("How many to keep can’t be less than nothing.")
    }
  }

  var policy: RetentionPolicy {
    var policy = RetentionPolicy(
      last: keepLast ?? 0, hourly: keepHourly ?? 0, daily: keepDaily ?? 0,
      weekly: keepWeekly ?? 0, monthly: keepMonthly ?? 0, yearly: keepYearly ?? 0,
      within: keepWithin?.span)
    policy.spans[.hour] = keepWithinHourly?.span
    policy.spans[.day] = keepWithinDaily?.span
    policy.spans[.week] = keepWithinWeekly?.span
    policy.spans[.month] = keepWithinMonthly?.span
    policy.spans[.year] = keepWithinYearly?.span
    return policy
  }
}

/// A time such as `2y5m7d3h`, as the person typed it.
struct SpanArgument: ExpressibleByArgument {
  let span: RetentionSpan

  init?(argument: String) {
    guard let span = RetentionSpan(argument) else { return nil }
    self.span = span
  }
}

/// `{"document", "kept", "removed"}`: the path; the versions that are kept, each with the reasons; and those that
/// were removed.
private struct ThinnedJSON: Encodable {
  struct Kept: Encodable {
    let version: VersionJSON
    let reasons: [RetentionReason]
  }

  let document: String
  let kept: [Kept]
  let removed: [VersionJSON]

  init(_ outcome: ThinOutcome) {
    document = outcome.document.path
    kept = outcome.decisions.filter(\.isKept).map {
      Kept(version: VersionJSON($0.version), reasons: $0.reasons)
    }
    removed = outcome.removed.map(VersionJSON.init)
  }
}
