package import Foundation

/// The result of replaying a scenario.
package struct ScenarioReport: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// Its steps, all of them.
  package let steps: [StepReport]
  /// The folders of the devices' documents, by the devices' names.
  package let containers: [String: URL]

  /// Whether everything went as the scenario says.
  package var hasPassed: Bool { steps.allSatisfy { $0.verdict == .passed } }
}

/// The result of one step.
package struct StepReport: Sendable {
  /// The result of a step.
  package enum Verdict: Sendable, Equatable {
    /// As the scenario says.
    case passed
    /// Otherwise, and this is what was found instead.
    case failed(found: String)
    /// A step before it failed, without which this one has no meaning.
    case notReached
  }

  /// The line in the scenario's file.
  package let line: Int
  /// The line as it was written.
  package let text: String
  /// The result of the step.
  package let verdict: Verdict
}
