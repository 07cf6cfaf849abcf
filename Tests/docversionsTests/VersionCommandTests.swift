internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Saving, listing, showing, restoring: the built program, as a person uses it.
@Suite(.blocks)
struct VersionCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a tent\n", to: "trip.md")
    try program.run("save", "trip.md", "-m", "first plan")
  }

  @Test func `saving says what was saved, and a second time that nothing changed`() throws {
    try program.write("a tent\na map\n", to: "trip.md")
    let saved = try program.run("save", "trip.md")
    let id = try #require(try program.versions(of: "trip.md").first).prefix(7)
    #expect(saved.output == "Saved trip.md · \(id) · 13 bytes\n")
    #expect(try program.run("save", "trip.md").output == "trip.md is unchanged · \(id)\n")
    #expect(try program.versions(of: "trip.md").count == 2)
  }

  @Test func `of several documents the good ones are saved, and the first failure decides`() throws
  {
    try program.write("b", to: "b.txt")
    let result = try program.run("save", "missing.txt", "b.txt")
    #expect(result.exitCode == 3)
    #expect(result.output.hasPrefix("Saved b.txt · "))
    #expect(result.errorOutput.contains("missing.txt"))
  }

  @Test func `a dry run saves nothing`() throws {
    try program.write("changed", to: "trip.md")
    try program.write("new", to: "new.md")
    let result = try program.run("save", "--dry-run", "trip.md", "new.md")
    #expect(result.exitCode == 0)
    #expect(result.output.contains("Would save new.md · its first version"))
    #expect(try program.versions(of: "trip.md").count == 1)
    #expect(try program.run("log", "new.md").exitCode == 3)
  }

  @Test func `the log in a pipe is plain, with full dates`() throws {
    let log = try program.run("log", "trip.md").output
    #expect(
      log.contains(
        /^[0-9a-f]{7}  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  Mira · mira-laptop  \+1  current  first plan\n$/
      ))
  }

  @Test func `the clock can be fixed`() throws {
    try program.write("later", to: "trip.md")
    try program.run("save", "trip.md", environment: ["DOCVERSIONS_NOW": "2031-05-06T07:08:09Z"])
    let versions = try program.json("log", "trip.md")["versions"] as? [[String: Any]]
    #expect(versions?.first?["saved"] as? String == "2031-05-06T07:08:09.000Z")
  }

  @Test func `status shows the state of each document`() throws {
    for name in ["edited", "gone", "deleted"] {
      try program.write(name, to: name)
      try program.run("save", name)
    }
    try program.write("more", to: "edited")
    try FileManager.default.removeItem(at: program.folder["gone"])
    try program.run("delete", "deleted")
    try program.write("new", to: "new.md")
    let documents = try program.json("status", ".", "new.md")["documents"] as? [[String: Any]] ?? []
    let states = documents.map { document in
      let name = (document["document"] as? String)?.split(separator: "/").last ?? ""
      return "\(name) \(document["state"] as? String ?? "")"
    }
    #expect(
      states == [
        "deleted deleted", "edited edited", "gone missing", "trip.md unchanged", "new.md unsaved",
      ])
    #expect(try program.run("status").output.contains("docversions save edited"))
  }

  @Test func `status of a folder follows what was renamed in it`() throws {
    try program.write("other", to: "other.md")
    try program.run("save", "other.md")
    try #require(program.shell("mv trip.md 'a trip.md' && rm other.md").exitCode == 0)
    let status = try program.run("status")
    let lines = "other.md   missing    1 version\na trip.md  unchanged  1 version\n"
    #expect(status.output.hasPrefix(lines))
    #expect(!status.output.contains("restore trip.md"))
  }

  @Test func `show writes the bytes as they are`() throws {
    let bytes = Data([0, 0xFF, 0x0A, 0x0D, 0x0A, 0x1B, 0x80])
    try bytes.write(to: program.folder["photo.bin"])
    let result = try program.shell(
      "docversions save photo.bin && docversions show photo.bin > out && cmp out photo.bin")
    #expect(result.exitCode == 0)
  }

  @Test func `a package’s members are listed, and shown one by one`() throws {
    try program.write("one", to: "notes.pkg/pages/1.txt")
    try program.run("save", "notes.pkg")
    #expect(try program.run("show", "notes.pkg").output.contains("pages/1.txt"))
    #expect(try program.run("show", "notes.pkg", "current:pages/1.txt").output == "one")
    #expect(try program.run("show", "notes.pkg", ":pages/1.txt").output == "one")
    let missing = try program.run("show", "notes.pkg", "current:pages/2.txt")
    #expect(missing.exitCode == 3)
  }

  @Test func `diff in a pipe is a patch`() throws {
    try program.write((1...9).map { "\($0)\n" }.joined(), to: "n.txt")
    try program.run("save", "n.txt")
    try program.write((1...9).map { $0 == 5 ? "five\n" : "\($0)\n" }.joined() + "end", to: "n.txt")
    let diff = try program.run("diff", "n.txt")
    #expect(diff.exitCode == 0)
    #expect(diff.output.contains("@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"))
    #expect(diff.output.hasSuffix("+end\n\\ No newline at end of file\n"))
    #expect(try program.run("diff", "n.txt", "--exit-code").exitCode == 1)
    let patched = try program.shell(
      "docversions diff n.txt > p && docversions restore n.txt current && patch -s n.txt p && cat n.txt"
    )
    #expect(patched.output.hasSuffix("five\n6\n7\n8\n9\nend"))
  }

  @Test func `texts that differ only in what is no character do not look alike`() throws {
    let text = Data([0xFF, 0xFE]) + (Data("tent".utf8).flatMap { [$0, 0] })
    try text.write(to: program.folder["wide.txt"])
    try program.run("save", "wide.txt")
    for end in [[0x78], [0x00, 0xD8], [0x01, 0xDC]] as [[UInt8]] {
      try (text + end).write(to: program.folder["wide.txt"])
      try program.run("save", "wide.txt")
      try (text + end.map { $0 ^ 2 }).write(to: program.folder["wide.txt"])
      #expect(try program.run("diff", "wide.txt").output.contains("is not text"))
    }
    try (text + [0x78, 0, 0x0A, 0]).write(to: program.folder["wide.txt"])
    try program.run("save", "wide.txt")
    try (text + [0x79, 0, 0x0A, 0]).write(to: program.folder["wide.txt"])
    #expect(try program.run("diff", "wide.txt").output.contains("-tentx\n+tenty\n"))
  }

  @Test func `diff of a package names members, and shows those that are text`() throws {
    for (name, text) in ["kept": "k", "old": "o", "text": "a\n", "binary": "a\0"] {
      try program.write(text, to: "p.pkg/\(name)")
    }
    try program.run("save", "p.pkg")
    try FileManager.default.removeItem(at: program.folder["p.pkg/old"])
    for (name, text) in ["new": "n", "text": "b\n", "binary": "b\0"] {
      try program.write(text, to: "p.pkg/\(name)")
    }
    let lines = try program.run("diff", "p.pkg").output.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == ["~ binary  is not text: 2 bytes before, 2 bytes now", "+ new", "− old"])
    #expect(lines.suffix(2) == ["-a", "+b"])
  }

  @Test func `restoring keeps unsaved edits first`() throws {
    let first = try #require(try program.versions(of: "trip.md").first)
    try program.write("a boat\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("a raft\n", to: "trip.md")
    let dry = try program.run("restore", "trip.md", String(first.prefix(7)), "--dry-run")
    #expect(dry.output.hasPrefix("Would restore trip.md as of "))
    #expect(try program.read("trip.md") == "a raft\n")
    let result = try program.run("restore", "trip.md", String(first.prefix(7)))
    #expect(result.output.hasPrefix("trip.md had unsaved changes: kept as "))
    #expect(result.output.contains("trip.md is now as of "))
    #expect(try program.read("trip.md") == "a tent\n")
    #expect(try program.run("show", "trip.md", "~1").output == "a raft\n")
  }

  @Test func `restoring elsewhere replaces nothing unless it is forced to`() throws {
    try program.write("mine", to: "copy.md")
    let refused = try program.run("restore", "trip.md", "current", "--to", "copy.md")
    #expect(refused.exitCode == 5)
    #expect(refused.errorOutput.contains("--force"))
    #expect(try program.read("copy.md") == "mine")
    #expect(
      try program.run("restore", "trip.md", "current", "--to", "copy.md", "--force").exitCode == 0)
    #expect(try program.read("copy.md") == "a tent\n")
  }

  @Test func `a deleted document keeps its log, and comes back`() throws {
    let deleted = try program.run("delete", "trip.md")
    #expect(!FileManager.default.fileExists(atPath: program.folder["trip.md"].path))
    #expect(try program.run("log", "trip.md").output.contains("deleted"))
    let hint = try #require(deleted.output.split(separator: "Bring it back:  ").last)
    #expect(try program.shell(String(hint)).exitCode == 0)
    #expect(try program.read("trip.md") == "a tent\n")
  }

  @Test func `renaming takes the versions along`() throws {
    #expect(try program.run("rename", "trip.md", "plan.md").exitCode == 0)
    #expect(try program.versions(of: "plan.md").count == 2)
    #expect(try program.read("plan.md") == "a tent\n")
    #expect(try program.run("rename", "plan.md", "a/b.md").exitCode == 2)
  }

  @Test func `removing leaves the current version`() throws {
    let first = try #require(try program.versions(of: "trip.md").first)
    for text in ["two", "three"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    #expect(try program.run("remove", "trip.md", "current").exitCode == 2)
    #expect(try program.run("remove", "trip.md", first).exitCode == 0)
    #expect(try program.versions(of: "trip.md").count == 2)
    #expect(try program.run("remove", "trip.md", "--others", "--dry-run").exitCode == 0)
    #expect(try program.versions(of: "trip.md").count == 2)
    #expect(try program.run("remove", "trip.md", "--others").exitCode == 0)
    #expect(try program.versions(of: "trip.md").count == 1)
  }

  @Test func `a save leaves few packs, and nothing of what was done behind it`() throws {
    for text in ["two", "three", "four", "five", "six"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    let store = program.folder[".docversions/documents/trip.md.git"]
    try GitPacks.scatter(store)
    #expect(try GitPacks.names(in: store).count > 16)
    try program.write("seven", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try GitPacks.names(in: store).count <= 3)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: store.appending(path: "objects/pack").path)
    #expect(!files.contains { $0.hasPrefix("docversions-") })
    for version in try program.versions(of: "trip.md") {
      #expect(try program.run("show", "trip.md", version).exitCode == 0)
    }
    #expect(try program.run("verify", "trip.md").exitCode == 0)
    #expect(try GitCheck.problems(inStore: store).isEmpty)
  }
}
