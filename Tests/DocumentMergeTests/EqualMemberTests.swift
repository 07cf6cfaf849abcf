import DocumentTestSupport
import Testing

@testable import DocumentMerge

@Suite("Members that stand more than once, of which each side removed another one")
struct EqualMemberTests {
  typealias Case = DoubtfulChangeTests.Case

  /// Documents of all formats with members, each of which is made of a word.
  private static func documents(_ words: [String]) -> [(MergeEngines.Kind, String)] {
    let list = words.map { "\"\($0)\"" }.joined(separator: ",\n")
    let records = words.map { "{\"id\": \"\($0)\", \"v\": 1}" }.joined(separator: ",\n")
    let objects = words.map { "{\"x\": \"\($0)\"}" }.joined(separator: ",\n")
    let strings = words.map { "<string>\($0)</string>\n" }.joined()
    return [
      (.json, "{\"p\": [\n\(list)\n]}\n"), (.json, "[\n\(records)\n]\n"),
      (.json, "[\n\(objects)\n]\n"),
      (.json, "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]\n"),
      (.yaml, "p:\n" + words.map { "- \($0)\n" }.joined()),
      (.yaml, "p:\n" + words.map { "- run: \($0)\n" }.joined()),
      (.toml, "p = [\n\(list)\n]\n"),
      (.toml, words.map { "[[p]]\nx = \"\($0)\"\n" }.joined()),
      (.xml, "<r>\n" + words.map { "<i>\($0)</i>\n" }.joined() + "</r>\n"),
      (.xml, "<r>\n" + words.map { "<i id=\"\($0)\"/>\n" }.joined() + "</r>\n"),
      (.plist, "<plist version=\"1.0\">\n<array>\n\(strings)</array>\n</plist>\n"),
      (.table, "n,q\n" + words.map { "\($0),1\n" }.joined()),
    ]
  }

  private static func cases(
    _ name: String, _ base: [String], _ ours: [String], _ theirs: [String],
    gives expected: [String]? = nil
  ) -> [Case] {
    let all = documents(base).indices
    return all.map { index in
      let (kind, document) = documents(base)[index]
      return Case(
        "\(name): \(kind) \(index)", kind, document, documents(ours)[index].1,
        documents(theirs)[index].1, gives: expected.map { documents($0)[index].1 })
    }
  }

  @Test(
    "What both sides still have is not lost where each removed another copy",
    arguments: cases("one of two", ["a", "b", "a"], ["a", "b"], ["b", "a"])
      + cases(
        "one of three", ["a", "b", "a", "c", "a"], ["b", "a", "c", "a"], ["a", "b", "a", "c"])
      + cases("more beside it", ["a", "b", "c", "d", "a"], ["a", "b", "c", "d"], ["c", "d", "a"]))
  func removedByEach(_ merge: Case) throws { try merge.check() }

  @Test(
    "A copy that both sides removed is gone, and another one stays",
    arguments: cases(
      "the last", ["a", "b", "a", "c"], ["a", "b", "c"], ["a", "b", "c"], gives: ["a", "b", "c"])
      + cases(
        "by one side", ["a", "b", "a", "c"], ["a", "b", "c"], ["a", "b", "a", "c", "d"],
        gives: ["a", "b", "c", "d"]))
  func removed(_ merge: Case) throws { try merge.check() }

  @Test(
    "What both sides still have stands as often as on the side that has it least",
    arguments: caseBatches)
  func kept(batch: Int) throws {
    try forEachCase(of: batch, 400) { seed, generator in
      let words = (0..<Int.random(in: 2...7, using: &generator)).map { _ in
        ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)]
      }
      func less(_ generator: inout SeededGenerator) -> [String] {
        var rest = words
        rest.remove(at: Int.random(in: words.indices, using: &generator))
        return rest
      }
      let sides = MergeSides(
        base: words, ours: less(&generator), theirs: less(&generator))
      let all = sides.map(Self.documents)
      for (index, (kind, base)) in Self.documents(words).enumerated() {
        let engine = MergeEngines().engine(for: kind)
        let outcome = try engine.merge(
          MergeSides(base: base, ours: all.ours[index].1, theirs: all.theirs[index].1)
            .map { Array($0.utf8) }, options: MergeOptions())
        guard outcome.isComplete else { continue }
        for word in Set(words) {
          func count(_ words: [String]) -> Int { words.count { $0 == word } }
          let merged = outcome.text.split { !$0.isLetter }.count { $0 == word }
          #expect(
            merged >= min(count(sides.ours), count(sides.theirs)), "seed \(seed), \(kind) \(index)")
        }
      }
    }
  }
}
