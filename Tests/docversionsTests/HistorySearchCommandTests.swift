internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// `log --search`, `log --regex` and `show --blame`.
@Suite(.blocks)
struct HistorySearchCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for (name, texts) in [
      "a.md": ["a tent\n", "a tent\na rope\n", "a rope\n"], "b.md": ["rope\n"], "c.md": ["knife\n"],
    ] {
      for text in texts {
        try program.write(text, to: name)
        try program.run("save", name)
      }
    }
  }

  @Test func `log --search lists versions with their lines`() throws {
    let lines = try program.run("log", "--search", "TENT", "a.md").output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == "      − a tent")
    #expect(lines[3] == "      + a tent")
    let versions = try program.versions(of: "a.md")
    #expect(lines[0].hasPrefix(versions[0].prefix(7)))
    #expect(lines[2].hasPrefix(versions[2].prefix(7)))
    let one = try program.run("log", "-n", "1", "--search", "TENT", "a.md").output
    #expect(one.split(separator: "\n").count == 2)
  }

  @Test func `a folder is searched whole, with documents that were deleted`() throws {
    try program.run("delete", "b.md")
    let output = try program.run("log", "--regex", "^(a )?rope$", ".").output
    #expect(output.contains("a.md\n"))
    #expect(output.contains("b.md\n"))
    #expect(!output.contains("c.md"))
    let answer = try program.json("log", ".", "--search", "rope")
    let documents = try #require(answer["documents"] as? [[String: Any]])
    #expect(documents.count == 3)
    let first = try #require((documents[0]["versions"] as? [[String: Any]])?.first)
    #expect(
      first["brought"] as? [[String: AnyHashable]] == [["line": "a rope", "member": NSNull()]])
    #expect(first["mayBeEarlier"] as? Bool == false)
  }

  @Test func `what is nowhere is said`() throws {
    let found = try program.run("log", "--search", "boat", "a.md")
    #expect(found.output == "No version brought or removed it.\n")
    #expect(found.exitCode == 0)
    #expect(try program.run("log", "--search", "boat", ".").output == found.output)
    #expect(try program.run("log", "--search", "boat").output == found.output)
  }

  @Test(arguments: [
    (["log", "--search", "a", "--regex", "b", "a.md"], "exclude one another"),
    (["log", "--search", "", "a.md"], "must be a single line"),
    (["log", "--regex", "a(b", "a.md"], "isn’t a regular expression"),
    (["log", "--search", "a", "--stat", "a.md"], "combined with --stat"),
    (["log", "--stat"], "Name the document"), (["show", "a.md", "--json"], "--blame only"),
    (["show", "a.md", "--values"], "goes with --blame"),
  ])
  func `bad input is refused`(arguments: [String], reason: String) throws {
    let refused = try program.run(arguments)
    #expect(refused.exitCode == 2)
    #expect(refused.errorOutput.contains(reason))
    #expect(refused.output.isEmpty)
  }

  @Test func `show --blame says of each line which version brought it`() throws {
    try program.write("a knife\na rope\n", to: "a.md")
    try program.run("save", "a.md")
    let versions = try program.versions(of: "a.md")
    let lines = try program.run("show", "a.md", "--blame").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(versions[0].prefix(7)) && lines[0].hasSuffix("a knife"))
    #expect(lines[1].hasPrefix(versions[2].prefix(7)) && lines[1].hasSuffix("a rope"))
    let answer = try program.json("show", "a.md", "--blame")
    #expect(answer.keys.sorted() == ["document", "lines", "version", "versions"])
    let origins = (answer["lines"] as? [[String: Any]])?.map { $0["version"] as? String }
    #expect(origins == [versions[0], versions[2]])
  }

  @Test func `show --blame --values says of each value which version brought it`() throws {
    for text in [#"{"a": 1, "b": 2}"#, "{\n  \"b\": 3,\n  \"a\": 1\n}\n"] {
      try program.write(text, to: "a.json")
      try program.run("save", "a.json")
    }
    let versions = try program.versions(of: "a.json")
    let lines = try program.run("show", "a.json", "--blame", "--values").output
      .split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(versions[0].prefix(7)) && lines[0].hasSuffix("/b  3"))
    #expect(lines[1].hasPrefix(versions[1].prefix(7)) && lines[1].hasSuffix("/a  1"))
    let answer = try program.json("show", "a.json", "--blame", "--values")
    #expect(answer.keys.sorted() == ["document", "values", "version", "versions"])
    let values = try #require(answer["values"] as? [[String: Any]])
    #expect(values.map { $0["path"] as? String } == ["/b", "/a"])
    #expect(values.map { $0["version"] as? String } == [versions[0], versions[1]])
    let refused = try program.run("show", "a.md", "--blame", "--values")
    #expect(refused.exitCode == 2)
    #expect(refused.errorOutput.contains("isn’t a document of values"))
  }

  @Test func `what is no text has no lines`() throws {
    try program.write("a\0b", to: "picture.png")
    try program.run("save", "picture.png")
    let refused = try program.run("show", "picture.png", "--blame")
    #expect(refused.exitCode != 0)
    #expect(refused.errorOutput.contains("isn’t a text"))
  }
}
