internal import DocumentScenarios
internal import Foundation

/// What a replay came to.
struct ReplayJSON: Encodable {
  struct Step: Encodable {
    let line: Int
    let text, verdict: String
    @Nullable var found: String?
  }

  struct Story: Encodable {
    let name, path, title: String
    let asTold: Bool
    let steps: [Step]
    /// Why it could not be read.
    @Nullable var error: FailureFacts?
  }

  let scenarios: [Story]
  @Nullable var kept: String?
}

extension ReplayJSON.Story {
  init(_ report: ScenarioReport) {
    self.init(
      name: report.scenario.name, path: report.scenario.folder.absoluteURL.path,
      title: report.scenario.title, asTold: report.isAsTold,
      steps: report.steps.map(ReplayJSON.Step.init), error: nil)
  }

  /// A scenario that cannot be read.
  init(_ error: ScenarioError) {
    let folder = URL(filePath: error.file).deletingLastPathComponent()
    self.init(
      name: Scenario.name(of: folder), path: folder.standardizedFileURL.path, title: "",
      asTold: false, steps: [], error: FailureFacts(Failure(error)))
  }
}

extension ReplayJSON.Step {
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
