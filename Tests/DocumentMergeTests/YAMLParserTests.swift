import DocumentTestSupport
import Testing

@testable import DocumentMerge

@Suite("Reading YAML")
struct YAMLParserTests {
  private let format = YAMLFormat()

  @Test(
    "What is no YAML, or not for sure, is refused",
    arguments: [
      "a:\n\tb: 1\n", "a:\tb\n", "a: b: c\n", "a: 1\n b: 2\n", "a:\n    b: 1\n  c: 2\n",
      "? [a]\n: b\n", "? a\n : b\n", "? a\nb: c\n",
      "a: [1\n", "a: [1 2\n", "a: [b: [c]]\n", "a: \"b\n", "a: \"\\q\"\n", "a: *b\n",
      "&a b: c\n", "--- a: 1\n", "a: 1\n...\nb: 2\n", "%TAG ! x\n---\na: 1\n", "a: @b\n",
      "a: `b`\n",
      "a: |x\n  b\n", "a: |\n\tb\n", "a: |\n    \n  b\n", "- a\nb: 1\n", "a: 1\n- b\n",
      "a: 'b' c\n",
      "a: [b]c\n", "a: %b\n", "a: - b\n", "a: b\u{85}\n", "a: \u{7F}\n", "a: \"b\n---\nc\"\n",
      ": a\n",
    ])
  func refused(_ text: String) {
    #expect(throws: MergeError.self) { try format.parse(Array(text.utf8)) }
  }

  @Test(
    "What people write is read",
    arguments: [
      "", "# nothing\n", "---\n", "a\n", "- a\n- - b\n  - c: d\n    e: f\n-\n",
      "a:\n- b\n- c\nd:\n", "a: b\n  c\n\n  d # e\n",
      "a: |2-  # c\n    b\n   c\n\nd: >+\n  e\n\n", "a: {b: [c, {\"d\":1}], e: }\n",
      ":a: :b\n-c: ?d\n",
      "a: &b\n  c: !d e\nf: *b\ng:\n  <<: *b\n", "%YAML 1.1\n---\na: 1\n...\n---\nb: 2\n",
      "a: http://b:c#d\n",
      "\"a b\" : 'c''d\n  e'\n", "a: !Join\n- b\n", "- # c\n  a: 1\n", "a: [\nb, # c\n]\n",
      "{a: 1, b}\n", "a: [b: 1, \"c\":2, d: , e]\n", "a: &b 1\nc: &b 2\nd: *b\n",
    ])
  func read(_ text: String) throws {
    let tree = try format.parse(Array(text.utf8))
    #expect(tree[StructureTree.root].whole == 0..<text.utf8.count)
  }

  @Test("Too deep a nesting is refused before it costs the stack")
  func depth() {
    let texts = [
      "a: " + String(repeating: "[", count: 100_000),
      String(repeating: "- ", count: 100_000),
      (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
    ]
    for text in texts {
      #expect { try format.parse(Array(text.utf8)) } throws: { error in
        (error as? MergeError)?.code == .tooDeep
      }
    }
  }

  @Test("Edits on both sides of a megabyte, next to each other")
  func large() throws {
    func document(_ edited: Int) -> [UInt8] {
      let records = (0..<12_000).map { number in
        let name = number % 1000 == edited ? "Edited" : "A name"
        return
          "  - id: \(number)\n    name: \(name) of a record\n    values: [\(number), 2.5]\n    more:\n      a: null\n"
      }
      return Array(("records:\n" + records.joined()).utf8)
    }
    let sides = MergeSides(base: document(-1), ours: document(7), theirs: document(8))
    let engine = MergeEngines().engine(for: .yaml)
    let (outcome, time) = try measured { try engine.merge(sides, options: MergeOptions()) }
    #expect(outcome.isComplete)
    #expect(time < .seconds(10))
  }
}
