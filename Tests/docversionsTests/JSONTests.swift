internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The keys of every answer in JSON, on which programs rely.
@Suite(.blocks)
struct JSONTests {
  private static let version = [
    "author", "bytes", "conflict", "current", "date", "device", "discardable", "id", "kind",
    "local",
    "name", "note", "package", "parents", "pinned", "resolved", "saved",
  ]

  @Test func `save answers with the version`() throws {
    let program = try Program()
    try program.write("a tent\n", to: "trip.md")
    let saved = try program.json("save", "trip.md", "-m", "first")
    #expect(saved.keys.sorted() == ["document", "id", "new", "version"])
    #expect(saved["document"] as? String == program.folder["trip.md"].path)
    let version = try #require(saved["version"] as? [String: Any])
    #expect(version.keys.sorted() == Self.version)
    #expect(version["author"] as? String == "Mira")
    #expect(version["name"] as? String == "trip.md")
    #expect(version["bytes"] as? Int == 7)
    #expect(version["note"] as? String == "first")
    #expect(
      (version["date"] as? String)?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) == true)
    try program.write("b", to: "b.md")
    let both = try program.json("save", "trip.md", "b.md")
    #expect((both["saved"] as? [Any])?.count == 2)
  }

  @Test func `the modification date keeps its milliseconds`() throws {
    let program = try Program()
    for milliseconds in [0, 1, 123, 289, 999] {
      let file = try program.folder.write("\(milliseconds)", to: "t.md")
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(milliseconds) / 1_000 + 0.000_4)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
      let version = try program.json("save", "t.md")["version"] as? [String: Any]
      let digits = String(milliseconds + 1_000).dropFirst()
      #expect(version?["date"] as? String == "2023-11-14T22:13:20.\(digits)Z")
    }
  }

  @Test func `conflicts and resolve answer with all there is to know`() throws {
    let program = try ConflictedDocument.withQuestion()
    let list = try program.json("conflicts")
    let document = try #require((list["documents"] as? [[String: Any]])?.first)
    #expect(
      document.keys.sorted() == [
        "base", "conflicts", "current", "document", "mergesCleanly", "questions",
      ])
    #expect((document["current"] as? [String: Any])?.keys.sorted() == Self.version)
    #expect((document["base"] as? [String: Any])?.keys.sorted() == Self.version)
    #expect((document["conflicts"] as? [[String: Any]])?.first?.keys.sorted() == Self.version)
    #expect(document["mergesCleanly"] as? Bool == false)
    #expect((document["questions"] as? [[String: Any]])?.first?["kind"] as? String == "clash")

    let keys = [
      "chosen", "decisions", "document", "keptEdits", "outcome", "questions", "reason",
      "remembered", "settled", "strategy", "version",
    ]
    let open = try program.json("resolve", "--merge", "trip.md")
    #expect(open.keys.sorted() == keys)
    #expect(open["outcome"] as? String == "unresolved")
    let done = try program.json("resolve", "--latest", "trip.md")
    #expect(done.keys.sorted() == keys)
    #expect((done["version"] as? [String: Any])?["kind"] as? String == "resolve")
  }

  @Test func `a dry run of import-copies reports what would become of each copy`() throws {
    let program = try Program()
    try program.write("saved", to: "trip.md")
    for (name, text) in ["old": "saved", "same": "edited", "other": "other"] {
      try program.write(text, to: name)
    }
    func answer(_ arguments: String...) throws -> [[Bool]] {
      let names = ["old", "same", "other"]
      let answer = try program.json(["import-copies", "--any-name", "trip.md"] + names + arguments)
      let copies = try #require(answer["copies"] as? [[String: Any]])
      #expect(copies.allSatisfy { $0.keys.sorted() == ["copy", "new", "version"] })
      return copies.map { [$0["new"] as? Bool == true, $0["version"] is [String: Any]] }
    }
    // Before the first save, and with edits that none has yet.
    #expect(try answer("--dry-run") == [[false, false], [true, false], [true, false]])
    try program.run("save", "trip.md")
    try program.write("edited", to: "trip.md")
    #expect(try answer("--dry-run") == [[false, false], [false, false], [true, false]])
    #expect(try answer() == [[false, false], [false, false], [true, true]])
  }

  @Test(arguments: [
    (["log", "trip.md"], ["document", "versions"]),
    (["status"], ["copies", "documents", "new", "notDownloaded", "paused"]),
    (["conflicts"], ["documents"]),
    (["diff", "trip.md", "~1"], ["changes", "different", "document", "from", "to"]),
    (
      ["restore", "trip.md", "~1"],
      ["document", "keptEdits", "member", "restored", "to", "version"]
    ),
    (["remove", "trip.md", "--others"], ["document", "everywhere", "removed", "version"]),
    (["mark-resolved", "trip.md", "current"], ["document", "marked", "version"]),
    (["pin", "trip.md", "current"], ["document", "versions"]),
    (["unpin", "trip.md", "current"], ["document", "versions"]),
    (["undelete", "trip.md"], ["document", "versions"]),
    (["thin", "trip.md", "--keep-last", "1"], ["document", "kept", "removed"]),
    (["rename", "trip.md", "plan.md"], ["document", "version"]),
    (["delete", "trip.md"], ["document", "version"]),
    (
      ["exchange", "sync"],
      ["arriving", "container", "documents", "folder", "received", "sent"]
    ),
    (["import-copies", "--any-name", "trip.md", "copy.md"], ["copies", "document"]),
  ])
  func `each command answers with one object`(_ arguments: [String], _ keys: [String]) throws {
    let program = try Program()
    for text in ["one", "two"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    try program.write("copy", to: "copy.md")
    #expect(try program.json(arguments).keys.sorted() == keys)
  }
}
