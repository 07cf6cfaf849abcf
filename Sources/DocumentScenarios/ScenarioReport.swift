package import Foundation

/// What happened when a scenario was replayed.
package struct ScenarioReport: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// Its steps, all of them.
  package let steps: [StepReport]
  /// Where each device's documents are, by the device's name.
  package let containers: [String: URL]

  /// Whether everything went as the scenario tells it.
  package var isAsTold: Bool { steps.allSatisfy { $0.verdict == .passed } }
}

/// What happened in one step.
package struct StepReport: Sendable {
  /// How a step went.
  package enum Verdict: Sendable, Equatable {
    /// As told.
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
  /// How the step went.
  package let verdict: Verdict
}
