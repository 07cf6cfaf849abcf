internal import DocumentVersions
package import Foundation

/// Replays scenarios with real documents and real stores.
///
/// ```swift
/// let report = try await ScenarioRunner(scratch: folder).run(Scenario(folder: story))
/// ```
package struct ScenarioRunner: Sendable {
  /// The state that a check after a step receives.
  package struct Moment: Sendable {
    /// The step that has just been performed.
    package let step: ScenarioStep
    /// The folders with documents, one for each device that has some.
    package let containers: [URL]
    /// The folder through which they exchange; nil before the first exchange.
    package let exchangeFolder: URL?
  }

  /// An empty folder that the caller removes.
  ///
  /// Each device is a folder in it.
  package var scratch: URL
  /// Checks the stores after each step other than a claim, and returns a fault, if any, with which the step
  /// fails.
  package var check: @Sendable (Moment) async throws -> String?

  /// Runs after every step, claims included, with the folders of the devices.
  package var stepEnded: @Sendable (_ containers: [URL]) throws -> Void = { _ in }

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - scratch: an empty folder, or one that can be created.
  ///   - check: checks the stores after each step, and returns their fault.
  package init(
    scratch: URL, check: @escaping @Sendable (Moment) async throws -> String? = { _ in nil }
  ) {
    self.scratch = scratch
    self.check = check
  }

  /// Replays a scenario.
  ///
  /// A false claim doesn't end the story; a failed deed does.
  ///
  /// - Throws: failures of the scratch folder or of the check; a failure in a step is in the report.
  package func run(_ scenario: Scenario) async throws -> ScenarioReport {
    var stage = Stage(scratch: scratch, files: scenario.folder)
    var reports: [StepReport] = []
    var isOver = false
    for step in scenario.steps {
      var verdict = StepReport.Verdict.notReached
      if !isOver {
        verdict = try await perform(step, on: &stage)
        try stepEnded(stage.devices.map(\.container))
        isOver = verdict != .passed && !step.isClaim
      }
      reports.append(StepReport(line: step.line, text: step.text, verdict: verdict))
    }
    let containers = stage.devices.map { ($0.name, $0.container) }
    return ScenarioReport(
      scenario: scenario, steps: reports,
      containers: Dictionary(containers, uniquingKeysWith: { first, _ in first }))
  }

  private func perform(
    _ step: ScenarioStep, on stage: inout Stage
  ) async throws -> StepReport.Verdict {
    do {
      try await stage.perform(step.event)
    } catch let mismatch as Mismatch {
      return .failed(found: mismatch.found)
    } catch {
      return .failed(found: error.inWords)
    }
    if step.isClaim { return .passed }
    let moment = Moment(
      step: step, containers: stage.devices.map(\.container),
      exchangeFolder: stage.exchangeFolderIfUsed)
    return try await check(moment).map { .failed(found: $0) } ?? .passed
  }
}

/// A difference from the scenario.
struct Mismatch: Error {
  let found: String
  /// The code of a deed that failed, which the scenario may expect; nil otherwise.
  let code: String?

  init(_ found: String, code: String? = nil) {
    self.found = found
    self.code = code
  }
}

extension ScenarioStep {
  fileprivate var isClaim: Bool {
    if case .claim = event { true } else { false }
  }
}

extension Error {
  /// The code that an error of the library carries.
  var code: String? {
    switch self {
    case let error as VersionError: error.code.rawValue
    case let error as FileError: error.code.rawValue
    case let error as DocumentError: error.code.rawValue
    case let error as CoordinationError: error.code.rawValue
    case let error as Mismatch: error.code
    case is UndecidedQuestions: UndecidedQuestions.code
    default: nil
    }
  }

  /// The error in one line, with its code.
  var inWords: String {
    let refusal = (self as? CocoaError)?.refusal
    let text =
      refusal.map { "“\($0.path)” can’t be used: \($0.cause)." }
      ?? "\(self)".split(separator: "\n").joined(separator: " ")
    return code.map { "\(text) (\($0))" } ?? text
  }
}
