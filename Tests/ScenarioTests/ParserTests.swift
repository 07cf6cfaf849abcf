import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentScenarios

/// The scenario format: what every line means, and what an error says.
@Suite(.blocks)
struct ParserTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for file in ["a.md", "b.md", "two words.md", "Package/Text.txt"] {
      try scratch.write("", to: file)
    }
  }

  private func events(_ lines: String...) throws -> [ScenarioStep.Event] {
    try scratch.write((["devices mira tom"] + lines).joined(separator: "\n"), to: "scenario")
    return try Scenario(folder: scratch.url).steps.dropFirst().map(\.event)
  }

  private func error(_ text: String) throws -> ScenarioError {
    try scratch.write(text, to: "scenario")
    return try #require(throws: ScenarioError.self) { try Scenario(folder: scratch.url) }
  }

  // MARK: What is read

  @Test(arguments: [
    ("edits x.md to a.md", ScenarioStep.Deed.edit("x.md", contents: "a.md")),
    ("saves x.md", .save("x.md", contents: nil, base: nil, note: nil)),
    ("saves x.md from a.md", .save("x.md", contents: "a.md", base: nil, note: nil)),
    (
      "saves x.md from a.md based on b.md with note \"as agreed\"",
      .save("x.md", contents: "a.md", base: "b.md", note: "as agreed")
    ),
    (
      "saves Trip.notes from Package/",
      .save("Trip.notes", contents: "Package", base: nil, note: nil)
    ),
    ("restores x.md to \"two words.md\"", .restore("x.md", contents: "two words.md")),
    ("removes version a.md of x.md", .removeVersion(contents: "a.md", of: "x.md")),
    ("removes other versions of x.md", .removeOthers(of: "x.md")),
    ("marks a.md of x.md as resolved", .markResolved(contents: "a.md", of: "x.md")),
    ("deletes x.md", .delete("x.md")),
    ("renames x.md to \"y z.md\"", .rename("x.md", to: "y z.md")),
    ("undoes x.md", .undo("x.md")),
    ("thins x.md keeping 2", .thin("x.md", last: 2)),
    ("undeletes versions of x.md", .undelete(of: "x.md")),
    ("pins version a.md of x.md", .pin(contents: "a.md", of: "x.md")),
    ("unpins version a.md of x.md", .unpin(contents: "a.md", of: "x.md")),
    ("imports copy a.md of x.md based on b.md", .importCopy("a.md", of: "x.md", base: "b.md")),
    ("opens x.md", .open("x.md")),
    ("creates x.md", .create("x.md")),
    ("creates a new x.md", .createNumbered("x.md")),
    ("types a.md into x.md", .type(contents: "a.md", into: "x.md")),
    ("undoes typing in x.md", .undoTyping("x.md")),
    ("undoes typing", .undo("typing")),
    ("redoes typing in x.md", .redoTyping("x.md")),
    ("reverts x.md", .revert("x.md")),
    ("closes x.md", .close("x.md")),
    ("waits 15 seconds", .wait(seconds: 15)),
    ("waits 2 minutes", .wait(seconds: 120)),
    ("exchanges", .exchange),
    ("goes offline", .goOffline),
    ("comes online", .comeOnline),
  ])
  func readsDeeds(line: String, deed: ScenarioStep.Deed) throws {
    #expect(try events("mira \(line)") == [.deed(deed, by: "mira")])
  }

  @Test(arguments: [
    ("latest", ScenarioStep.Strategy.latest),
    ("merge", .merge),
    ("keeping a.md", .keep(contents: "a.md")),
    ("asking a.md", .ask(.contents("a.md"))),
    ("asking to keep a.md", .ask(.keep(contents: "a.md"))),
    ("asking to accept", .ask(.acceptProposal)),
    ("asking to skip", .ask(.skip)),
    ("merge else latest", .either(.merge, otherwise: .latest)),
    (
      "merge else asking to skip else latest",
      .either(.merge, otherwise: .either(.ask(.skip), otherwise: .latest))
    ),
  ])
  func readsStrategies(words: String, strategy: ScenarioStep.Strategy) throws {
    let expected = ScenarioStep.Deed.resolve("x.md", strategy)
    #expect(try events("tom resolves x.md by \(words)") == [.deed(expected, by: "tom")])
  }

  @Test(arguments: [
    ("x.md has 1 conflict", ScenarioStep.Fact.conflicts(1)),
    ("x.md has 2 conflicts", .conflicts(2)),
    ("x.md has 3 versions", .versions(3)),
    ("x.md lists 3 versions", .lists(3)),
    ("x.md has the note \"as agreed\"", .note("as agreed")),
    ("x.md equals a.md", .equals("a.md")),
    ("x.md is current from a.md", .isCurrent(contents: "a.md")),
    ("x.md is in conflict with a.md, b.md", .conflictsWith(["a.md", "b.md"])),
    ("x.md keeps versions from a.md, b.md", .keeps(["a.md", "b.md"], by: nil)),
    ("x.md keeps versions from a.md by tom", .keeps(["a.md"], by: "tom")),
    ("x.md keeps no versions from a.md", .keepsNone(of: ["a.md"])),
    ("x.md exists", .exists(true)),
    ("x.md does not exist", .exists(false)),
    ("x.md is edited", .state("edited")),
  ])
  func readsClaims(words: String, fact: ScenarioStep.Fact) throws {
    let claim = ScenarioStep.Claim.document(.document("x.md"), fact)
    #expect(
      try events("expect \(words)", "expect \(words) on mira, tom")
        == [.claim(claim, on: []), .claim(claim, on: ["mira", "tom"])])
  }

  @Test func readsTheRest() throws {
    #expect(
      try events(
        "exchange  # a comment", "", "tom's clock is 2 days behind", "mira’s clock is 1 hour ahead",
        "mira cannot remove version a.md of x.md because current-version", "mira cannot go offline",
        "expect stores are sound", "expect every document is the same on tom, mira",
        "expect some document has the same current version")
        == [
          .exchange, .clock(-172_800, of: "tom"), .clock(3_600, of: "mira"),
          .refusal(
            .removeVersion(contents: "a.md", of: "x.md"), by: "mira", code: "current-version"),
          .refusal(.goOffline, by: "mira", code: nil), .claim(.storesAreSound, on: []),
          .claim(.agreement(.every, .contents), on: ["tom", "mira"]),
          .claim(.agreement(.some, .currentVersion), on: []),
        ])
  }

  @Test func readsTitleAndSummary() throws {
    try scratch.write("# Title.\n#  More\n# of it.\n\ndevices mira # who\n# late\n", to: "scenario")
    let scenario = try Scenario(folder: scratch.url)
    #expect(scenario.title == "Title.")
    #expect(scenario.summary == "More of it.")
    #expect(scenario.steps.map(\.line) == [5])
    #expect(scenario.steps.map(\.text) == ["devices mira # who"])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func readsLinesOfEverySystem(end: String) throws {
    let lines = ["\u{FEFF}# Title.", "", "devices mira tom # who", "mira edits x.md to a.md"]
    try scratch.write(lines.joined(separator: end) + end, to: "scenario")
    let scenario = try Scenario(folder: scratch.url)
    #expect(scenario.title == "Title.")
    #expect(scenario.steps.map(\.line) == [3, 4])
    #expect(scenario.steps.map(\.text) == ["devices mira tom # who", "mira edits x.md to a.md"])
    try scratch.write(lines.joined(separator: end) + end + "mira sings", to: "scenario")
    #expect(throws: ScenarioError.self) { try Scenario(folder: scratch.url) }
  }

  // MARK: What is refused

  @Test(arguments: [
    ("", 1, "expected “devices” and the names of devices, found the end of the file"),
    ("# nothing\nmira saves x.md", 2, "expected “devices”, found “mira”"),
    ("devices", 1, "expected a device’s name, found the end of the line"),
    ("devices mira mira", 1, "expected another device, found “mira” twice"),
    ("devices ../tom", 1, "expected a device’s name of letters, digits and “-”, found “../tom”"),
    (
      "devices mira\n\njon saves x.md", 3,
      "expected “exchange”, “expect” or a device (mira), found “jon”"
    ),
    ("devices mira\nmira save x.md", 2, "expected a verb (edits, saves,"),
    ("devices mira\nmira cannot saves x.md", 2, "expected a verb (edit, save,"),
    ("devices mira\nmira saves", 2, "expected a document, found the end of the line"),
    ("devices mira\nmira saves x.md form a.md", 2, "expected the end of the line, found “form”"),
    (
      "devices mira\nmira saves x.md from c.md", 2,
      "expected a file of the scenario’s folder, found “c.md”"
    ),
    ("devices mira\nmira thins x.md", 2, "expected “keeping”, found the end of the line"),
    ("devices mira\nmira thins x.md keeping few", 2, "expected a number, found “few”"),
    ("devices mira\nmira pins a.md of x.md", 2, "expected “version”, found “a.md”"),
    ("devices mira\nmira undeletes x.md", 2, "expected “versions”, found “x.md”"),
    ("devices mira\nmira saves \"x.md from a.md", 2, "expected “\"” after “x.md from a.md”"),
    (
      "devices mira\nmira resolves x.md by magic", 2,
      "expected “latest”, “merge”, “keeping” or “asking”"
    ),
    ("devices mira\nexpect x.md has many conflicts", 2, "expected a number, “the note” or"),
    (
      "devices mira\nexpect x.md has 1 friend", 2,
      "expected “conflicts” or “versions”, found “friend”"
    ),
    (
      "devices mira\nexpect x.md is nice", 2,
      "expected “the same”, “current from”, “in conflict with”"
    ),
    ("devices mira\nexpect x.md exists on jon", 2, "expected a device (mira), found “jon”"),
    (
      "devices mira\nexpect x.md exists on mira,", 2, "expected a device, found the end of the line"
    ),
    (
      "devices mira tom\nexpect x.md is the same on tom", 2,
      "expected two devices or more that agree, found “tom” alone"
    ),
    (
      "devices mira tom\nexpect x.md has the same current version on mira, mira", 2,
      "expected two devices or more that agree, found “mira” alone"
    ),
    (
      "devices mira\nexpect every document is the same", 2,
      "expected two devices or more that agree, found “mira” alone"
    ),
    ("devices mira exchange", 1, "expected a device’s name, found “exchange”, which begins"),
    ("devices mira\nmira's clock is 2 moons ahead", 2, "expected seconds, minutes, hours or days"),
    ("devices mira\nmira's clock is 2 days late", 2, "expected “behind” or “ahead”, found “late”"),
  ])
  func namesTheLineAndWhatWasExpected(text: String, line: Int, message: String) throws {
    let error = try error(text)
    #expect(error.line == line)
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.description.contains("scenario:\(line): expected"))
  }

  @Test func tellsKindsOfErrorsApart() throws {
    #expect(try error("devices mira\nexchange now").code == .syntax)
    #expect(try error("devices mira\nmira edits x.md to c.md").code == .missingFile)
    #expect(try error("devices mira\nexpect x.md exists on jon").code == .unknownDevice)
    let nowhere = #expect(throws: ScenarioError.self) { try Scenario(folder: scratch["nowhere"]) }
    #expect(nowhere?.code == .noScenario)
    #expect(nowhere?.line == nil)
  }
}
