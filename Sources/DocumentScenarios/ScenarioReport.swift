public import Foundation

/// What happened when a scenario was replayed.
public struct ScenarioReport: Sendable {
  /// The scenario.
  public let scenario: Scenario
  /// Its steps, all of them.
  public let steps: [StepReport]
  /// Where each device's documents are, by the device's name.
  public let containers: [String: URL]

  /// Whether everything went as the scenario tells it.
  public var isAsTold: Bool { steps.allSatisfy { $0.verdict == .passed } }
}

/// What happened in one step.
public struct StepReport: Sendable {
  /// How a step went.
  public enum Verdict: Sendable, Equatable {
    /// As told.
    case passed
    /// Otherwise, and this is what was found instead.
    case failed(found: String)
    /// A step before it failed, without which this one has no meaning.
    case notReached
  }

  /// The line in the scenario's file.
  public let line: Int
  /// The line as it was written.
  public let text: String
  /// How the step went.
  public let verdict: Verdict
}
