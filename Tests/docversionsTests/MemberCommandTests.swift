internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Packages, member by member: the built program, as a person uses it.
@Suite(.blocks)
struct MemberCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for page in 1...3 {
      try program.write(
        (1...6).map { "page \(page), line \($0)\n" }.joined(), to: "p.pkg/pages/\(page).txt")
    }
    try program.write("a\0b", to: "p.pkg/photo.png")
    try program.write("time: 12:30\n", to: "p.pkg/a:b.txt")
    try FileManager.default.createSymbolicLink(
      atPath: program.folder["p.pkg/cover"].path, withDestinationPath: "photo.png")
    try program.run("save", "p.pkg")
  }

  private func lines(_ arguments: String...) throws -> [String] {
    let result = try Command.run(
      Program.path, arguments, in: program.folder["."], environment: ["TZ": "UTC"])
    #expect(result.errorOutput == "")
    return result.output.split(separator: "\n").map { String($0) }
  }

  private func edit() throws {
    let files = FileManager.default
    try program.write("page 1, line 1\nnew\n", to: "p.pkg/pages/1.txt")
    try files.moveItem(at: program.folder["p.pkg/photo.png"], to: program.folder["p.pkg/camp.png"])
    try files.moveItem(
      at: program.folder["p.pkg/pages/2.txt"], to: program.folder["p.pkg/start.txt"])
    try program.write((1...7).map { "page 2, line \($0)\n" }.joined(), to: "p.pkg/start.txt")
    try files.removeItem(at: program.folder["p.pkg/a:b.txt"])
    try program.write("x\n", to: "p.pkg/z.txt")
  }

  @Test func `diff names what came, went and was renamed, and shows the texts that were edited`()
    throws
  {
    try edit()
    let shown = try lines("diff", "p.pkg")
    #expect(
      shown.prefix(6) == [
        "− a:b.txt", "→ photo.png → camp.png", "~ pages/1.txt",
        "→ pages/2.txt → start.txt", "+ z.txt", shown[5],
      ])
    #expect(shown.contains { $0.hasPrefix("--- p.pkg/pages/2.txt\tversion ") })
    #expect(shown.contains("+++ p.pkg/start.txt\ton disk"))
    #expect(shown.last == "+page 2, line 7")
    #expect(!shown.contains { $0.hasPrefix("--- p.pkg/z.txt") })
  }

  @Test func `diff --stat has a line for each member, and a total`() throws {
    try edit()
    let expected = [
      "− a:b.txt                  −1", "→ photo.png → camp.png", "~ pages/1.txt              +1 −5",
      "→ pages/2.txt → start.txt  +1", "+ z.txt                    +1", "5 members changed  +3 −6",
    ]
    #expect(try lines("diff", "--stat", "p.pkg") == expected)
    try program.run("save", "p.pkg")
    #expect(try lines("diff", "--stat", "p.pkg", "~1", "current") == expected)
    #expect(try program.run("diff", "--stat", "--exit-code", "p.pkg", "~1").exitCode == 1)
    try program.write("a\0bc", to: "p.pkg/camp.png")
    #expect(
      try lines("diff", "--stat", "p.pkg") == [
        "~ camp.png  3 bytes → 4 bytes", "1 member changed",
      ])
    try program.write("one\n", to: "t.md")
    try program.run("save", "t.md")
    try program.write("two\nthree\n", to: "t.md")
    #expect(try lines("diff", "--stat", "t.md") == ["~ t.md  +2 −1"])
  }

  @Test func `a renamed folder is one line`() throws {
    try FileManager.default.moveItem(
      at: program.folder["p.pkg/pages"], to: program.folder["p.pkg/chapters"])
    #expect(try lines("diff", "p.pkg") == ["→ pages/ → chapters/  3 members"])
  }

  @Test func `one member is compared alone`() throws {
    try edit()
    let onDisk = try lines("diff", "p.pkg", "current:pages/1.txt")
    #expect(onDisk[0] == "~ pages/1.txt")
    #expect(onDisk.last == "+new")
    #expect(try lines("diff", "p.pkg", ":cover").isEmpty)
    #expect(try lines("diff", "p.pkg", ":z.txt") == ["+ z.txt"])
    try program.run("save", "p.pkg")
    #expect(
      try lines("diff", "--stat", "p.pkg", "~1:pages/2.txt", "current:start.txt")
        == ["~ pages/2.txt → start.txt  +1", "1 member changed  +1"])
    #expect(try lines("diff", "--stat", "p.pkg", "~1:pages", "current").count == 3)
    #expect(try lines("diff", "p.pkg", "~1:a:b.txt", "current") == ["− a:b.txt"])
    let missing = try program.run("diff", "p.pkg", "~1:pages/9.txt")
    #expect(missing.exitCode == 3)
    #expect(missing.errorOutput.contains("Did you mean “pages/1.txt”?"))
    #expect(try program.run("diff", "p.pkg", "~1:cover", "current:nothing").exitCode == 3)
  }

  @Test func `a file in place of a package is reported as what it is`() throws {
    try FileManager.default.removeItem(at: program.folder["p.pkg"])
    try program.write("flat\n", to: "p.pkg")
    #expect(try lines("diff", "p.pkg") == ["p.pkg is a file now, and was a package."])
    #expect(try lines("diff", "--stat", "p.pkg") == ["~ p.pkg  is a file now, and was a package"])
  }

  @Test func `a text beyond the limit is named with its sizes`() throws {
    let line = String(repeating: "x", count: 99) + "\n"
    try program.write(String(repeating: line, count: 180_000), to: "p.pkg/log.txt")
    try program.run("save", "p.pkg")
    try program.write(String(repeating: line, count: 180_001), to: "p.pkg/log.txt")
    #expect(
      try lines("diff", "p.pkg")
        == ["~ log.txt  is too large to compare: 18.0 MB before, 18.0 MB now"])
  }

  @Test func `log --stat lists below each version what it changed`() throws {
    try edit()
    try program.run("save", "p.pkg")
    let log = try lines("log", "--stat", "p.pkg")
    #expect(log[0].contains("+1 −1 ~1 →2 members"))
    #expect(
      log[1...6] == [
        "      − a:b.txt                  −1", "      → photo.png → camp.png",
        "      ~ pages/1.txt              +1 −5", "      → pages/2.txt → start.txt  +1",
        "      + z.txt                    +1", "      5 members changed  +3 −6",
      ])
    #expect(log[7].contains("+6 members"))
    // Without it, no file is read: a renamed one that was edited is not recognized.
    #expect(try lines("log", "p.pkg")[0].contains("+2 −2 ~1 →1 members"))
  }

  @Test func `of many members the log lists the first`() throws {
    for number in 100..<177 { try program.write("\(number)\n", to: "p.pkg/many/\(number).txt") }
    try program.run("save", "p.pkg")
    let log = try lines("log", "--stat", "-n", "1", "p.pkg")
    #expect(log.count == 23)
    #expect(
      log[20...] == [
        "      + many/119.txt  +1", "      and 57 more", "      77 members changed  +77",
      ])
  }

  @Test func `log --stat of a file counts its lines`() throws {
    for text in ["one\n", "one\ntwo\n", "three\n"] {
      try program.write(text, to: "t.md")
      try program.run("save", "t.md")
    }
    let log = try lines("log", "--stat", "t.md")
    #expect(log.count == 6)
    #expect(
      [log[1], log[3], log[5]] == ["      ~ t.md  +1 −2", "      ~ t.md  +1", "      + t.md  +1"])
  }

  @Test func `JSON has the changes of each version`() throws {
    try edit()
    try program.run("save", "p.pkg")
    let versions = try #require(
      try program.json("log", "--stat", "p.pkg")["versions"] as? [[String: Any]])
    let changes = try #require(versions[0]["changes"] as? [[String: Any]])
    #expect(
      changes[0].keys.sorted() == [
        "bytesAfter", "bytesBefore", "change", "former", "kind", "linesAdded", "linesRemoved",
        "member", "members",
      ])
    #expect(
      changes.map { $0["change"] as? String } == [
        "removed", "renamed", "changed", "renamed", "added",
      ])
    #expect(changes[3]["former"] as? String == "pages/2.txt")
    #expect(changes[3]["linesAdded"] as? Int == 1)
    #expect(changes[1]["linesAdded"] is NSNull)
    let diff = try program.json("diff", "--stat", "p.pkg", "~1", "current")
    #expect((diff["changes"] as? [[String: Any]])?.count == 5)
    let shown = try #require(try program.json("diff", "p.pkg", "~1")["changes"] as? [[String: Any]])
    #expect(shown[0].keys.sorted() == ["change", "former", "hunks", "member", "remark"])
    #expect(
      try (program.json("log", "p.pkg")["versions"] as? [[String: Any]])?[0]["changes"] == nil)
  }

  @Test func `changes that are not known are null`() throws {
    try edit()
    try program.run("save", "p.pkg")
    try program.run("remove", "p.pkg", "~1")
    let log = try program.json("log", "--stat", "p.pkg")
    #expect(((log["versions"] as? [[String: Any]])?.first?["changes"]) is NSNull)
    #expect(try lines("log", "--stat", "p.pkg").count == 1)
  }

  @Test func `show writes members of every kind, and lists folders`() throws {
    #expect(try program.run("show", "p.pkg", ":a:b.txt").output == "time: 12:30\n")
    #expect(try program.run("show", "p.pkg", "@{2 days ago}:a:b.txt").exitCode == 3)
    #expect(try program.run("show", "p.pkg", ":cover").output == "photo.png")
    #expect(
      try lines("show", "p.pkg", "current:pages")
        == (1...3).map { "file  90 bytes  pages/\($0).txt" })
    #expect(try lines("show", "p.pkg", "current:pages/").count == 3)
    let missing = try program.run("show", "p.pkg", ":photo.jpg")
    #expect(missing.exitCode == 3)
    #expect(missing.errorOutput.contains("Did you mean “photo.png”?"))
    let through = try program.run("show", "p.pkg", ":pages/1.txt/x")
    #expect(through.exitCode == 3)
  }

  @Test(arguments: ["\u{301}x", "\u{200D}", "\u{FE0F}.txt"])
  func `a member is found whose name begins with a sign that joins the colon`(_ name: String) throws
  {
    try program.write("odd\n", to: "p.pkg/\(name)")
    try program.run("save", "p.pkg")
    #expect(try program.run("show", "p.pkg", ":\(name)").output == "odd\n")
    #expect(try program.run("show", "p.pkg", "current:\(name)").output == "odd\n")
  }

  @Test func `restore puts one member back, and undo takes that back`() throws {
    try edit()
    let dry = try program.run("restore", "p.pkg", ":a:b.txt", "--dry-run")
    #expect(dry.output.hasPrefix("Would restore a:b.txt of p.pkg as of "))
    let result = try program.run("restore", "p.pkg", "current:a:b.txt")
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("p.pkg had unsaved changes: kept as "))
    #expect(lines[1].hasPrefix("a:b.txt of p.pkg is now as of "))
    #expect(lines[2] == "Undo:  docversions undo p.pkg")
    #expect(try program.read("p.pkg/a:b.txt") == "time: 12:30\n")
    #expect(try program.read("p.pkg/z.txt") == "x\n")
    #expect(try program.run("undo", "p.pkg").exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: program.folder["p.pkg/a:b.txt"].path))
    let json = try program.json("restore", "p.pkg", "~3:pages/1.txt")
    #expect(json["member"] as? String == "pages/1.txt")
    #expect((json["version"] as? [String: Any])?["kind"] as? String == "restore")
    let same = try program.run("restore", "p.pkg", "current:pages/1.txt")
    #expect(
      same.output.hasSuffix(
        "is the same as of \(same.output.split(separator: " as of ").last ?? "")"))
    #expect(same.output.contains(" already."))
  }

  @Test func `restore refuses what has no place`() throws {
    try FileManager.default.removeItem(at: program.folder["p.pkg/pages"])
    try program.write("a file\n", to: "p.pkg/pages")
    let result = try program.run("restore", "p.pkg", "current:pages/1.txt")
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.contains("p.pkg/pages” is a file now"))
    #expect(try program.read("p.pkg/pages") == "a file\n")
    #expect(try program.run("restore", "p.pkg", "current:pages", "--to", "out").exitCode == 0)
    #expect(try program.read("out/1.txt").hasPrefix("page 1"))
  }
}
