package import Foundation

/// The result of replaying a scenario.
package struct ScenarioReport: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// All its steps.
  package let steps: [StepReport]
  /// The folders of the devices' documents, by the devices' names.
  package let containers: [String: URL]

  /// True if every step passed.
  package var hasPassed: Bool { steps.allSatisfy { $0.verdict == .passed } }
}

/// The result of one step.
package struct StepReport: Sendable {
  /// The result of a step.
  package enum Verdict: Sendable, Equatable {
    /// The step went as the scenario says.
    case passed
    /// The step failed; `found` describes the actual state.
    case failed(found: String)
    /// An earlier step failed, without which this one has no meaning.
    case notReached
  }

  /// The line in the scenario's file.
  package let line: Int
  /// The text of the line.
  package let text: String
  /// The result of the step.
  package let verdict: Verdict
}
