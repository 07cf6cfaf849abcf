internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Commands that take a folder, or several documents, as a person uses them.
@Suite(.blocks)
struct FolderCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for name in ["a.md", "b.md", "sub/c.md"] { try program.write("one\n", to: name) }
    try program.run("save", "--all", ".")
  }

  @Test func `diff without a document shows all that is edited`() throws {
    #expect(try program.run("diff").output.isEmpty)
    for name in ["a.md", "sub/c.md"] { try program.write("one\ntwo\n", to: name) }
    let all = try program.run("diff").output
    #expect(all.contains("+++ a.md\t") && all.contains("+++ sub/c.md\t"))
    #expect(!all.contains("b.md"))
    #expect(try !program.run("diff", "sub").output.contains("a.md"))
    #expect(try program.run("diff", "--stat").output == "~ a.md  +1\n~ sub/c.md  +1\n")
    #expect(try program.run("diff", "--exit-code").exitCode == 1)
    let documents = try program.json("diff")["documents"] as? [[String: Any]]
    #expect(documents?.map { $0["different"] as? Bool } == [true, true])
    try program.run("save", "--all", ".")
    #expect(try program.run("diff", "--exit-code").exitCode == 0)
  }

  @Test func `log without a document lists the newest versions of the folder`() throws {
    try program.write("two\n", to: "a.md")
    try program.run("save", "a.md")
    try program.run("delete", "b.md")
    let lines = try program.run("log").output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.prefix(2).contains { $0.contains("  b.md ") && $0.hasSuffix("deleted") })
    #expect(try program.run("log", "sub").output.split(separator: "\n").count == 1)
    let answer = try program.json("log", "-n2")
    let versions = try #require(answer["versions"] as? [[String: Any]])
    let documents = Set(versions.compactMap { $0["document"] as? String })
    #expect(documents == Set(["a.md", "b.md"].map { program.folder[$0].path }))
    #expect(Set(versions.compactMap { $0["kind"] as? String }) == ["save", "delete"])
    #expect(try program.run("log", "--stat").exitCode == 2)
  }

  @Test func `several documents are deleted, and a failure does not stop the others`() throws {
    let deleted = try program.run("delete", "a.md", "none.md", "sub/c.md")
    #expect(deleted.exitCode == 3)
    #expect(deleted.errorOutput.contains("none.md"))
    #expect(!program.exists("a.md") && !program.exists("sub/c.md") && program.exists("b.md"))
    let answer = try program.json("delete", "b.md")
    #expect(answer.keys.sorted() == ["document", "version"])
    let several = try program.json("delete", "a.md", "b.md")["documents"] as? [[String: Any]]
    #expect(several?.count == 2)
  }

  @Test func `what is missing in a folder is deleted, or comes back, in one step`() throws {
    for number in 1...6 { try program.write("\(number)\n", to: "X/in/\(number).md") }
    try program.run("save", "--all")
    try program.run("delete", "X/in/6.md")
    try FileManager.default.removeItem(at: program.folder["X"])
    try FileManager.default.removeItem(at: program.folder["b.md"])
    try program.write("moved\n", to: "Y/5.md")
    let status = try program.run("status").output
    #expect(status.contains("Delete them on every device:  docversions delete .\n"), "\(status)")
    #expect(status.contains("Bring them back:  docversions restore . current\n"), "\(status)")
    // What was deleted before has no current version.
    let restored = try program.run("restore", "X", "current")
    #expect(restored.exitCode == 0)
    #expect(restored.output.split(separator: "\n").count == 5, "\(restored)")
    #expect(try program.read("X/in/5.md") == "5\n")
    #expect(!program.exists("X/in/6.md") && !program.exists("b.md"))
    #expect(try program.run("restore", "X", "current").exitCode == 3)

    try FileManager.default.removeItem(at: program.folder["X/in/1.md"])
    try FileManager.default.removeItem(at: program.folder["X/in/2.md"])
    let deleted = try program.json("delete", "X")["documents"] as? [[String: Any]]
    #expect(deleted?.count == 2)
    #expect(program.exists("X/in/3.md"))
    #expect(try program.run("status", "b.md").output.contains("missing"))
    // Nothing that is there is deleted.
    #expect(try program.run("delete", "X").errorOutput.contains("is a folder with documents"))
    #expect(program.exists("X/in/3.md"))
    let back = try program.json("restore", "X", "~1")["documents"] as? [[String: Any]]
    #expect(back?.count == 3)
    #expect(try program.read("X/in/6.md") == "6\n")
  }

  @Test func `a folder behind a link is listed like any other`() throws {
    let other = try Program()
    try other.write("n\n", to: "n.md")
    try other.run("save", "n.md")
    try FileManager.default.createSymbolicLink(
      at: program.folder["link"], withDestinationURL: other.folder.url)
    for command in ["status", "log", "diff"] {
      let result = try program.run(command, "link")
      #expect(result.exitCode == 0, "\(command): \(result)")
    }
    #expect(try program.run("status", "link").output.contains("n.md"))
  }

  @Test(arguments: ["../r.git", "./r.git", "r.git", "sub/../r.git"])
  func `a remote may be named by a path`(path: String) throws {
    try FileManager.default.createDirectory(
      at: program.folder["r.git"], withIntermediateDirectories: false)
    let added = try program.run("remote", "add", "origin", path)
    #expect(added.exitCode == 0, "\(added.errorOutput)")
    let place =
      path == "../r.git"
      ? program.folder.url.deletingLastPathComponent().appending(path: "r.git").path
      : program.folder["r.git"].path
    #expect(added.output.contains("Added origin: file://\(place)\n"))
  }

  @Test(
    "A renamed document that a command has shown stays the same one if an editor replaces it",
    arguments: [["status"], ["save", "--all"], ["log", "sub/d.md"]])
  func renamedAndReplaced(command: [String]) throws {
    try FileManager.default.moveItem(
      at: program.folder["sub/c.md"], to: program.folder["sub/d.md"])
    #expect(try program.run(command).exitCode == 0)
    try program.write("one\ntwo\n", to: "new.tmp")
    #expect(rename(program.folder["new.tmp"].path, program.folder["sub/d.md"].path) == 0)
    #expect(try !program.run("status").output.contains("missing"))
    #expect(try program.run("save", "--all").output.hasPrefix("Saved sub/d.md"))
    #expect(try program.versions(of: "sub/d.md").count == 2)
  }

  @Test(
    "A document whose file another one has replaced unchanged is followed when it is renamed and edited",
    arguments: [["status"], ["save", "--all"], ["watch", "--once"]])
  func replacedUnchanged(command: [String]) throws {
    let files = FileManager.default
    try files.copyItem(at: program.folder["a.md"], to: program.folder["new.tmp"])
    #expect(rename(program.folder["new.tmp"].path, program.folder["a.md"].path) == 0)
    #expect(try program.run(command).exitCode == 0)
    try files.moveItem(at: program.folder["a.md"], to: program.folder["m.md"])
    let file = try FileHandle(forWritingTo: program.folder["m.md"])
    try file.seekToEnd()
    try file.write(contentsOf: Data("two\n".utf8))
    try file.close()
    try program.run("save", "--all")
    #expect(try program.versions(of: "m.md").count == 2)
    #expect(try !program.run("status").output.contains("missing"))
  }

  @Test("A renamed document that a command has shown is followed when it is renamed once more")
  func renamedAgain() throws {
    let files = FileManager.default
    try files.moveItem(at: program.folder["a.md"], to: program.folder["m.md"])
    #expect(try program.run("status").exitCode == 0)
    try files.moveItem(at: program.folder["m.md"], to: program.folder["q.md"])
    try program.write("another\n", to: "m.md")
    try program.run("save", "m.md", "q.md")
    #expect(try program.versions(of: "m.md").count == 1)
    #expect(try program.run("log", "q.md").output.contains("renamed to q.md"))
  }

  @Test(
    "An edited document that was renamed by hand is saved by every command that saves what is edited",
    arguments: [["save", "--all"], ["sync", "--save"], ["watch", "--once", "--every", "1s"]])
  func renamed(command: [String]) throws {
    try program.run("remote", "add", "origin", program.folder["exchange"].path)
    try FileManager.default.moveItem(
      at: program.folder["sub/c.md"], to: program.folder["sub/d.md"])
    try program.write("one\ntwo\n", to: "sub/d.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -600)],
      ofItemAtPath: program.folder["sub/d.md"].path)
    let run = try program.run(command)
    #expect(run.exitCode == 0, "\(run)")
    #expect(run.output.contains("sub/d.md"), "\(run)")
    // An editor that replaces the file now edits the same document.
    try FileManager.default.removeItem(at: program.folder["sub/d.md"])
    try program.write("another\n", to: "sub/d.md")
    try program.run("save", "--all")
    #expect(try program.versions(of: "sub/d.md").count == 3)
    #expect(try program.run("status").output.contains("3 documents"))
  }

  @Test(
    "A moved document and a new one with its name are kept apart by every command that saves what is edited",
    arguments: [["save", "--all"], ["sync", "--save"], ["watch", "--once", "--every", "1s"]],
    ["sub/d.md", "other/d.md"])
  func reusedName(command: [String], place: String) throws {
    try program.run("remote", "add", "origin", program.folder["exchange"].path)
    let former = try program.read("sub/c.md")
    let first = try program.versions(of: "sub/c.md").last
    try FileManager.default.createDirectory(
      at: program.folder["other"], withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: program.folder["sub/c.md"], to: program.folder[place])
    try program.write("new\n", to: "sub/c.md")
    for name in ["sub/c.md", place] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -600)],
        ofItemAtPath: program.folder[name].path)
    }
    let run = try program.run(command)
    #expect(run.exitCode == 0, "\(run)")
    #expect(try program.run("show", "sub/c.md").output == "new\n")
    #expect(try program.versions(of: "sub/c.md").count == 1)
    #expect(try program.run("show", place).output == former)
    #expect(try program.versions(of: place).last == first)
  }

  @Test(
    "A package of no declared type that was moved is saved where it is, and its members aren’t new")
  func movedPackage() throws {
    for name in ["1", "2"] { try program.write(name, to: "trip.imagenotes/\(name).txt") }
    try program.run("save", "trip.imagenotes")
    try FileManager.default.moveItem(
      at: program.folder["trip.imagenotes"], to: program.folder["sub/trip.imagenotes"])
    try program.write("more", to: "sub/trip.imagenotes/1.txt")
    let status = try program.run("status")
    #expect(!status.output.contains("new"), "\(status.output)")
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 0, "\(saved)")
    #expect(try program.versions(of: "sub/trip.imagenotes").count == 2)
  }

  @Test(
    "A document whose first save was killed is saved by every command that saves what is edited",
    arguments: [["save", "--all"], ["sync", "--save"], ["watch", "--once", "--every", "1s"]])
  func begun(command: [String]) throws {
    try program.run("remote", "add", "origin", program.folder["exchange"].path)
    let store = program.folder[".docversions/documents/sub/c.md.git"]
    for part in ["refs/heads/main", "ledger", "version-index", "working-file"] {
      try FileManager.default.removeItem(at: store.appending(path: part))
    }
    let packs = store.appending(path: "objects/pack")
    for pack in try FileManager.default.contentsOfDirectory(atPath: packs.path) {
      try FileManager.default.removeItem(at: packs.appending(path: pack))
    }
    try program.write("new\n", to: "sub/c.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -600)],
      ofItemAtPath: program.folder["sub/c.md"].path)
    let doctor = try program.run("doctor", "sub/c.md")
    #expect(doctor.output.contains("docversions save sub/c.md"), "\(doctor)")
    #expect(try program.run("sync").output.contains("sub/c.md"))
    let run = try program.run(command)
    #expect(run.exitCode == 0, "\(run)")
    #expect(try program.versions(of: "sub/c.md").count == 1)
    #expect(try program.run("show", "sub/c.md").output == "new\n")
  }

  @Test func `what is neither a path nor an address is refused`() throws {
    #expect(try program.run("remote", "add", "origin", "nowhere").exitCode == 2)
  }

  @Test("A deletion in conflict with a version that arrived before it is reported as such")
  func deletedTooEarly() throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    try program.write("text", to: "n.md")
    try program.run("save", "--all")
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    try tom.write("text of Tom", to: "n.md")
    try tom.run("save", "n.md")
    try tom.run("sync")
    try FileManager.default.removeItem(at: program.folder["n.md"])
    try program.run("sync")
    let deleted = try program.run("delete", "n.md").output
    #expect(deleted.contains("The deletion of n.md") && deleted.contains("in conflict with"))
    let hints = deleted.split(separator: "docversions resolve ").dropFirst()
    let hint = try #require(hints.first?.split(separator: "\n").first)
    let words = hint.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(try program.run(["resolve"] + words).exitCode == 0)
    #expect(!program.exists("n.md"))
  }
}
