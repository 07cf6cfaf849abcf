internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

@testable internal import docversions

/// The output to a terminal or a pipe.
@Suite(.blocks)
struct OutputTests {
  @Test func `names, notes and people cannot steer the terminal`() throws {
    let evil = "\u{1B}[31m\u{202E}\n\u{9B}"
    var program = try Program()
    program.author = "Mira\(evil)"
    let name = "trip\(evil).md"
    try program.write("x\n", to: name)
    for arguments in [
      ["save", name, "-m", "note\(evil)"], ["log", name], ["status"], ["show", name, "99999"],
    ] {
      let result = try Command.run(
        Program.path, arguments, in: program.folder.url,
        environment: ["DOCVERSIONS_AUTHOR": program.author])
      for text in [result.output, result.errorOutput] {
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\u{9B}"))
      }
      #expect((result.output + result.errorOutput).contains("\\x1B[31m\\u{202E}\\n"))
    }
    let json = try program.run("log", name, "--json").output
    #expect(!json.contains("\u{202E}") && !json.contains("\u{9B}"))
    #expect(try Program.object(json)["document"] as? String == program.folder[name].path)
  }

  @Test func `there is no colour in a pipe, and on a terminal only if wanted`() throws {
    let program = try Program()
    try program.write("x\n", to: "trip.md")
    try program.run("save", "trip.md")
    #expect(try !program.run("log", "trip.md").output.contains("\u{1B}"))
    guard try program.shell("command -v script").exitCode == 0 else { return }
    let line = "script -qec '\(Program.path) log trip.md' /dev/null"
    let onTerminal = try program.shell("TERM=xterm \(line)").output
    #expect(onTerminal.contains("\u{1B}[33m") && onTerminal.contains("●"))
    let plain = try program.shell("NO_COLOR=1 \(line)").output
    #expect(!plain.contains("\u{1B}") && plain.contains("●"))
  }

  @Test func `long output goes through git’s pager at a terminal, and nowhere else`() throws {
    let program = try Program()
    try program.write("x\n", to: "trip.md")
    try program.run("save", "trip.md")
    let pager = "export TERM=xterm GIT_PAGER='sed s/^/PAGED:/'"
    let terminal = "script -qec '\(Program.path) LINE' /dev/null"
    for line in ["log trip.md", "show trip.md"] {
      let shown = try program.shell("\(pager); \(terminal.replacing("LINE", with: line))")
      #expect(shown.exitCode == 0)
      #expect(shown.output.hasPrefix("PAGED:"), "\(shown.output)")
      #expect(try !program.shell("\(pager); docversions \(line)").output.contains("PAGED"))
    }
    // No line is lost with a missing pager, or with a program that isn't a pager.
    for name in ["cat", "no-such-pager"] {
      let line = terminal.replacing("LINE", with: "show trip.md")
      let shown = try program.shell("export TERM=xterm GIT_PAGER=\(name); \(line)")
      #expect(shown.output == "x\r\n")
    }
  }

  @Test func `a shell completes the versions of the document that was named`() throws {
    let program = try Program()
    for text in ["1", "2"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    func completed(_ words: String...) throws -> [String] {
      try program.run(
        ["---completion", "restore", "--", "positional@1", "3", "0", "docversions"] + words
      ).output.split(separator: "\n").map(String.init)
    }
    let versions = try program.versions(of: "trip.md").map { String($0.prefix(7)) }
    #expect(try completed("restore", "trip.md", "") == ["current"] + versions)
    #expect(try completed("restore", "none.md", "").isEmpty)
  }

  @Test func `a reader may stop reading`() throws {
    let program = try Program()
    try program.write((0..<200_000).map { "\($0)\n" }.joined(), to: "long.txt")
    let result = try program.shell(
      "set -o pipefail; docversions save long.txt | true; docversions show long.txt | head -n 1")
    #expect(result.exitCode == 0)
    #expect(result.output == "0\n")
    #expect(result.errorOutput.isEmpty)
  }

  @Test(arguments: ["show trip.md", "log trip.md --json"])
  func `what does not arrive whole is a failure`(_ line: String) throws {
    let program = try Program()
    try program.write("x\n", to: "trip.md")
    let result = try program.shell(
      "docversions save trip.md > saved && docversions \(line) > /dev/full")
    #expect(result.exitCode == 5)
  }

  @Test(arguments: [
    ("trip.md", "trip.md"), ("my trip.md", "'my trip.md'"), ("it's", "'it'\\''s'"), ("", "''"),
    ("~x", "'~x'"), ("a\nb", "$'a\\x0ab'"), ("Ünïcode", "Ünïcode"), ("$HOME", "'$HOME'"),
  ])
  func `words are quoted as a shell needs it`(_ text: String, _ word: String) {
    #expect(ShellWord.quoted(text) == word)
  }

  @Test(arguments: [
    ("current", "current", nil), (":a/b", "current", "a/b"), ("1234:a", "1234", "a"),
    ("~2", "~2", nil),
    ("@{2026-11-20 14:30}", "@{2026-11-20 14:30}", nil), ("@{yesterday}:a", "@{yesterday}", "a"),
  ])
  func `a version and a member are distinguished`(
    _ text: String, _ selector: String, _ member: String?
  ) throws {
    let argument = try #require(VersionArgument(argument: text))
    #expect(argument.selector == selector)
    #expect(argument.member == member)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_234, "1.2 kB"), (999_999, "1.0 MB"),
    (12_000_000, "12.0 MB"),
  ])
  func `sizes are rounded`(_ bytes: Int, _ text: String) {
    #expect(Wording.size(bytes) == text)
  }

  @Test func `columns line up whatever the script, and end at the terminal’s edge`() {
    let table = Table(rows: [
      [Table.Cell("一"), Table.Cell("x")], [Table.Cell("abc"), Table.Cell(""), Table.Cell("yz")],
    ])
    #expect(table.lines(width: 80) == ["一   x", "abc     yz"])
    #expect("abcdef".cut(toColumns: 4) == "abc…")
    #expect("一二三".cut(toColumns: 4) == "一…")
  }

  @Test(
    "Where there is no terminal, one long name makes no other line long", arguments: [1, 100_000])
  func longNames(count: Int) throws {
    var program = try Program()
    for number in 1...5 {
      try program.write("\(number)\n", to: "a.md")
      try program.run("save", "a.md")
    }
    program.device = String(repeating: "x", count: count)
    try program.write("last\n", to: "a.md")
    try program.run("save", "a.md")
    let lines = try program.run("log", "a.md").output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.utf8.count < 250 })
  }
}
