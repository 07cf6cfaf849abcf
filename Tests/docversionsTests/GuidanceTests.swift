internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

@testable internal import docversions

/// The hints after mistakes: every one can be followed.
@Suite(.blocks)
struct GuidanceTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("day 1\n", to: "trip.imagenotes/pages/day-1.txt")
    try program.write("a tent\n", to: "a.md")
    try program.run("save", "trip.imagenotes", "a.md")
  }

  // MARK: Many documents

  @Test func `of many failures of one kind ten are reported, and the others are counted`() throws {
    let names = (1...13).map { "\($0).md" }
    let failed = try program.run(["save"] + names)
    #expect(failed.exitCode == 3)
    #expect(failed.errorOutput.components(separatedBy: "error: ").count == 11)
    #expect(
      failed.errorOutput.hasSuffix("3 more documents failed in the same way (not-found).\n"))
    let answer = try program.run(["save", "--json"] + names)
    #expect(answer.errorOutput.components(separatedBy: "\"error\"").count == 14)
  }

  // MARK: What is no document

  @Test(arguments: [
    "log trip.imagenotes/pages/day-1.txt", "diff trip.imagenotes/pages/day-1.txt",
    "restore trip.imagenotes/pages/day-1.txt ~1", "status trip.imagenotes/pages/day-1.txt",
    "log trip.imagenotes/pages", "status trip.imagenotes/pages",
    "save trip.imagenotes/pages/day-1.txt", "save --package trip.imagenotes/pages",
  ])
  func `a member of a package is reported as one, and its package is named`(_ line: String) throws {
    let result = try program.shell("docversions \(line)")
    #expect(result.exitCode == (line.hasPrefix("save") ? 2 : 3))
    #expect(result.errorOutput.contains("” is a member of “trip.imagenotes”, and "))
    try follow(result.errorOutput)
  }

  @Test(arguments: ["thin --keep-last 1 .", "restore . ~1", "undelete ."])
  func `a folder with documents is reported as one, and its documents are listed`(
    _ line: String
  ) throws {
    let result = try program.shell("docversions \(line)")
    #expect(result.exitCode == 3)
    #expect(result.errorOutput.contains("” is a folder with documents, not a document."))
    #expect(result.errorOutput.hasSuffix("  List them:  docversions status .\n"))
    try follow(result.errorOutput)
  }

  @Test func `saving a folder with documents hints at saving those`() throws {
    let result = try program.run("save", ".")
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.hasSuffix("  Save the documents in it:  docversions save --all .\n"))
    try follow(result.errorOutput)
  }

  @Test func `a folder in a file's place is saved as status says`() throws {
    try FileManager.default.removeItem(at: program.folder["a.md"])
    try program.write("1", to: "a.md/1")
    try follow(program.run("status").output)
  }

  /// Pastes the command after the last colon.
  private func follow(_ output: String) throws {
    let hint = try #require(output.components(separatedBy: ":  ").last)
    #expect(hint.hasPrefix("docversions "), "\(output)")
    let pasted = try program.shell(hint)
    #expect(pasted.exitCode == 0, "\(hint) \(pasted.errorOutput)")
  }

  // MARK: Times

  @Test func `what log prints is a time that versions are named by`() throws {
    try program.write("two tents\n", to: "a.md")
    try program.run("save", "a.md", environment: ["DOCVERSIONS_NOW": "2031-05-06 07:08"])
    let versions = try program.json("log", "a.md")["versions"] as? [[String: Any]] ?? []
    let saved = try #require(versions.first?["saved"] as? String)
    #expect(saved == "2031-05-06T07:08:00.000Z")
    for time in [saved, "2031-05-06T07:08:00Z", "2031-05-06T08:08+01:00", "2031-05-06 07:08"] {
      #expect(try program.run("show", "a.md", "@{\(time)}").output == "two tents\n", "\(time)")
    }
    #expect(try program.run("show", "a.md", "@{2031-05-06T07:07Z}").output == "a tent\n")
  }

  @Test func `a time before the first save says when that was`() throws {
    let result = try program.run("show", "a.md", "@{2020-01-01}")
    #expect(result.exitCode == 3)
    #expect(
      result.errorOutput.contains("“a.md” had no version then: the first one here was saved "))
    #expect(result.errorOutput.hasSuffix("  List them:  docversions log a.md\n"))
  }

  @Test func `a time that the shell took apart is to be quoted`() throws {
    let result = try program.shell("docversions show a.md @{2 days ago}")
    #expect(result.exitCode == 2)
    #expect(result.errorOutput.hasSuffix("  Quote it:  '@{2 days ago}'\n"))
  }

  // MARK: Commands and options

  @Test(arguments: [
    ("sav", "save"), ("history", "log"), ("commit", "save"), ("checkout", "restore"),
    ("rm", "delete"), ("synch", "sync"), ("push", "sync"), ("reslove", "resolve"),
    ("confl", "conflicts"),
  ])
  func `an unknown command suggests the nearest`(_ typed: String, _ command: String) throws {
    let result = try program.run(typed, "a.md")
    #expect(result.exitCode == 2)
    #expect(
      result.errorOutput.hasSuffix(
        "  Perhaps you mean “\(command)”:  docversions help \(command)\n"))
  }

  @Test func `what is like no command lists all`() throws {
    let result = try program.run("xyzzyplugh")
    #expect(result.errorOutput.hasSuffix("  List them:  docversions help\n"))
  }

  @Test(arguments: [
    ("thin --keep-daly 2 a.md", "--keep-daly"),
    ("resolve --merge --latest a.md", "Only one of --latest and --merge."),
    ("show a.md 999", "An identifier needs four digits or more."),
    ("show a.md conflict/1", "It is in no conflict."),
    ("merge a.md a.md a.md -o - --decisions -", "Only one of -o and --decisions"),
  ])
  func `mistakes are reported as what they are`(_ line: String, _ words: String) throws {
    let result = try program.shell("docversions \(line)")
    #expect([2, 3].contains(result.exitCode))
    #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
  }

  @Test func `what stays as it was is said`() throws {
    let id = try #require(try program.versions(of: "a.md").first).prefix(7)
    #expect(
      try program.run("save", "a.md", "-mfirst", "a.md").output
        == "a.md is unchanged · \(id) · no version was made, and the note was not kept\n")
    #expect(try program.run("unpin", "a.md", "current").output == "\(id) of a.md is not pinned.\n")
    #expect(try program.run("rename", "a.md", "a.md").output == "a.md has that name already.\n")
    #expect(try program.run("status", "a.md", "a.md").output == "a.md  unchanged  1 version\n")
    #expect(try program.versions(of: "a.md").count == 1)
  }

  @Test func `a version is removed once, and that is undone once`() throws {
    try program.write("two tents\n", to: "a.md")
    try program.run("save", "a.md", "-msecond")
    #expect(try program.run("log", "a.md").output.contains("second"))
    let first = try #require(try program.versions(of: "a.md").last).prefix(7)
    let removed = try program.run("remove", "a.md", "~1", "~1").output
    #expect(removed.hasPrefix("Removed \(first) of a.md from this device"))
    #expect(
      try program.run("undo", "a.md").output.hasPrefix("Undid the removal of versions of a.md"))
    try program.run("restore", "a.md", "~1")
    try program.run("undo", "a.md")
    let again = try program.run("undo", "a.md")
    #expect(again.errorOutput.contains("  Do it again:  docversions restore a.md "))
    try follow(again.errorOutput)
    #expect(try program.read("a.md") == "a tent\n")
  }

  @Test func `help that does not arrive is a failure, and json is a topic of it`() throws {
    #expect(try program.shell("docversions help >/dev/full").exitCode == 5)
    let topic = try program.run("help", "json").output
    let version = try #require(
      (program.json("log", "a.md")["versions"] as? [[String: Any]])?.first)
    for key in version.keys { #expect(topic.contains("\n  \(key) "), "\(key)") }
    let lines = (topic + (try program.run("help").output)).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  // MARK: Merging

  @Test func `what is left of a merge names the file`() throws {
    try program.write(#"{"a": 1}"#, to: "b")
    try program.write(#"{"a": 2}"#, to: "o")
    try program.write(#"{"a": 3}"#, to: "t")
    let result = try program.run("merge", "b", "o", "t", "--name", "c/a.json", "-o", "out")
    #expect(result.errorOutput == "c/a.json: /a: Both sides changed “a”, differently.\n")
    let decisions = try program.run("merge", "b", "o", "t", "-o", "out", "--decisions", "-")
    #expect(try Program.object(decisions.output)["complete"] as? Bool == false)
    #expect(!program.exists("-"))
    #expect(try program.run("merge", "/dev/null", "o", "o", "-o", "-").output == #"{"a": 2}"#)
    let refused = try program.run("merge", "b", "o", "/dev/null")
    #expect(refused.exitCode == 5)
    #expect(refused.errorOutput.contains("“/dev/null” isn’t a file, and can’t be merged."))
  }

  // MARK: Lines

  @Test func `a long name gives way before the other columns`() {
    let name = String(repeating: "long ", count: 20) + "name.md"
    let table = Table(rows: [
      [Table.Cell(name, room: .yielding), Table.Cell("edited"), Table.Cell("2 versions")],
      [Table.Cell("a.md", room: .yielding), Table.Cell("unchanged"), Table.Cell("1 version")],
    ])
    let lines = table.lines(width: 50)
    #expect(lines.allSatisfy { $0.columns <= 50 })
    #expect(lines[0].hasPrefix("long ") && lines[0].contains("…"))
    #expect(lines[0].contains("name.md  edited     2 versions"))
    #expect(lines[1].hasSuffix("  unchanged  1 version"))
    #expect("abcdefghij".shortened(toColumns: 7) == "abc…hij")
  }

  @Test func `a narrow terminal cuts no count, and folds rows instead`() {
    let table = Table(rows: [
      [
        Table.Cell("a long name of a note.md", room: .yielding), Table.Cell("unchanged"),
        Table.Cell("12 versions"), Table.Cell("1 unresolved conflict"),
        Table.Cell("not exchanged yet"),
      ]
    ])
    let lines = table.lines(width: 40)
    #expect(lines.allSatisfy { $0.columns <= 40 })
    #expect(
      lines == [
        "a long name of a note.md  unchanged", "  12 versions  1 unresolved conflict",
        "  not exchanged yet",
      ])
  }
}
