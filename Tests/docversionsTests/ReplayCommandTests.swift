internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The output and the exit codes of `replay`.
@Suite(.blocks)
struct ReplayCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("one\n", to: "good/a.md")
    try program.write(
      "# All is well.\ndevices mira\nmira saves x.md from a.md\n", to: "good/scenario")
    try program.write("devices mira\nexpect x.md exists\n", to: "wrong/scenario")
    try program.write("devices mira\nmira sings\n", to: "misspelt/scenario")
    try program.write("", to: "none/note.txt")
  }

  @Test(
    "What can be played is played, and the highest code is the answer",
    arguments: [
      "good": 0, "good/scenario": 0, "good wrong": 1, "misspelt good": 2, "wrong good misspelt": 2,
      "good nosuch": 3, "none good": 3, "good/a.md wrong misspelt good": 3, ".": 2,
    ])
  func exitCodes(paths: String, code: Int32) throws {
    let result = try program.shell("docversions replay \(paths)")
    #expect(result.exitCode == code, "\(result.errorOutput)")
    #expect(result.output.contains("All is well."))
    #expect(result.errorOutput.isEmpty == (code < 2))
  }

  @Test func `each path without a scenario is reported`() throws {
    let result = try program.run("replay", "nosuch", "none")
    #expect(result.exitCode == 3)
    #expect(result.output.isEmpty)
    let hint = "  A scenario is a folder with a file named “scenario”.\n"
    #expect(
      result.errorOutput == """
        error: nosuch: There is no such file or folder.
        \(hint)error: none: There is no scenario here.
        \(hint)
        """)
  }

  @Test func `a line that is not understood is reported with its place, and counts`() throws {
    let result = try program.run("replay", "-q", "misspelt", "wrong", "good")
    #expect(result.errorOutput.hasPrefix("error: misspelt/scenario:2: expected a verb (edits,"))
    #expect(
      result.errorOutput.hasSuffix("  How scenarios are written:  docversions help replay\n"))
    #expect(
      result.output.hasSuffix(
        "\n3 scenarios, 4 steps, 1 scenario failed, 1 scenario can’t be read\n"))
  }

  @Test func `JSON has each scenario, read or not`() throws {
    let stories = try #require(
      try program.json("replay", "misspelt", "good", "nosuch")["scenarios"] as? [[String: Any]])
    #expect(
      stories.map { $0.keys.sorted() }
        == Array(repeating: ["error", "name", "passed", "path", "steps", "title"], count: 2))
    #expect(stories.map { $0["passed"] as? Bool } == [false, true])
    #expect(stories.first?["path"] as? String == program.folder["misspelt"].path)
    #expect(stories.last?["error"] is NSNull)
    let error = try #require(stories.first?["error"] as? [String: Any])
    #expect(error.keys.sorted() == ["code", "hint", "message", "path"])
    #expect(error["code"] as? String == "syntax")
    #expect(error["path"] as? String == "misspelt/scenario")
  }

  @Test(
    "A path that the system does not let be read is reported, and 5",
    .enabled(if: geteuid() != 0 || FileManager.default.fileExists(atPath: "/usr/bin/setpriv")),
    arguments: ["scenario", "a.md", "below"])
  func unreadable(item: String) throws {
    try program.write("", to: "good/below/note.txt")
    let result = try program.shell(
      """
      chmod 000 good/\(item)
      replay() { "$@" '\(Program.path)' replay good; }
      if [ $(id -u) = 0 ]; then
        chown -R 65534:65534 .
        replay setpriv --reuid=65534 --regid=65534 --clear-groups
      else
        replay env
      fi
      """)
    _ = try program.shell("chmod 700 good/\(item)")
    if item == "a.md" {
      #expect(result.exitCode == 1)
      #expect(result.output.contains("/good/a.md” can’t be used: Permission denied.\n"))
    } else {
      #expect(result.exitCode == 5)
      #expect(
        result.errorOutput == """
          error: good/\(item): This can’t be read: Permission denied.
            See who may:  ls -ld good/\(item)

          """)
      #expect(result.output.contains("All is well.") == (item == "below"))
    }
  }

  @Test func `a scenario does nothing to what is not its own`() throws {
    try program.write("precious", to: "precious.md")
    try program.write(
      "devices mira\nmira edits \(program.folder["precious.md"].path) to a.md", to: "good/scenario")
    let result = try program.run("replay", "good")
    #expect(result.exitCode == 2)
    #expect(result.errorOutput.contains("good/scenario:2: expected a document below"))
    #expect(try program.read("precious.md") == "precious")
  }

  @Test func `help has a story that can be played`() throws {
    let help = try program.run("help", "replay").output
    let story = help.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.contains("# Two people") }.prefix { !$0.isEmpty }
    try program.write(story.joined(separator: "\n"), to: "told/scenario")
    for file in ["base", "mira", "tom"] { try program.write(file, to: "told/\(file).md") }
    #expect(story.count == 8)
    #expect(try program.run("replay", "told").exitCode == 0)
  }
}
