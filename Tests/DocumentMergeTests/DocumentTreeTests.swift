import DocumentMerge
import Testing

/// Structured documents read as trees of values.
@Suite("Document trees")
struct DocumentTreeTests {
  /// The values of a tree with their places.
  private func values(of tree: DocumentTree, at place: String = "") -> [String] {
    if let text = tree.text { return ["\(place) \(tree.kind) \(text)"] }
    return tree.members.enumerated().flatMap { number, member in
      values(of: member, at: "\(place)/\(member.name ?? String(number))")
    }
  }

  @Test(
    "Values have their kinds, names and texts",
    arguments: [
      (
        "a.json", #"{"n": 1.50, "t": "a\"b", "l": [true, {"x": null}]}"#,
        ["/n scalar 1.50", "/t text a\"b", "/l/0 scalar true", "/l/1/x scalar null"]
      ),
      (
        "a.yaml", "n: 1.50\nt: 'it''s'\nl:\n  - a\n  - x: b\n",
        ["/n scalar 1.50", "/t text it's", "/l/0 text a", "/l/1/x text b"]
      ),
      ("a.toml", "n = 1.50\n[t]\nx = \"a\"\n", ["/n scalar 1.50", "/[t]/x text a"]),
    ])
  func kinds(name: String, document: String, expected: [String]) throws {
    for text in [document, document.replacing("\n", with: "\r\n")] {
      let tree = try #require(try MergeEngines().tree(of: Array(text.utf8), named: name))
      #expect(values(of: tree) == expected)
    }
  }

  @Test("The range of a value has its bytes")
  func range() throws {
    let document = Array("{\"é\": [1, 22], \"b\": \"x\"}\n".utf8)
    let tree = try #require(try MergeEngines().tree(of: document, named: "a.json"))
    let texts = tree.members.map { String(decoding: document[$0.range], as: UTF8.self) }
    #expect(texts == ["[1, 22]", "\"x\""])
  }

  @Test("What has no structure has no tree, and what is not valid is an error")
  func none() throws {
    let engines = MergeEngines()
    #expect(try engines.tree(of: Array("a\n".utf8), named: "a.txt") == nil)
    #expect(try engines.tree(of: [0, 1, 2], named: "a.json") == nil)
    #expect(throws: MergeError.self) { try engines.tree(of: Array("{\"a\"".utf8), named: "a.json") }
    let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: MergeError.self) { try engines.tree(of: deep, named: "a.json") }
  }
}
