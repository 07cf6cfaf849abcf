import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Open documents in one program, and accesses of others.
@Suite("Documents that coordinate")
struct DocumentTests {
  private let scratch: ScratchFolder
  private let note: URL

  init() throws {
    scratch = try ScratchFolder()
    note = try scratch.write("a tent", to: "desk/Note.md")
    try FileManager.default.createDirectory(
      at: scratch["desk/.docversions/documents"], withIntermediateDirectories: true)
  }

  private var go: String { scratch["go"].path }

  @Test("What was typed is saved before another program reads")
  func savesFirst() throws {
    let app = try TestProgram(["open \(note.path)", "type a map", "wait \(go)"])
    #expect(try app.hasReported("typed"))
    let reader = try TestProgram(["read \(note.path)"])
    #expect(try reader.end() == ["read a map"])
    try scratch.write("", to: "go")
    let reports = try app.end()
    #expect(!reports.contains { $0.hasPrefix("error") })
  }

  @Test("What another program writes is shown")
  func shows() throws {
    let app = try TestProgram(["open \(note.path)", "await a stove"])
    #expect(try app.hasReported("opened a tent"))
    let writer = try TestProgram(["write \(note.path) a stove"])
    #expect(try writer.end() == ["written"])
    #expect(try app.end().last == "shows a stove")
  }

  @Test("An app that is stopped with unsaved text loses nothing: what it had becomes a conflict")
  func takenOver() throws {
    let app = try TestProgram([
      "open \(note.path)", "type a map", "wait \(go)", "read \(note.path)",
    ])
    #expect(try app.hasReported("typed"))
    app.signal(SIGSTOP)
    let writer = try TestProgram(["patience 300", "takeover", "write \(note.path) a stove"])
    #expect(try writer.end() == ["written"])
    app.signal(SIGCONT)
    // The next access makes it save.
    let reader = try TestProgram(["read \(note.path)"])
    #expect(try reader.end().first?.hasPrefix("read") == true)
    let listed = try Command.run(BuiltProgram.url.path, ["conflicts", "--json", note.path])
    #expect(
      listed.output.utf8.count > 40 && listed.output.contains("mira-laptop"), "\(listed.output)")
    try scratch.write("", to: "go")
    _ = try app.end()
  }

  @Test("A document that is deleted by another program is closed, and what was typed is a version")
  func deleted() throws {
    let app = try TestProgram(["open \(note.path)", "type a map", "wait \(go)"])
    #expect(try app.hasReported("typed"))
    let deletion = try TestProgram(["delete \(note.path)"])
    #expect(try deletion.end() == ["deleted"])
    let shown = try Command.run(BuiltProgram.url.path, ["show", note.path, "@"])
    #expect(shown.output.contains("a map"), "\(shown.errorOutput)")
  }
}
