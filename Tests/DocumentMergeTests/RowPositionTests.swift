import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// Rows and members that were renumbered, moved and removed: a change goes to the row that it was made in,
/// whatever is at its place now.
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

  static let numbered: [Form] = [
    Form(name: "a.json", head: "[\n", end: "  {\"id\": 0}\n]\n") {
      "  {\n    \"id\": \($0),\n    \"x\": \"\($1)\",\n    \"mark\": \"\($2)\"\n  },\n"
    },
    Form(name: "a.yaml") { "- id: \($0)\n  x: \"\($1)\"\n  mark: \"\($2)\"\n" },
    Form(name: "a.toml") { "[[r]]\nid = \($0)\nx = \"\($1)\"\nmark = \"\($2)\"\n\n" },
  ]

  @Test(
    "A mark goes to the row that it was set in, also among rows that say little",
    arguments: tables + numbered,
    [
      ["Ann", "Ben", "Cleo", "Dan"], ["1.5", "2", "7", "9"], ["a", "b", "c", "d"],
      ["4", "3", "2", "1"],
    ])
  func marksOfWords(form: Form, words: [String]) throws {
    let base = words.map { (word: $0, mark: "") }
    for place in base.indices {
      for marked in base.indices {
        for isInserted in [true, false] {
          var (ours, theirs) = (base, base)
          if isInserted { ours.insert(("6", ""), at: place) } else { ours.remove(at: place) }
          theirs[marked].mark = "x"
          let expected = form.text(ours.map { ($0.word, $0.word == words[marked] ? "x" : "") })
          let texts = [form.text(base), form.text(ours), form.text(theirs)]
          for outcome in [
            try merge(form, texts[0], texts[1], texts[2]),
            try merge(form, texts[0], texts[2], texts[1]),
          ] where outcome.isComplete {
            #expect(outcome.text == expected)
            #expect(isInserted || place != marked, "the row was removed")
          }
        }
      }
    }
  }

  /// Records that one side renumbered and edited at the same time.
  ///
  /// The last element is the right result if there is no question; `nil` if only a person can decide.
  static let records: [(base: [String], ours: [String], theirs: [String], right: [String]?)] = [
    (
      ["zebra ultra,1,on_2", "tiger sugar,0,on_1", "piano sugar,2,on_1"],
      ["zebra ultra,1,on_2", "tiger sugar,0,on_1", "piano sugar,2,off_23"],
      ["zebra ultra,1,on_2", "piano sugar,36,on_1", "quilt quilt,0,on_1"],
      ["zebra ultra,1,on_2", "piano sugar,36,off_23", "quilt quilt,0,on_1"]
    ),
    (
      ["bravo alpha,0,off", "piano hotel,1,on_2", "mango mango,1,off_2", "lemon river,1,on_1"],
      ["bravo alpha,0,off", "piano hotel,1,on_2", "lemon river,1,on_39"],
      ["bravo alpha,0,off", "piano hotel,1,on_2", "mango mango,1,off_2", "quilt vivid,1,off_2"],
      nil
    ),
    (
      ["zebra ultra,1,on_2", "tiger sugar,0,on_1", "piano sugar,2,on_1"],
      ["zebra ultra,1,on_2", "tiger sugar,0,on_7", "piano sugar,2,on_1"],
      ["zebra ultra,1,on_2", "piano sugar,36,on_1"], nil
    ),
  ]

  @Test(
    "An edit of a record never goes to one that got its number and was edited, too",
    arguments: ["r.csv", "r.json", "r.yaml", "r.toml"], records)
  func editedRecords(
    name: String, records: (base: [String], ours: [String], theirs: [String], right: [String]?)
  ) throws {
    func text(_ records: [String]) -> String {
      let lines = records.enumerated().map { index, record in
        let cells = record.split(separator: ",")
        return switch name {
        case "r.csv": "\(index + 1),\(record)\n"
        case "r.json":
          "  {\n    \"id\": \(index + 1),\n    \"t\": \"\(cells[0])\",\n    \"x\": \"\(cells[1])\",\n"
            + "    \"y\": \"\(cells[2])\"\n  },\n"
        case "r.yaml": "- id: \(index + 1)\n  t: \(cells[0])\n  x: \(cells[1])\n  y: \(cells[2])\n"
        default:
          "[[r]]\nid = \(index + 1)\nt = \"\(cells[0])\"\nx = \"\(cells[1])\"\ny = \"\(cells[2])\"\n\n"
        }
      }
      let head = ["r.csv": "id,t,x,y\n", "r.json": "[\n"][name] ?? ""
      return head + lines.joined() + (name == "r.json" ? "  {\"id\": 0}\n]\n" : "")
    }
    let engine = MergeEngines().engine(forFileName: name)
    let sides = MergeSides(
      base: text(records.base), ours: text(records.ours), theirs: text(records.theirs)
    ).map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(!outcome.isComplete || outcome.text == records.right.map(text))
    }
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
