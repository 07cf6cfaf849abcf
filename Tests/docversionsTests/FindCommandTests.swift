internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// `find`, once and continuously.
@Suite(.blocks)
struct FindCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for (name, text) in ["a.md": "a tent\n", "b.txt": "a rope\n", "deep/c.md": "a knife\n"] {
      try program.write(text, to: name)
    }
    try program.run("save", "a.md")
  }

  private static func day(_ offset: Double) -> String {
    Date(timeIntervalSinceNow: offset * 86_400).formatted(.iso8601)
  }

  @Test(
    arguments: [
      ([], ["a.md", "b.txt", "deep/c.md"]), (["deep"], ["deep/c.md"]),
      (["deep", "."], ["a.md", "b.txt", "deep/c.md"]),
      (["--name", "*.md"], ["a.md", "deep/c.md"]), (["--name", "?.txt"], ["b.txt"]),
      (["--text", "TENT"], ["a.md"]), (["--edited"], ["b.txt", "deep/c.md"]),
      (["--edited", "--name", "b*"], ["b.txt"]), (["--conflict"], []), (["--not-downloaded"], []),
      (["--type", "md"], ["a.md", "deep/c.md"]),
      (["--type", "public.text"], ["a.md", "b.txt", "deep/c.md"]),
      (["--changed-since", day(-1)], ["a.md", "b.txt", "deep/c.md"]),
      (["--changed-since", day(1)], []), (["--changed-since", "now"], []),
      (["--changed-since", "yesterday"], ["a.md", "b.txt", "deep/c.md"]),
      (["--changed-since", "2 days ago"], ["a.md", "b.txt", "deep/c.md"]),
    ] as [([String], [String])])
  func `documents are found by what holds of them`(arguments: [String], expected: [String]) throws {
    let found = try program.run(["find"] + arguments)
    #expect(found.exitCode == 0)
    #expect(found.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test(arguments: [
    (["--type", "no-such-type"], "no type"), (["--changed-since", "soon"], "isn’t a time"),
    (["--text", ""], "must be a single line"), (["nowhere"], "nowhere"), (["a.md"], "not a folder"),
  ])
  func `bad input is refused`(arguments: [String], reason: String) throws {
    let refused = try program.run(["find"] + arguments)
    #expect(refused.exitCode != 0)
    #expect(refused.errorOutput.contains(reason))
    #expect(refused.output.isEmpty)
  }

  @Test func `answers in JSON have all that is known`() throws {
    let documents = try #require(
      try program.json("find", "--name", "a.md")["documents"] as? [[String: Any]])
    #expect(documents.count == 1)
    #expect(
      documents[0].keys.sorted() == [
        "conflict", "date", "document", "downloaded", "name", "package", "size", "state", "type",
      ])
    #expect(documents[0]["document"] as? String == program.folder["a.md"].path)
    #expect(documents[0]["size"] as? Int == 7)
    #expect(documents[0]["state"] is NSNull)
  }

  /// Starts `find --watch`.
  private func watch(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      BuiltProgram.url.path, ["find", "--watch"] + arguments, in: program.folder.url)
  }

  @Test(.timeLimit(.minutes(10)))
  func `find --watch writes a line for each change, and ends at a signal`() throws {
    let process = try watch(["--name", "*.md"])
    var lines = ["+ a.md", "+ deep/c.md"]
    func check(_ line: String? = nil) throws {
      if let line { lines.append(line) }
      let expected = lines.map { "\($0)\n" }.joined()
      let isThere = try eventually(every: .milliseconds(20)) { try process.output == expected }
      let output = try process.output
      #expect(isThere, "\(output)")
    }
    try check()
    try program.write("new\n", to: "new/d.md")
    try check("+ new/d.md")
    try program.write("longer than before\n", to: "a.md")
    try check("~ a.md")
    try program.run("delete", "a.md")
    try check("− a.md")
    process.signal(15)
    let result = try process.wait(atMost: .seconds(60))
    #expect(result.exitCode == 0 && result.errorBytes.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `find --watch --json writes an object for each batch`() throws {
    let process = try watch(["--json", "--edited"])
    func objects() throws -> [[String: Any]] {
      try process.output.split(separator: "\n").map { try Program.object(String($0)) }
    }
    #expect(try eventually(every: .milliseconds(20)) { try objects().count == 1 })
    try program.run("save", "b.txt")
    #expect(try eventually(every: .milliseconds(20)) { try objects().count == 2 })
    let (first, second) = (try objects()[0], try objects()[1])
    #expect(first["initial"] as? Bool == true && second["initial"] as? Bool == false)
    #expect((first["added"] as? [[String: Any]])?.count == 2)
    let removed = (second["removed"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(removed == ["b.txt"])
    process.signal(2)
    #expect(try process.wait(atMost: .seconds(60)).exitCode == 0)
  }
}
