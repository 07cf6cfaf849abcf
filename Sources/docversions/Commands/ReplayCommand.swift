internal import ArgumentParser
internal import DocumentScenarios
internal import DocumentVersions
internal import Foundation

/// Replays conflict scenarios, and tells whether everything goes as they say.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "replay", abstract: "Replay conflict scenarios with real documents and stores.",
    discussion: """
      A scenario is a folder with a file named “scenario”, a story in which every line is one step, and beside \
      it the contents that documents have in the story, as files and folders:

        # Two people change one list.
        devices  mira tom
        mira     saves list.md from base.md
        exchange
        mira     saves list.md from mira.md
        tom      saves list.md from tom.md
        exchange
        expect   list.md has 1 conflict on mira, tom

      All that can be written is in the article “Scenarios” of the project, in \
      Sources/DocumentVersions/DocumentVersions.docc/Scenarios.md.

      All scenarios at and below the given folders are replayed. What a scenario names as contents is contents: \
      no scenario is looked for in there.

      The exit code is 0 when everything goes as told, 1 when something does not, 2 when a line of a scenario \
      can't be understood, 3 when a path is missing or has no scenario, and 5 when the system does not \
      let something be read; where several are so, it is the highest. What can be replayed is, in any case.

      JSON: {"kept", "scenarios": [{"asTold", "error", "name", "path", "steps": [{"found", "line", "text", \
      "verdict"}], "title"}]}. Of a scenario that can't be read, "error" is {"code", "hint", "message", "path"}; \
      of others it is null.
      """)

  @Argument(help: "Scenario folders, or folders above some.", completion: .directory)
  var paths: [DocumentArgument]

  @Flag(name: .shortAndLong, help: "Tell only what does not go as told, and the summary.")
  var quiet = false

  @Flag(help: "Keep the devices' folders afterwards, and say where they are.")
  var keep = false

  @Flag(name: .customLong("json"), help: "Answer with one JSON object.")
  var isJSON = false

  func run() throws {
    try Docversions.wait { try await replayAll() }
  }

  private func replayAll() async throws {
    let scratch = FileManager.default.temporaryDirectory
      .appending(
        path: "docversions-replay-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    var tally = Tally()
    for path in paths {
      let search = ScenarioSearch(at: path.url)
      for found in search.found { try await replay(found, in: scratch, &tally) }
      for failure in search.failures { tell(failure, &tally) }
    }
    if !keep { try FileManager.default.removeItem(at: scratch) }
    let kept = keep ? scratch.path : nil
    if isJSON {
      try Console.print(json: ReplayJSON(scenarios: tally.stories, kept: kept))
    } else {
      if !tally.stories.isEmpty { Console.print(tally.summary) }
      if let kept { Console.print("The devices’ folders:  ".asQuiet + Printable.text(kept)) }
    }
    if tally.status != .done { throw tally.status }
  }

  private func replay(
    _ found: Result<Scenario, ScenarioError>, in scratch: URL, _ tally: inout Tally
  ) async throws {
    switch found {
    case .failure(let error):
      tally.add(error)
      // A program finds it in the answer, where the scenario would be.
      if !isJSON { Failure(error).report(isJSON: false) }
    case .success(let scenario):
      let stage = scratch.appending(
        path: "\(tally.stories.count + 1)-\(scenario.folder.lastPathComponent)")
      let report = try await ScenarioRunner(scratch: stage).run(scenario)
      tally.add(report)
      if !isJSON && !(quiet && report.isAsTold) { print(report) }
      // Where its first step failed, there is none.
      if !keep, FileManager.default.fileExists(atPath: stage.path) {
        try FileManager.default.removeItem(at: stage)
      }
    }
  }

  private func tell(_ error: ScenarioError, _ tally: inout Tally) {
    let failure = Failure(error)
    tally.add(failure.status)
    failure.report(isJSON: isJSON)
  }

  private func print(_ report: ScenarioReport) {
    Console.print(Printable.text(report.scenario.name).asHeading)
    Console.print("  " + Printable.text(report.scenario.title))
    for step in report.steps {
      if quiet && step.verdict == .passed { continue }
      let line = String(step.line)
      let number = String(repeating: " ", count: max(0, 5 - line.count)) + line
      Console.print("\(number.asQuiet) \(step.verdict.mark) \(Printable.text(step.text))")
      if case .failed(let found) = step.verdict {
        Console.print("        found: ".asOpen + Printable.text(found))
      }
    }
    let failed = report.steps.count { $0.verdict.isFailure }
    let verdict = "  \(Wording.count(report.steps.count, "step")), "
    Console.print(verdict + (failed == 0 ? "as told".asGood : "\(failed) not as told".asOpen))
    Console.print()
  }
}

/// What has come of the scenarios so far.
private struct Tally {
  private(set) var stories: [ReplayJSON.Story] = []
  private(set) var status = ExitStatus.done

  mutating func add(_ report: ScenarioReport) {
    stories.append(ReplayJSON.Story(report))
    if !report.isAsTold { add(.conflictsRemain) }
  }

  mutating func add(_ error: ScenarioError) {
    stories.append(ReplayJSON.Story(error))
    add(Failure(error).status)
  }

  /// Notes how something ended: the highest code says most.
  mutating func add(_ status: ExitStatus) {
    if status.rawValue > self.status.rawValue { self.status = status }
  }

  /// "3 scenarios, 41 steps, 1 scenario not as told, 1 can’t be read".
  var summary: String {
    let unread = stories.count { $0.error != nil }
    let wrong = stories.count { !$0.asTold } - unread
    var parts = [
      Wording.count(stories.count, "scenario"),
      Wording.count(stories.map(\.steps.count).reduce(0, +), "step"),
    ]
    if wrong > 0 { parts.append("\(Wording.count(wrong, "scenario")) not as told".asOpen) }
    if unread > 0 { parts.append("\(Wording.count(unread, "scenario")) can’t be read".asOpen) }
    if wrong + unread == 0 { parts.append("all as told".asGood) }
    return parts.joined(separator: ", ")
  }
}

extension Failure {
  /// Tells why a scenario can't be read or found.
  init(_ error: ScenarioError) {
    let (status, hint): (ExitStatus, String) =
      switch error.code {
      case .noScenario:
        (.notFound, "A scenario is a folder with a file named “\(Scenario.fileName)”.")
      case .unreadable: (.refused, "See who may:  ls -ld \(ShellWord.quoted(error.file))")
      default: (.usage, "How scenarios are written:  docversions help replay")
      }
    self.init(
      status, code: error.code.rawValue, error.description, hint: hint, path: error.file)
  }
}

extension StepReport.Verdict {
  fileprivate var mark: String {
    switch self {
    case .passed: "✓".asGood
    case .failed: "✗".asError
    case .notReached: "·".asQuiet
    }
  }

  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
