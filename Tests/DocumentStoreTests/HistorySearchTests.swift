import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Tests of which versions added or removed a text, and which version added each line.
struct HistorySearchTests {
  /// The changes as "number of version: + line", from old to new.
  private func found(
    _ pattern: LinePattern, in name: String = "a.md", on desk: Device
  ) throws -> [String] {
    let versions = try desk.history(name).versions.reversed().map(\.id)
    let search = try pattern.search(desk[name], in: desk.store)
    #expect(search.unsearchedCount == 0)
    return search.changes.reversed().flatMap { change in
      let number = (versions.firstIndex(of: change.version.id) ?? -1) + 1
      func text(_ line: FoundChange.Line, _ sign: String) -> String {
        "\(number): \(sign) \(line.member.isEmpty ? "" : line.member + ": ")\(line.text)"
      }
      return change.removed.map { text($0, "-") } + change.brought.map { text($0, "+") }
    }
  }

  @Test(arguments: [
    ("tent", ["1: + a tent", "3: - a tent", "4: + a Tent"]),
    ("TENT", ["1: + a tent", "3: - a tent", "4: + a Tent"]),
    ("zelt für", ["3: + ein Zelt für zwei"]),
    ("ZELT FÜR", ["3: + ein Zelt für zwei"]),
    ("rope", ["2: + rope, rope", "4: - rope, rope"]),
    ("nowhere", []),
  ])
  func `versions that brought or removed a text are found`(
    text: String, expected: [String]
  ) throws {
    let desk = try Device()
    for text in [
      "list\na tent\n", "list\na tent\nrope, rope\n", "list\nein Zelt für zwei\nrope, rope\n",
      "list\na Tent\nein Zelt für zwei\nrope\n", "the list\na Tent\nein Zelt für zwei\nrope\n",
    ] {
      try desk.save(text, as: "a.md")
    }
    #expect(try found(.text(text), on: desk) == expected)
  }

  @Test(arguments: [
    ("^total: \\d+$", ["1: + total: 3", "2: - total: 3", "2: + total: 4"]),
    ("^b$", []), ("a.*b", []), ("total|end", ["1: + total: 3", "1: + end"]),
  ])
  func `an expression is matched with each line alone`(
    expression: String, expected: [String]
  ) throws {
    let desk = try Device()
    try desk.save("a\r\nxb\ntotal: 3\nend\n", as: "a.md")
    try desk.save("a\r\nxb\ntotal: 4\nend\n", as: "a.md")
    #expect(try found(.expression(expression), on: desk) == expected)
  }

