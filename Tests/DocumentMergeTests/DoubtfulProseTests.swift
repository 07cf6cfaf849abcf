import Testing

@testable import DocumentMerge

@Suite("Changes of lists, tables and sentences that may contradict each other")
struct DoubtfulProseTests {
  typealias Case = DoubtfulChangeTests.Case

  /// The same lists as Markdown and as plain text; each word is an item, and a dot before it nests it.
  private static func lists(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> [Case] {
    func list(_ words: String) -> String {
      words.split(separator: " ").map { word in
        let depth = word.prefix { $0 == "." }.count
        return String(repeating: "  ", count: depth) + "- \(word.dropFirst(depth))\n"
      }.joined()
    }
    return [MergeEngines.Kind.markdown, .plain].map { kind in
      Case(
        "\(name) (\(kind))", kind, list(base), list(ours), list(theirs),
        gives: expected.map { list($0) })
    }
  }

  private static let nesting: [Case] =
    lists("a child of what is gone", "a b c", "a c", "a b .x c")
    + lists("another child of what is gone", "a b .b1 c", "a c", "a b .b1 .b2 c")
    + lists("a child of a child that is gone", "a b .b1 ..q c", "a b c", "a b .b1 ..q ..r c")
    + lists("a tree below what is gone", "a b c", "a c", "a b .x ..y c")
    + lists("a new parent beside a new item", "a z", "b .a z", "c a z")
    + lists("nested items with one between them", "a b c", "a .b .c", "a b x c")
    + lists("one child, two new parents", "p .y", "p q .y", "p r .y")
    + lists("a parent that is gone, and a new one", "p b .y", "p .y", "p b x .y")
    + lists("an item beside what is gone", "a b c", "a c", "a b x c", gives: "a x c")
    + lists("an item beside a tree that is gone", "a b .y c", "a c", "a b .y x c", gives: "a x c")
    + lists("a sister of what is gone", "a .b c", "a c", "a .b .x c", gives: "a .x c")
    + lists("children of both", "a c", "a .x c", "a .y c", gives: "a .x .y c")
    + lists("a tree nested deeper", "a b .c z", "a .b ..c z", "a b .c z1", gives: "a .b ..c z1")

  @Test("What is in doubt is asked about, and nothing else", arguments: nesting)
  func outcome(of merge: Case) throws {
    let engine = MergeEngines().engine(for: merge.kind)
    let sides = merge.sides.map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(outcome.isComplete == (merge.expected != nil), "\(outcome.text)")
    }
    let outcome = try engine.merge(sides, options: MergeOptions())
    if let expected = merge.expected { #expect(outcome.text == expected) }
    try checkAnswers(engine, sides, "\(merge.testDescription)")
  }
}
