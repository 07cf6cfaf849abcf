import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentScenarios

/// Nothing outside a device's folder is written or removed, and nothing outside the scenario's folder is read.
@Suite(.blocks)
struct PathTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("one\n", to: "story/a.md")
    try scratch.write("two\n", to: "story/Base/b.md")
    try scratch.write("precious\n", to: "outside/precious.md")
    try FileManager.default.createSymbolicLink(
      atPath: scratch["story/link"].path, withDestinationPath: scratch["outside"].path)
  }

  private func scenario(_ lines: String...) throws -> Scenario {
    let text = (["devices mira tom"] + lines).joined(separator: "\n")
    try scratch.write(text, to: "story/scenario")
    return try Scenario(folder: scratch["story"])
  }

  private func play(_ scenario: Scenario) async throws -> [StepReport.Verdict] {
    let runner = ScenarioRunner(scratch: scratch["stage"])
    return try await runner.run(scenario).steps.dropFirst().map(\.verdict)
  }

  @Test(
    arguments: [
      "", ".", "..", "../tom", "../../outside/precious.md", "a/../../x.md", "a//b.md", "/x.md",
      "a/./b.md", "x.md//", ".docversions", "a/.DocVersions/x.md", "x\0.md",
    ],
    [
      "mira edits NAME to a.md", "mira saves NAME", "mira deletes NAME",
      "mira renames NAME to x.md",
      "mira renames x.md to NAME", "mira cannot undo NAME", "mira pins version a.md of NAME",
      "mira imports copy a.md of NAME", "expect NAME exists", "mira edits x.md to NAME",
      "expect x.md keeps versions from a.md, NAME", "mira imports copy NAME of x.md",
    ])
  func pathsThatLeadElsewhereAreRefused(name: String, line: String) throws {
    let line = line.replacing("NAME", with: "\"\(name)\"")
    let error = try #require(throws: ScenarioError.self) { try scenario(line) }
    #expect(error.code == .invalidPath)
    #expect(error.line == 2)
    #expect(error.message.contains("found “\(name.hasSuffix("//") ? "x.md/" : name)”"))
  }

  @Test func pathsBelowAreRead() throws {
    #expect(
      try scenario("mira saves ..a/b..md/ from Base/").steps.last?.event
        == .deed(.save("..a/b..md", contents: "Base", base: nil, note: nil), by: "mira"))
  }

  @Test func contentsBehindALinkAreRefused() throws {
    let error = try #require(throws: ScenarioError.self) {
      try scenario("mira saves x.md from link/precious.md")
    }
    #expect(error.code == .invalidPath)
    #expect(error.message.hasSuffix("found “link/precious.md”, where “link” is a link"))
  }

  @Test(arguments: [
    "mira saves dir/precious.md from a.md", "mira edits dir/precious.md to a.md",
    "mira deletes dir/precious.md", "mira cannot delete dir/precious.md",
    "mira renames dir/precious.md to gone.md", "expect dir/precious.md exists on mira",
  ])
  func nothingIsDoneThroughALinkOnADevice(line: String) async throws {
    let verdicts = try await play(scenario("mira edits dir to link", line))
    #expect(verdicts.first == .passed)
    guard case .failed(let found) = verdicts[1] else {
      Issue.record("“\(line)” passed")
      return
    }
    #expect(found.contains("where “dir” is a link"), "\(found)")
    #expect(try scratch.read("outside/precious.md") == "precious\n")
  }

  @Test func aLinkIsCopiedAndReplacedAsALink() async throws {
    let verdicts = try await play(
      scenario(
        "mira edits x.md to link", "expect x.md equals link on mira", "mira edits x.md to a.md"))
    #expect(verdicts == [.passed, .passed, .passed])
    #expect(try scratch.read("outside/precious.md") == "precious\n")
    #expect(try scratch.read("stage/mira/x.md") == "one\n")
  }

  @Test func stepsThatWereNotReadAreCheckedToo() async throws {
    let device = try Device("mira", in: scratch["stage"], files: scratch["story"], now: .now)
    for name in ["", "../../outside/precious.md", "/", "."] {
      await #expect(throws: Mismatch.self) {
        try await device.perform(.edit(name, contents: "a.md"))
      }
      await #expect(throws: Mismatch.self) {
        try await device.perform(.edit("x.md", contents: name))
      }
    }
    #expect(try scratch.read("outside/precious.md") == "precious\n")
  }

  @Test func storesAreBelowTheScratchFolderWhateverIsAbove() async throws {
    try FileManager.default.createDirectory(
      at: scratch[".docversions"], withIntermediateDirectories: false)
    #expect(
      try await play(scenario("mira saves x.md from a.md", "expect x.md has 1 version on mira"))
        == [.passed, .passed])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch[".docversions"].path) == [])
  }

  @Test func aFIFOIsNotWaitedFor() async throws {
    _ = try Command.run("mkfifo", [scratch["story/fifo"].path])
    let verdicts = try await play(scenario("mira saves x.md from fifo"))
    #expect(verdicts == [.failed(found: "“fifo” is a FIFO")])
  }
}
