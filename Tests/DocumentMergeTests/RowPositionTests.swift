import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// Rows and members that were renumbered, moved and removed: a change goes to what it was made to, whatever stands there now.
@Suite("Places are no identity")
struct RowPositionTests {
  /// A way to write rows of a number, a word and a mark.
  struct Form: CustomTestStringConvertible {
    let name: String
    var head = ""
    var end = ""
    let row: @Sendable (Int, String, String) -> String
    var testDescription: String { name }

    func text(_ rows: [(word: String, mark: String)]) -> String {
      head
        + rows.enumerated().map { row($0 + 1, $1.word, $1.mark) }.joined() + end
    }
  }

  static let tables: [Form] = [
    Form(name: "a.md", head: "| # | task | done |\n|---|---|---|\n", end: "\nEnd.\n") {
      "| \($0) | \($1) | \($2) |\n"
    },
    Form(name: "a.csv", head: "no,task,done\n") { "\($0),\($1),\($2)\n" },
    Form(name: "a.tsv", head: "no\ttask\tdone\n") { "\($0)\t\($1)\t\($2)\n" },
    Form(name: "a.org", head: "| # | task | done |\n|---+---+---|\n", end: "\nEnd.\n") {
      "| \($0) | \($1) | \($2) |\n"
    },
    Form(name: "a.adoc", head: "|===\n|# |task |done\n\n", end: "|===\n") {
      "|\($0) |\($1) |\($2)\n"
    },
    Form(name: "a.tex", head: "\\begin{tabular}{rll}\n", end: "\\end{tabular}\n") {
      "\($0) & \($1) & \($2) \\\\\n"
    },
    Form(name: "a.html", head: "<table>\n", end: "</table>\n") {
      "<tr><td>\($0)</td><td>\($1)</td><td>\($2)</td></tr>\n"
    },
  ]

  static let lists: [Form] = [
    Form(name: "a.json", head: "{\"list\": [\n", end: "  {\"id\": \"end\"}\n]}\n") {
      "  {\n    \"id\": \"\($1)\",\n    \"text\": \"the \($1)\",\n    \"mark\": \"\($2)\"\n  },\n"
    },
    Form(name: "a.yaml") { "- id: \($1)\n  text: the \($1)\n  mark: '\($2)'\n" },
    Form(name: "a.toml") {
      "[[list]]\nid = \"\($1)\"\ntext = \"the \($1)\"\nmark = \"\($2)\"\n\n"
    },
  ]

  private static let words = [
    "bread", "milk", "eggs", "salt", "rice", "oil", "tea", "jam", "soup", "fish",
  ]

  private func merge(_ form: Form, _ base: String, _ ours: String, _ theirs: String) throws
    -> MergeOutcome
  {
    let sides = MergeSides(base: base, ours: ours, theirs: theirs).map { Array($0.utf8) }
    return try MergeEngines().engine(forFileName: form.name)
      .merge(sides, options: MergeOptions())
  }

  @Test(
    "A mark goes to the row that it was set in, where the rows were numbered anew",
    arguments: tables)
  func marks(form: Form) throws {
    var clean = 0
    for seed in 0..<40 {
      var random = SeededGenerator(seed: seed)
      let words = Self.words.shuffled(using: &random).prefix(Int.random(in: 3...7, using: &random))
      let base = words.map { (word: $0, mark: "") }
      var ours = base
      switch Int.random(in: 0..<3, using: &random) {
      case 0: ours.insert(("butter", ""), at: Int.random(in: 0..<base.count, using: &random))
      case 1: ours.remove(at: Int.random(in: 0..<base.count, using: &random))
      default:
        let row = ours.remove(at: Int.random(in: 0..<base.count, using: &random))
        ours.insert(row, at: Int.random(in: 0..<base.count, using: &random))
      }
      let marked = Int.random(in: base.indices, using: &random)
      var theirs = base
      theirs[marked].mark = "x"
      let word = base[marked].word
      let expected = form.text(ours.map { ($0.word, $0.word == word ? "x" : $0.mark) })
      for isSwapped in [false, true] {
        let (one, other) = (form.text(ours), form.text(theirs))
        let outcome = try merge(
          form, form.text(base), isSwapped ? other : one, isSwapped ? one : other)
        guard outcome.isComplete else { continue }
        clean += 1
        #expect(String(decoding: outcome.bytes, as: UTF8.self) == expected, "seed \(seed)")
        #expect(ours.contains { $0.word == word }, "seed \(seed): the row was removed")
      }
    }
    #expect(clean > 0)
  }

  @Test("What one side removed does not come back where the other one moved it", arguments: lists)
  func removed(form: Form) throws {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: seed)
      let words = Self.words.shuffled(using: &random).prefix(Int.random(in: 4...7, using: &random))
      let base = words.map { (word: $0, mark: "") }
      var ours = base
      let gone = ours.remove(at: Int.random(in: 0..<base.count, using: &random))
      let moved = ours.remove(at: Int.random(in: 0..<ours.count, using: &random))
      ours.insert(moved, at: Int.random(in: 0...ours.count, using: &random))
      var theirs = base.filter { $0.word != gone.word }
      theirs.insert(gone, at: Int.random(in: 0...theirs.count, using: &random))
      for isSwapped in [false, true] {
        let (one, other) = (form.text(ours), form.text(theirs))
        let outcome = try merge(
          form, form.text(base), isSwapped ? other : one, isSwapped ? one : other)
        guard outcome.isComplete else { continue }
        let text = String(decoding: outcome.bytes, as: UTF8.self)
        #expect(!text.contains("the \(gone.word)"), "seed \(seed)")
        for row in ours { #expect(text.contains("the \(row.word)"), "seed \(seed)") }
      }
    }
  }
}
