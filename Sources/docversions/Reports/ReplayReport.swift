internal import DocumentScenarios
internal import Foundation

/// Replayed scenarios: `{"kept", "scenarios"}`, the folder that was kept or null, and the scenarios.
struct ReplayReport: Encodable {
  struct Step: Encodable {
    let line: Int
    let text, verdict: String
    @Nullable var found: String?
  }

  struct Story: Encodable {
    let name, path, title: String
    let passed: Bool
    let steps: [Step]
    /// The failure to read the scenario.
    @Nullable var error: FailureReport?
  }

  let scenarios: [Story]
  @Nullable var kept: String?
}

extension ReplayReport.Story {
  init(_ report: ScenarioReport) {
    self.init(
      name: report.scenario.name, path: report.scenario.folder.absoluteURL.path,
      title: report.scenario.title, passed: report.hasPassed,
      steps: report.steps.map(ReplayReport.Step.init), error: nil)
  }

  /// Reports a scenario that can't be read.
  ///
  /// - Parameters:
  ///   - file: the scenario's file.
  ///   - failure: the reason why it can't be read.
  init(unreadable file: String, _ failure: CommandFailure) {
    let folder = URL(filePath: file).deletingLastPathComponent()
    self.init(
      name: Scenario.name(of: folder), path: folder.standardizedFileURL.path, title: "",
      passed: false, steps: [], error: FailureReport(failure))
  }
}

extension ReplayReport.Step {
  fileprivate init(_ step: StepReport) {
    var found: String?
    if case .failed(let text) = step.verdict { found = text }
    self.init(line: step.line, text: step.text, verdict: step.verdict.name, found: found)
  }
}

extension StepReport.Verdict {
  fileprivate var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .notReached: "not-reached"
    }
  }
}
