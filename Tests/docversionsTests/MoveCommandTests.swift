internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// `move`, as a person uses it.
@Suite(.blocks)
struct MoveCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("one\n", to: "here/a.md")
    try program.write("x", to: "there/b.md")
    for folder in ["here", "there"] {
      try program.run("container", "init", folder)
      try program.run("save", "--all", folder)
    }
  }

  @Test func `a document is moved into a folder, and back with the line that is printed`() throws {
    let moved = try program.run("move", "here/a.md", "there")
    #expect(moved.exitCode == 0, "\(moved.errorOutput)")
    #expect(moved.output.hasPrefix("Moved here/a.md to there/a.md · "))
    #expect(!program.exists("here/a.md"))
    #expect(try program.read("there/a.md") == "one\n")
    #expect(try program.versions(of: "there/a.md").count == 2)
    let line = try #require(moved.output.split(separator: "\n").last)
    let back = try program.shell(String(line.drop { $0 != "d" }))
    #expect(back.exitCode == 0, "\(back.errorOutput)")
    #expect(try program.read("here/a.md") == "one\n")
    #expect(try program.run("conflicts", "here").output.contains("No") == true)
  }

  @Test func `undo moves it back, from either place`() throws {
    for place in ["there/a.md", "here/a.md"] {
      try program.run("move", "here/a.md", "there")
      let dry = try program.run("undo", place, "--dry-run")
      #expect(dry.output.hasPrefix("Would undo the move "), "\(dry.errorOutput)")
      let undone = try program.run("undo", place)
      #expect(undone.exitCode == 0, "\(undone.errorOutput)")
      #expect(undone.output.hasPrefix("Undid the move "))
      #expect(undone.output.contains("It is in its place again: here/a.md"))
      #expect(try program.read("here/a.md") == "one\n")
      #expect(!program.exists("there/a.md"))
    }
    let again = try program.run("undo", "here/a.md")
    #expect(again.exitCode == 2)
    #expect(again.errorOutput.contains("Move it back"))
  }

  @Test func `in a container, the log names the folder that a document was moved to`() throws {
    try program.write("two\n", to: "here/sub/b.md")
    try program.run("move", "here/a.md", "here/sub")
    try program.run("rename", "here/sub/a.md", "c.md")
    let log = try program.run("log", "here/sub/c.md").output
    #expect(log.contains("renamed to c.md\n"))
    #expect(log.contains("moved to sub/a.md\n"))
    #expect(!log.contains("renamed to a.md"))
    // Also where the version before it isn't listed.
    #expect(try program.run("log", "-n2", "here/sub/c.md").output.contains("moved to sub/a.md\n"))
    try program.run("undo", "here/sub/c.md")
    let undone = try program.run("move", "here/sub/a.md", "here")
    #expect(undone.exitCode == 0)
    let back = try program.run("undo", "here/a.md")
    #expect(back.output.hasPrefix("Undid the move "))
    #expect(back.output.contains("It is in its place again: here/sub/a.md"))
  }

  @Test func `a document that is moved away and back was in no conflict`() throws {
    for _ in 1...2 {
      try program.run("move", "here/a.md", "there")
      try program.run("move", "there/a.md", "here")
    }
    let log = try program.run("log", "here/a.md").output
    #expect(log.split(separator: "\n").count == 8)
    #expect(!log.contains("conflict"), "\(log)")
  }

  @Test func `answers in JSON, and reports what it would do`() throws {
    let dry = try program.run("move", "here/a.md", "there/c.md", "--dry-run")
    #expect(dry.output.hasPrefix("Would move here/a.md to there/c.md"))
    #expect(program.exists("here/a.md"))
    let answer = try program.json("move", "here/a.md", "there/c.md")
    #expect(answer.keys.sorted() == ["document", "version"])
    #expect(answer["document"] as? String == program.folder["there/c.md"].path)
  }

  @Test(arguments: [
    ["here/a.md", "there/b.md"], ["here/a.md", "nowhere/c.md"], ["here/none.md", "there"],
  ])
  func `what can't be done is refused, and nothing changes`(arguments: [String]) throws {
    let refused = try program.run(["move"] + arguments)
    #expect(refused.exitCode != 0)
    #expect(!refused.errorOutput.isEmpty)
    #expect(try program.read("here/a.md") == "one\n")
    #expect(try program.read("there/b.md") == "x")
  }
}
