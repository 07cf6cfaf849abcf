internal import ArgumentParser
internal import DocumentScenarios
internal import DocumentVersions
internal import Foundation

/// Replays conflict scenarios, and reports differences from them.
struct ReplayCommand: ParsableCommand {
  static let name = "replay"

  static let configuration = CommandConfiguration(
    subcommand: name, abstract: "Replay conflict scenarios with real documents and stores.",
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

      The article “Scenarios” of the documentation describes the whole language.

      All scenarios at and below the given folders are replayed. Folders that a scenario uses as contents are not \
      searched for scenarios.

      The exit code is 0 when every scenario passes, 1 when one fails, 2 when a line of a scenario can't be \
      understood, 3 when a path is missing or has no scenario, and 5 when a file can't be read; of several, it is the \
      highest. All scenarios that can be read are replayed in any case.

      JSON: {"kept", "scenarios": [{"error", "name", "passed", "path", "steps": [{"found", "line", "text", \
      "verdict"}], "title"}]}. Of a scenario that can't be read, "error" is {"code", "hint", "message", "path"}; \
      of others it is null.
      """)

  @Argument(help: "Scenario folders, or folders above some.", completion: .directory)
  var paths: [DocumentArgument]

  @Flag(name: .shortAndLong, help: "Print only the steps that failed, and the summary.")
  var quiet = false

  @Flag(help: "Keep the devices' folders, and print their location.")
  var keep = false

  @Flag(name: .customLong("json"), help: "Answer with one JSON object.")
  var isJSON = false

  func run() throws {
    try AsyncWork.wait { try await replayAll() }
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
      for failure in search.failures { report(failure, &tally) }
    }
    if !keep { try await remove(scratch) }
    let kept = keep ? scratch.path : nil
    if isJSON {
      try Console.print(json: ReplayReport(scenarios: tally.stories, kept: kept))
    } else {
      if !tally.stories.isEmpty { Console.print(tally.stories.summary) }
      if let kept { Console.print("The devices’ folders:  ".asMuted + Printable.text(kept)) }
    }
    if tally.status != .done { throw tally.status }
  }

  private func replay(
    _ found: Result<Scenario, ScenarioError>, in scratch: URL, _ tally: inout Tally
  ) async throws {
    switch found {
    case .failure(let error):
      tally.add(error)
      // A program finds the failure in the answer, in place of the scenario.
      if !isJSON { CommandFailure(error).report(isJSON: false) }
    case .success(let scenario):
      let stage = scratch.appending(
        path: "\(tally.stories.count + 1)-\(scenario.folder.lastPathComponent)")
      let report = try await ScenarioRunner(scratch: stage).run(scenario)
      tally.add(report)
      if !isJSON && !(quiet && report.hasPassed) {
        Console.print(lines: report.lines(isBrief: quiet))
      }
      // If the first step failed, there is no folder.
      if !keep, stage.isThere {
        try await remove(stage)
      }
    }
  }

  /// Removes a folder in which threads of the story's apps may still be closing files.
  private func remove(_ folder: URL) async throws {
    for _ in 0..<100 {
      do {
        return try FileManager.default.removeItem(at: folder)
      } catch {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    try FileManager.default.removeItem(at: folder)
  }

  private func report(_ error: ScenarioError, _ tally: inout Tally) {
    let failure = CommandFailure(error)
    tally.add(failure.status)
    failure.report(isJSON: isJSON)
  }
}

/// The outcome of the scenarios so far.
private struct Tally {
  private(set) var stories: [ReplayReport.Story] = []
  private(set) var status = ExitStatus.done

  mutating func add(_ report: ScenarioReport) {
    stories.append(ReplayReport.Story(report))
    if !report.hasPassed { add(.conflictsRemain) }
  }

  mutating func add(_ error: ScenarioError) {
    let failure = CommandFailure(error)
    stories.append(ReplayReport.Story(unreadable: error.file, failure))
    add(failure.status)
  }

  /// Records an exit code: the highest one counts.
  mutating func add(_ status: ExitStatus) {
    if status.rawValue > self.status.rawValue { self.status = status }
  }
}
