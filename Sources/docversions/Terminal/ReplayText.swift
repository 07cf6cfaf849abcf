internal import DocumentScenarios
internal import DocumentVersions

extension ScenarioReport {
  /// The lines for a person.
  ///
  /// - Parameter isBrief: whether steps that passed are left out.
  func lines(isBrief: Bool) -> [String] {
    var lines = [
      Printable.text(scenario.name).asHeading, "  " + Printable.text(scenario.title),
    ]
    for step in steps where !isBrief || step.verdict != .passed {
      let line = String(step.line)
      let number = String(repeating: " ", count: max(0, 5 - line.count)) + line
      lines.append("\(number.asMuted) \(step.verdict.mark) \(Printable.text(step.text))")
      if case .failed(let found) = step.verdict {
        lines.append("        found: ".asOpen + Printable.text(found))
      }
    }
    let failed = steps.count { $0.verdict.isFailure }
    let verdict = "  \(Wording.count(steps.count, "step")), "
    lines.append(verdict + (failed == 0 ? "all passed".asGood : "\(failed) failed".asOpen))
    return lines + [""]
  }
}

extension [ReplayReport.Story] {
  /// "3 scenarios, 41 steps, 1 scenario failed, 1 can’t be read".
  var summary: String {
    let unread = count { $0.error != nil }
    let wrong = count { !$0.passed } - unread
    var parts = [
      Wording.count(count, "scenario"), Wording.count(map(\.steps.count).reduce(0, +), "step"),
    ]
    if wrong > 0 { parts.append("\(Wording.count(wrong, "scenario")) failed".asOpen) }
    if unread > 0 { parts.append("\(Wording.count(unread, "scenario")) can’t be read".asOpen) }
    if wrong + unread == 0 { parts.append("all passed".asGood) }
    return parts.joined(separator: ", ")
  }
}

extension CommandFailure {
  /// Creates the failure for a scenario that can't be read or found.
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
    case .notReached: "·".asMuted
    }
  }

  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
