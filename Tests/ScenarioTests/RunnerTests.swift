import DocumentScenarios
import DocumentTestSupport
import Foundation
import Testing

/// The runner reports each step that fails.
@Suite(.blocks)
struct RunnerTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("one\n", to: "story/a.md")
    try scratch.write("two\n", to: "story/b.md")
  }

  private func verdicts(
    _ lines: String..., check: @escaping @Sendable (ScenarioRunner.Moment) -> String? = { _ in nil }
  ) async throws -> [StepReport.Verdict] {
    let begin = ["devices mira tom", "mira saves x.md from a.md", "exchange"]
    try scratch.write((begin + lines).joined(separator: "\n"), to: "story/scenario")
    let scenario = try Scenario(folder: scratch["story"])
    let report = try await ScenarioRunner(scratch: scratch["stage"], check: check).run(scenario)
    #expect(report.steps.count == scenario.steps.count)
    return report.steps.dropFirst(3).map(\.verdict)
  }

  @Test(arguments: [
    ("expect x.md equals b.md", "on mira: “one\\n”"),
    ("expect x.md has 1 conflict on tom", "on tom: 0 conflicts"),
    ("expect x.md keeps versions from b.md on tom", "on tom: no version from b.md"),
    ("expect x.md keeps versions from a.md by tom on mira", "on mira: no version from a.md"),
    ("expect x.md keeps no versions from a.md", "on mira: a version from a.md"),
    ("expect x.md is current from b.md on tom", "on tom: “one\\n”"),
    ("expect x.md is edited on tom", "on tom: unchanged"),
    ("expect x.md does not exist", "on mira: “one\\n”"),
    ("expect y.md exists on tom", "on tom: nothing"),
    ("expect x.md has the note \"no\" on mira", "on mira: no note"),
    ("expect x.md is in conflict with b.md on mira", "on mira: no conflict with [\"“two\\\\n”\"]"),
    ("expect some document equals b.md on tom", "on tom: “one\\n”"),
    ("expect typo.md is the same", "there is no “typo.md” on mira, tom"),
    ("expect typo.md has 0 conflicts", "There is no document “"),
    ("mira cannot save x.md from b.md", "it was done"),
    (
      "mira cannot remove version a.md of x.md because no-such-version",
      "refused: Version"
    ),
    ("tom resolves x.md by merge", "“x.md” is in no conflict"),
    ("tom restores x.md to b.md", "no version of “x.md” has the contents of “b.md”"),
  ])
  func saysWhatItFoundInstead(line: String, found: String) async throws {
    guard case .failed(let text) = try await verdicts(line).first else {
      Issue.record("“\(line)” passed")
      return
    }
    #expect(text.hasPrefix(found), "\(text)")
  }

  @Test func noticesDevicesThatDisagree() async throws {
    let verdicts = try await verdicts(
      "tom edits x.md to b.md", "expect x.md is the same", "tom saves x.md",
      "expect x.md has the same current version")
    #expect(verdicts[1] == .failed(found: "“x.md” is “one\\n” on mira, “two\\n” on tom"))
    #expect(verdicts[3] != .passed)
  }

  @Test(arguments: [
    "expect every document is unchanged", "expect some document has 1 conflict on tom",
    "expect every document is the same", "expect some document has the same current version",
  ])
  func noticesThatThereIsNoDocument(line: String) async throws {
    try scratch.write("devices mira tom\n\(line)", to: "story/scenario")
    let report = try await ScenarioRunner(scratch: scratch["stage"])
      .run(Scenario(folder: scratch["story"]))
    guard case .failed(let found) = report.steps[1].verdict else {
      Issue.record("“\(line)” passed")
      return
    }
    #expect(found.contains("there is no document"), "\(found)")
  }

  @Test func oneDocumentThatAgreesIsSome() async throws {
    let verdicts = try await verdicts(
      "mira saves y.md from b.md", "expect some document is the same",
      "expect every document is the same", "tom edits x.md to b.md",
      "expect some document is the same")
    #expect(verdicts[1] == .passed)
    #expect(verdicts[2] == .failed(found: "“y.md” is “two\\n” on mira, missing on tom"))
    #expect(verdicts[4] != .passed)
  }

  @Test func goesOnAfterAClaimAndStopsAfterADeed() async throws {
    let verdicts = try await verdicts(
      "expect x.md equals b.md", "tom saves x.md from b.md", "tom renames y.md to z.md", "exchange")
    #expect(verdicts[0] != .passed)
    #expect(verdicts[1] == .passed)
    #expect(verdicts[2] != .passed)
    #expect(verdicts[3] == .notReached)
  }

  @Test func reportsWhatTheCheckSays() async throws {
    let verdicts = try await verdicts("tom saves x.md from b.md", "exchange") { moment in
      moment.step.text == "tom saves x.md from b.md" ? "the store smells" : nil
    }
    #expect(verdicts == [.failed(found: "the store smells"), .notReached])
  }
}