  @Test("an expression that takes too long for a line ends the search, and is named")
  func tooLong() throws {
    let desk = try Device()
    let line = String(repeating: "a", count: 40)
    try desk.save("short\n\(line)b\n", as: "a.md")
    let slow = try LinePattern.expression("(a+)+$")
    for _ in 1...2 {
      let error = #expect(throws: VersionError.self) {
        try slow.search(desk["a.md"], in: desk.store)
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("“(a+)+$” takes too many steps for a line") == true)
    }
    // Only the steps for a single line count.
    try desk.save(String(repeating: "\(line)\n", count: 1_000), as: "b.md")
    let pattern = try LinePattern.expression("a$")
    #expect(try pattern.search(desk["b.md"], in: desk.store).changes.first?.brought.count == 1_000)
  }

  @Test(
    "An expression knows the characters of Unicode, and looks on after a match without any",
    arguments: [
      ("^\\w+$", "straße", ["straße"]), ("\\d{2,}", "٣٤", ["٣٤"]),
      ("(?i)STRAßE", "straße", ["straße"]),
      ("x*", "é日 –", ["", "", "", "", ""]), ("b|$", "ab", ["b", ""]),
      ("\\p{L}", "1é 日", ["é", "日"]), ("^$", "", [""]),
    ])
  func characters(expression: String, line: String, expected: [String]) throws {
    #expect(try LineExpression(expression).matches(in: [Array(line.utf8)[...]]) == [expected])
  }

  @Test("Bytes that aren't UTF-8 match nothing, and the line is searched on both sides of them")
  func damaged() throws {
    let line = Array("ab".utf8) + [0xFF, 0xC3] + Array("ab".utf8)
    #expect(try LineExpression("a.").matches(in: [line[...]]) == [["ab", "ab"]])
    #expect(try LineExpression("b.").matches(in: [line[...]]) == [[]])
  }

  @Test(arguments: ["", "two\nlines"])
  func `a text of no line or of several is refused`(text: String) {
    #expect(throws: VersionError.self) { try LinePattern.text(text) }
  }

  @Test func `a text that is no expression is refused with the reason`() {
    let error = #expect(throws: VersionError.self) { try LinePattern.expression("a(b") }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("a(b") == true)
  }

  @Test func `a deletion removes the text, and a restore brings it again`() throws {
    let desk = try Device()
    try desk.save("a tent\n", as: "a.md")
    desk.clock.advance(bySeconds: 60)
    try desk.store.delete(desk["a.md"])
    desk.clock.advance(bySeconds: 60)
    let first = try #require(try desk.history("a.md").versions.last)
    try desk.store.restore(first)
    #expect(
      try found(.text("tent"), on: desk) == ["1: + a tent", "2: - a tent", "3: + a tent"])
  }

  @Test func `members of packages are searched, and followed through renames`() throws {
    let notebook = try Notebook(Device())
    func save() throws {
      notebook.desk.clock.advance(bySeconds: 60)
      try notebook.desk.store.save(notebook.url)
    }
    try save()
    try notebook.write(Notebook.page(2) + "A new line\n", to: "pages/page2.txt")
    try save()
    try notebook.move("pages/page2.txt", to: "pages/second.txt")
    try save()
    #expect(
      try found(.text("new line"), in: notebook.name, on: notebook.desk)
        == ["2: + pages/page2.txt: A new line"])
    let versions = try notebook.desk.history(notebook.name).versions
    let origins = try versions[0].lineOrigins(ofMember: "pages/second.txt")
    #expect(
      origins.map(\.version.id) == Array(repeating: versions[2].id, count: 12) + [versions[1].id])
    let error = #expect(throws: VersionError.self) {
      try versions[0].lineOrigins()
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a version that merges others brought what none of them had`() throws {
    let world = try World()
    let base = (1...9).map { "line \($0)\n" }.joined()
    try world.disagree(base: base, mira: "of Mira\n" + base, tom: base + "of Tom\n")
    let desk = try world.device("tom")
    world.clock.advance(bySeconds: 60)
    // The resolution didn't remove the missing text, because one of the versions didn't have it.
    try desk.store.markResolved(desk.history("a.md").unresolvedConflicts, of: desk["a.md"])
    #expect(try desk.history("a.md").versions.count == 4)
    for (text, person) in [("of Mira", "mira"), ("of Tom", "tom")] {
      let search = try LinePattern.text(text).search(desk["a.md"], in: desk.store)
      #expect(search.changes.map(\.version.author) == [person])
    }
  }

  @Test func `contents that are gone are stepped over, and it is said where they may have had it`()
    throws
  {
    let desk = try Device()
    for text in ["tent\n", "tent\nrope\n", "tent\nrope\nknife\n"] {
      try desk.save(text, as: "a.md")
    }
    var versions = try desk.history("a.md").versions
    try versions[1].remove()
    let search = try LinePattern.text("rope").search(desk["a.md"], in: desk.store)
    #expect(search.changes.map(\.version.id) == [versions[0].id])
    #expect(search.changes.map(\.mayBeEarlier) == [false])
    try versions[2].remove()
    versions = try desk.history("a.md").versions
    let origins = try versions[0].lineOrigins()
    #expect(origins.map(\.mayBeEarlier) == [true, true, true])
    #expect(
      try LinePattern.text("tent").search(desk["a.md"], in: desk.store).changes.map(\.mayBeEarlier)
        == [true])
  }

  @Test(arguments: [
    (
      "a.json",
      [#"{"a": 1, "b": [1, 2]}"#, #"{"a": 1, "b": [1, 2, 3]}"#, "{\n\"b\": [1, 3], \"a\": 4\n}\n"],
      ["/b/0: 1", "/b/1: 2", "/a: 3"]
    ),
    (
      "a.csv", ["id,price\n1,3\n2,4\n", "id,price\n2,4\n1,5\n", "id,price,note\n2,4,x\n1,5,y\n"],
      [
        "row 2, column id: 1", "row 2, column price: 1", "row 2, column note: 3",
        "row 1, column id: 1",
        "row 1, column price: 2", "row 1, column note: 3",
      ]
    ),
    ("a.yaml", ["a: 1\n", "a: [\n", "a: 1\n"], ["/a: 3"]),
  ])
  func `each value has the version that brought it`(
    name: String, texts: [String], expected: [String]
  ) throws {
    let desk = try Device()
    for text in texts { try desk.save(text, as: name) }
    let versions = try desk.history(name).versions.map(\.id)
    let found = try #require(try desk.history(name).current).valueOrigins().map { origin in
      "\(origin.path): \(versions.count - (versions.firstIndex(of: origin.version.id) ?? versions.count))"
    }
    #expect(found == expected)
  }

  @Test func `a text without structure has no values`() throws {
    let desk = try Device()
    try desk.save("plain text\n", as: "a.txt")
    let error = #expect(throws: VersionError.self) {
      try #require(try desk.history("a.txt").current).valueOrigins()
    }
    #expect(error?.code == .invalidArgument)
  }

  /// Lines that are never written twice identify the version that added them.
  @Test(arguments: 1...12)
  func `what is found is what a comparison of whole texts finds`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Device()
    var texts: [[String]] = []
    var lines: [String] = []
    for number in 1...Int.random(in: 2...90, using: &random) {
      for _ in 0..<Int.random(in: 0...3, using: &random) where !lines.isEmpty {
        lines.remove(at: Int.random(in: lines.indices, using: &random))
      }
      for part in 1...Int.random(in: 1...4, using: &random) {
        lines.insert(
          "v\(number).\(part)!", at: Int.random(in: 0...lines.count, using: &random))
      }
      texts.append(lines)
      try desk.save(lines.joined(separator: "\n"), as: "a.md")
    }
    let versions = Array(try desk.history("a.md").versions.reversed())
    for (text, version) in zip(texts, versions) where Int.random(in: 0..<8, using: &random) == 0 {
      let origins = try version.lineOrigins()
      #expect(origins.map(\.text) == text, "seed \(seed)")
      for origin in origins {
        let number = (versions.firstIndex(of: origin.version) ?? -1) + 1
        #expect(origin.text.hasPrefix("v\(number)."), "seed \(seed)")
      }
    }
    for wanted in Set(texts.joined()).sorted().prefix(10) {
      var expected: [String] = []
      for (number, text) in texts.enumerated() {
        let (had, has) = (number > 0 && texts[number - 1].contains(wanted), text.contains(wanted))
        if had != has { expected.append("\(number + 1): \(has ? "+" : "-") \(wanted)") }
      }
      #expect(try found(.text(wanted), on: desk) == expected, "seed \(seed)")
    }
  }
}
