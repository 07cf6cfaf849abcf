import DocumentTestSupport
import Foundation
import Testing

@Suite(.blocks) struct AdoptCommandTests {
  private static let copy = "trip.sync-conflict-20261121-025448-UWZBLXH.md"

  /// A document with a copy that merges, one with a copy to be asked about, and a copy without a document.
  private func program() throws -> Program {
    let program = try Program()
    try program.write("first line\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("first line\nsecond line\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("first line\nsecond line\nfrom here\n", to: "trip.md")
    try program.write("from there\nfirst line\nsecond line\n", to: Self.copy)
    try program.write("a\n", to: "b.md")
    try program.write("a\nb\n", to: "b (conflicted copy Tom 2021-06-16 143218).md")
    try program.write("x\n", to: "gone (conflicted copy Tom 2021-06-16 143218).md")
    return program
  }

  @Test(arguments: [[], ["--list"]])
  func `without an option copies are listed, and nothing is changed`(options: [String]) throws {
    let program = try program()
    let result = try program.run(["adopt"] + options + ["."])
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("b.md"))
    #expect(lines[0].contains("Nextcloud  Tom · unknown"))
    #expect(lines[0].hasSuffix("to be asked: it has all of b.md, and 1 line more"))
    #expect(lines[1].hasSuffix("stays: there is no gone.md"))
    #expect(lines[2].contains("unknown · UWZBLXH  2026-11-21 02:54:48"))
    #expect(lines[2].contains("merges cleanly, made from "))
    #expect(lines[3] == "Merge what merges cleanly:  docversions adopt --merge .")
    #expect(lines[4] == "Answer the remaining questions:  docversions adopt --ask .")
    #expect(program.exists(Self.copy))
  }

  @Test func `what merges is merged, the rest is left and said, and all of it is undone`() throws {
    let program = try program()
    let result = try program.run("adopt", "--merge", ".")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("trip.md: took in \(Self.copy) · "))
    #expect(
      result.output.contains(
        "Adopted 1 copy of 3 documents; 2 left.\nUndo:  docversions adopt --undo .\n"))
    #expect(try program.read("trip.md") == "from there\nfirst line\nsecond line\nfrom here\n")
    #expect(!program.exists(Self.copy))
    #expect(program.exists("b (conflicted copy Tom 2021-06-16 143218).md"))

    let undone = try program.run("adopt", "--undo", ".")
    #expect(undone.exitCode == 0)
    #expect(undone.output.hasPrefix("Brought back \(Self.copy)\ntrip.md is as before"))
    #expect(try program.read("trip.md") == "first line\nsecond line\nfrom here\n")
    #expect(try program.read(Self.copy) == "from there\nfirst line\nsecond line\n")
    let again = try program.run("adopt", "--undo", ".")
    #expect(again.exitCode == 2)
    #expect(again.errorOutput.contains("No adoption can be undone in “.”."))
  }

  @Test func `a copy that has all of its document is offered`() throws {
    let program = try program()
    let result = try program.shell("printf 'y\\n' | docversions adopt --merge --else ask .")
    #expect(result.output.contains("has all of b.md, in the same order, and 1 line more."))
    #expect(try program.read("b.md") == "a\nb\n")
    #expect(!program.exists("b (conflicted copy Tom 2021-06-16 143218).md"))
  }

  @Test func `at the end of the input everything that is asked stays`() throws {
    let program = try program()
    let result = try program.shell("docversions adopt --ask . < /dev/null")
    #expect(result.exitCode == 1)
    #expect(try program.read("b.md") == "a\n")
    #expect(program.exists("b (conflicted copy Tom 2021-06-16 143218).md"))
    #expect(program.exists(Self.copy))
  }

  @Test func `a dry run says what would be done`() throws {
    let program = try program()
    let result = try program.run("adopt", "--merge", "--dry-run", ".")
    #expect(result.output.contains("trip.md: would take in \(Self.copy)"))
    #expect(result.output.contains("Would adopt 1 copy of 3 documents; 2 left."))
    #expect(program.exists(Self.copy))
  }

  @Test func `the same facts as JSON`() throws {
    let program = try program()
    let answer = try program.json(["adopt", "."])
    #expect(answer.keys.sorted() == ["copies", "documents", "synced"])
    let copies = try #require(answer["copies"] as? [[String: Any]])
    #expect(copies.map { $0["outlook"] as? String } == ["asks", "refused", "merges"])
    #expect(
      copies.map { $0["reason"] as? String } == ["contains-document", "document-missing", nil])
    #expect(
      copies[2].keys.sorted() == [
        "alike", "author", "base", "copy", "date", "device", "document", "member", "outlook",
        "questions", "reason", "removed", "taken", "tools", "version",
      ])
    #expect((copies[2]["base"] as? [String: Any])?["source"] as? String == "version")
    #expect(copies[2]["tools"] as? [String] == ["Syncthing"])
    #expect(copies[2]["version"] is NSNull)
    let result = try program.run("adopt", "--latest", "--json", ".")
    #expect(result.exitCode == 1)
    #expect(!program.exists(Self.copy))
  }

  @Test func `a folder that a tool carries is named, with the line that it needs`() throws {
    let program = try program()
    try program.write("", to: ".stfolder/x")
    let result = try program.run("adopt", ".")
    #expect(result.output.contains("Syncthing carries "))
    #expect(result.output.hasSuffix("  Put this line in .stignore:  .docversions\n"))
    try program.write(".docversions\n", to: ".stignore")
    #expect(try !program.run("adopt", ".").output.contains("Syncthing carries"))
  }

  @Test(arguments: [
    (["--merge", "--latest"], "Only one of --merge and --latest."),
    (["--else", "ask"], "--else goes with --merge."),
    (["--ask", "--json"], "Questions are for people"),
    (["--ask", "--dry-run"], "Questions are asked only where something is done."),
  ])
  func `options that contradict each other are refused`(options: [String], message: String) throws {
    let result = try Program().run(["adopt"] + options + ["."])
    #expect(result.exitCode == 2)
    #expect(result.errorOutput.contains(message))
  }

  @Test func `a folder that is not there is named`() throws {
    let result = try Program().run("adopt", "nowhere")
    #expect(result.exitCode == 3)
    #expect(result.errorOutput.contains("There is no folder “nowhere”."))
  }

  @Test func `copies of several documents are no copies of the first`() throws {
    let program = try Program()
    for name in ["a", "b"] {
      try program.write("\(name)\n", to: "\(name).md")
      try program.run("save", "\(name).md")
      try program.write("\(name)\nx\n", to: "\(name) (conflicted copy 2021-06-16 143218).md")
    }
    let star = try program.shell("docversions import-copies *.md")
    #expect(star.exitCode == 2)
    #expect(try program.json(["status"])["documents"] is [[String: Any]])
    let other = try program.run("import-copies", "a.md", "b (conflicted copy 2021-06-16 143218).md")
    #expect(other.exitCode == 2)
    #expect(other.errorOutput.contains("it may be another document’s copy"))
    #expect(try program.run("conflicts").output == "No conflicts.\n")
  }
}
