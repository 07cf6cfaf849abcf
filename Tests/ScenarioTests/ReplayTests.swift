import DocumentScenarios
import DocumentTestSupport
import Foundation
import Testing

/// Every scenario in Fixtures passes, and after every step stock git finds all stores sound.
@Suite(.blocks)
struct ReplayTests {
  @Test(arguments: Fixtures.names)
  func passes(_ name: String) async throws {
    let scenario = try Scenario(folder: Fixtures.folder.appending(path: name))
    let scratch = try ScratchFolder()
    let runner = ScenarioRunner(scratch: scratch.url) { moment in
      let stores = try moment.containers.flatMap(GitCheck.problems(inContainer:))
      let folder = try moment.exchangeFolder.map(GitCheck.problems(inStore:)) ?? []
      return (stores + folder).first
    }
    let report = try await runner.run(scenario)
    for step in report.steps {
      #expect(step.verdict == .passed, "\(name):\(step.line): \(step.text)")
    }
  }

  @Test func thereAreScenariosOfEveryArea() {
    let areas = Set(Fixtures.names.compactMap { $0.split(separator: "/").first })
    #expect(
      areas == [
        "conflicts", "coordination", "deletion", "documents", "history", "listed", "names",
        "packages",
        "resolution", "text",
        "undo",
      ])
  }

  @Test(arguments: Fixtures.names)
  func hasTitleAndSummary(_ name: String) throws {
    let scenario = try Scenario(folder: Fixtures.folder.appending(path: name))
    #expect(scenario.title.hasSuffix("."))
    #expect(scenario.name == name)
  }
}
