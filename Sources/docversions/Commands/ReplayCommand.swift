internal import ArgumentParser
internal import DocumentScenarios
internal import DocumentVersions
internal import Foundation

/// Replays conflict scenarios, and tells whether everything goes as they say.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "replay", abstract: "Replay conflict scenarios with real documents and stores.",
    discussion: """
      A scenario is a folder with a file named “scenario”, a story in which every line is one step, and beside \
      it the contents that documents have in the story. All scenarios at or below the given folders are \
      replayed.

      The exit code is 0 when everything goes as told, 1 when something does not, 2 when a scenario can't be \
      read, and 3 when there is none.

      JSON: {"kept", "scenarios": [{"asTold", "name", "path", "steps": [{"found", "line", "text", \
      "verdict"}], "title"}]}.
      """)

  @Argument(help: "Scenario folders, or folders above some.", completion: .directory)
  var paths: [DocumentArgument]

  @Flag(name: .shortAndLong, help: "Tell only what does not go as told, and the summary.")
  var quiet = false

  @Flag(help: "Keep the devices' folders afterwards, and say where they are.")
  var keep = false

  @Flag(name: .customLong("json"), help: "Answer with one JSON object.")
  var isJSON = false

  func run() async throws {
    let scenarios = try scenarios()
    let scratch = FileManager.default.temporaryDirectory
      .appending(
        path: "docversions-replay-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    var reports: [ScenarioReport] = []
    for (index, scenario) in scenarios.enumerated() {
      let stage = scratch.appending(path: "\(index + 1)-\(scenario.folder.lastPathComponent)")
      let report = try await ScenarioRunner(scratch: stage).run(scenario)
      reports.append(report)
      if !isJSON && !(quiet && report.isAsTold) { print(report) }
      if !keep { try FileManager.default.removeItem(at: stage) }
    }
    if !keep { try FileManager.default.removeItem(at: scratch) }
    if isJSON {
      try Console.print(json: ReplayJSON(reports, kept: keep ? scratch.path : nil))
    } else {
      summarise(reports)
      if keep { Console.print("The devices’ folders:  ".asQuiet + Printable.text(scratch.path)) }
    }
    if reports.contains(where: { !$0.isAsTold }) { throw ExitStatus.conflictsRemain }
  }

  /// All scenarios, read before the first one is replayed.
  private func scenarios() throws -> [Scenario] {
    let folders = paths.flatMap { Scenario.folders(below: $0.url) }
    guard !folders.isEmpty else {
      let places = Wording.list(paths.map { "“\($0.shown)”" })
      throw Failure(
        .notFound, code: ScenarioError.Code.noScenario.rawValue,
        "There is no scenario in \(places).",
        hint: "A scenario is a folder with a file named “\(Scenario.fileName)”.")
    }
    do {
      return try folders.map(Scenario.init)
    } catch let error as ScenarioError {
      throw Failure(.usage, code: error.code.rawValue, error.description, path: error.file)
    }
  }

  // MARK: Telling

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

  private func summarise(_ reports: [ScenarioReport]) {
    let steps = reports.map(\.steps.count).reduce(0, +)
    let wrong = reports.count { !$0.isAsTold }
    let verdict =
      wrong == 0
      ? "all as told".asGood : "\(Wording.count(wrong, "scenario")) not as told".asOpen
    Console.print(
      "\(Wording.count(reports.count, "scenario")), \(Wording.count(steps, "step")), \(verdict)")
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

  fileprivate var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .notReached: "not-reached"
    }
  }
}

/// What a replay came to.
private struct ReplayJSON: Encodable {
  struct Step: Encodable {
    let line: Int
    let text, verdict: String
    @Nullable var found: String?
  }

  struct Story: Encodable {
    let name, path, title: String
    let asTold: Bool
    let steps: [Step]
  }

  let scenarios: [Story]
  @Nullable var kept: String?

  init(_ reports: [ScenarioReport], kept: String?) {
    scenarios = reports.map { report in
      Story(
        name: report.scenario.name, path: report.scenario.folder.absoluteURL.path,
        title: report.scenario.title, asTold: report.isAsTold, steps: report.steps.map(Step.init))
    }
    _kept = Nullable(wrappedValue: kept)
  }
}

extension ReplayJSON.Step {
  fileprivate init(_ step: StepReport) {
    var found: String?
    if case .failed(let text) = step.verdict { found = text }
    self.init(line: step.line, text: step.text, verdict: step.verdict.name, found: found)
  }
}
