import DocumentTestSupport
import Foundation
import Testing

/// The commands of docversions while programs have documents open.
@Suite("Commands that coordinate")
struct CommandTests {
  private let scratch: ScratchFolder
  private let note: URL

  init() throws {
    scratch = try ScratchFolder()
    note = try scratch.write("a tent", to: "desk/Note.md")
    try docversions("save", note.path)
    try scratch.write("a map", to: "desk/Note.md")
    try docversions("save", note.path)
  }

  @discardableResult
  private func docversions(_ arguments: String...) throws -> Command.Result {
    try Command.run(BuiltProgram.url.path, arguments)
  }

  private var go: String { scratch["go"].path }

  @Test("presenters lists who has what open, and what was asked")
  func presenters() throws {
    let nothing = try docversions("presenters", note.path)
    #expect(nothing.output == "No program has anything open here.\n")
    let missing = try docversions("presenters", scratch["desk/None.md"].path)
    #expect(missing.exitCode == 3)
    let app = try TestProgram(["present \(note.path)", "wait \(go)"])
    #expect(try app.hasReported("presents"))
    #expect(try docversions("restore", note.path, "~1").exitCode == 0)
    #expect(try app.hasReported("changed"))
    let listed = try docversions("presenters", note.path)
    #expect(listed.exitCode == 0)
    for part in [
      "CoordinationProgram", "process \(app.identifier)", "relinquish", "save", "conclude",
    ] {
      #expect(listed.output.contains(part), "\(listed.output)")
    }
    let report = try docversions("presenters", "--json", scratch["desk"].path)
    #expect(report.output.contains("\"stopped\":false"), "\(report.output)")
    #expect(report.output.contains("\"kind\":\"save\""), "\(report.output)")
  }

  @Test(
    "A command does not wait with --no-wait, names the program, and does nothing",
    arguments: ["restore", "undo", "delete", "rename"])
  func impatient(command: String) throws {
    let holder = try TestProgram(["hold write \(note.path) \(go)"])
    #expect(try holder.hasReported("inside"))
    let rest = ["restore": ["~1"], "rename": ["New.md"]][command] ?? []
    let refused = try Command.run(BuiltProgram.url.path, [command, "--no-wait", note.path] + rest)
    #expect(refused.exitCode == 4, "\(refused.errorOutput)")
    #expect(refused.errorOutput.contains("(process \(holder.identifier))"))
    #expect(try scratch.read("desk/Note.md") == "a map")
    try scratch.write("", to: "go")
    #expect(try holder.end() == ["inside", "left"])
  }

  @Test("A command with --no-wait goes on where a program that has the document open answers")
  func answered() throws {
    let app = try TestProgram(["present \(note.path)", "wait \(go)"])
    #expect(try app.hasReported("presents"))
    // A busy machine may take longer than a program needs.
    let isDone = try eventually {
      try docversions("restore", "--no-wait", note.path, "~1").exitCode == 0
    }
    #expect(isDone)
    #expect(try app.hasReported("changed"))
  }

  @Test("A document that is restored while it is open is saved first, and shown afterwards")
  func restore() throws {
    let app = try TestProgram(["open \(note.path)", "type a stove", "await a tent"])
    #expect(try app.hasReported("typed"))
    let restored = try docversions("restore", note.path, "~1")
    #expect(restored.exitCode == 0, "\(restored.errorOutput)")
    #expect(try app.end().last == "shows a tent")
    let log = try docversions("log", "--json", note.path).output
    let versions = log.components(separatedBy: "\"id\"").count - 1
    #expect(versions >= 4, "\(log)")
  }

  @Test(
    "A save lets open documents save first, and keeps its note", arguments: ["Note.md", "--all"])
  func save(what: String) throws {
    let app = try TestProgram(["open \(note.path)", "type a stove", "wait \(go)"])
    #expect(try app.hasReported("typed"))
    let words = what == "--all" ? ["--all", scratch["desk"].path] : [note.path]
    let saved = try Command.run(BuiltProgram.url.path, ["save", "-m", "at the terminal"] + words)
    #expect(saved.exitCode == 0, "\(saved.errorOutput)")
    #expect(saved.output.hasPrefix("Saved "), "\(saved.output)")
    #expect(try docversions("show", note.path).output == "a stove")
    let log = try docversions("log", "-n", "1", note.path).output
    #expect(log.contains("at the terminal"), "\(log)")
    try scratch.write("", to: "go")
    _ = try app.end()
  }

  @Test("A program that can't save is named, and what is on disk is saved all the same")
  func saveWithoutAnswer() throws {
    let app = try TestProgram(["present \(note.path) refusing", "wait \(go)"])
    #expect(try app.hasReported("presents"))
    try scratch.write("a stove", to: "desk/Note.md")
    let saved = try docversions("save", note.path)
    #expect(saved.exitCode == 0, "\(saved.errorOutput)")
    #expect(saved.errorOutput.contains("(process \(app.identifier))"), "\(saved.errorOutput)")
    #expect(saved.output.hasPrefix("Saved "))
    #expect(try docversions("show", note.path).output == "a stove")
    #expect(try docversions("save", "--dry-run", note.path).errorOutput.isEmpty)
  }

  @Test("An exchange lets open documents save first")
  func exchange() throws {
    let app = try TestProgram(["open \(note.path)", "type a stove", "wait \(go)"])
    #expect(try app.hasReported("typed"))
    let outcome = try docversions("exchange", scratch["meeting"].path, scratch["desk"].path)
    #expect(outcome.exitCode == 0, "\(outcome.errorOutput)")
    #expect(try scratch.read("desk/Note.md") == "a stove")
    try scratch.write("", to: "go")
    _ = try app.end()
  }

  @Test("A document that is renamed or deleted by a command is followed")
  func follows() throws {
    let app = try TestProgram(["present \(note.path)", "wait \(go)"])
    #expect(try app.hasReported("presents"))
    #expect(try docversions("rename", note.path, "List.md").exitCode == 0)
    #expect(try app.hasReported("moved to List.md"))
    #expect(try docversions("delete", scratch["desk/List.md"].path).exitCode == 0)
    #expect(try app.hasReported("make way"))
  }
}
