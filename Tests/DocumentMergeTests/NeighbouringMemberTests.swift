import Testing

@testable import DocumentMerge

@Suite("Members of lists that the sides removed or renamed, each another one")
struct NeighbouringMemberTests {
  /// A way to write a list of words.
  struct Form: CustomTestStringConvertible {
    let name: String
    var head = ""
    var separator = ""
    var end = ""
    let member: @Sendable (String) -> String
    var testDescription: String { "\(name): \(text(["a"]))" }

    func text(_ words: [String]) -> String {
      head + words.map(member).joined(separator: separator) + end
    }

    func merges(_ sides: MergeSides<[String]>) throws -> [MergeOutcome] {
      let sides = sides.map { Array(text($0).utf8) }
      return try [sides, sides.swapped].map { sides in
        try MergeEngines().engine(forFileName: name).merge(sides, options: MergeOptions())
      }
    }
  }

  private static let lists = [
    Form(name: "a.md", head: "# List\n\n") { "- the \($0)\n" },
    Form(name: "a.md", head: "# List\n\n", end: "\nEnd.\n") { "1. \($0) of them\n" },
    Form(name: "a.txt", head: "To buy:\n\n") { "* \($0)\n" },
    Form(name: "a.org", head: "* List\n") { "- \($0)\n" },
    Form(name: "a.rst", head: "List\n====\n\n") { "- \($0)\n" },
    Form(name: "a.md", head: "| name |\n|------|\n") { "| \($0) |\n" },
    Form(name: "a.html", head: "<ul>\n", end: "</ul>\n") { "<li>\($0)</li>\n" },
    Form(name: "a.html", head: "<table>\n", end: "</table>\n") { "<tr><td>\($0)</td></tr>\n" },
    Form(name: "a.xml", head: "<l>\n", end: "</l>\n") { "<i>the \($0)</i>\n" },
    Form(name: "a.xml", head: "<l>\n", end: "</l>\n") { "<i>\n<t>\($0)</t>\n<v>x</v>\n</i>\n" },
    Form(name: "a.json", head: "[\n", separator: ",\n", end: "\n]\n") { "{\"x\": \"\($0)\"}" },
    Form(name: "a.yaml") { "- \($0)\n" },
  ]

  private static let records = [
    Form(name: "a.csv", head: "name,v\n") { "\($0),1\n" },
    Form(name: "a.csv", head: "id,name,v\n") { "\($0),x,1\n" },
    Form(name: "a.tsv", head: "name\tv\n") { "\($0)\t1\n" },
    Form(name: "a.sql", head: "INSERT INTO t VALUES\n", separator: ",\n", end: ";\n") {
      "('\($0)', 1)"
    },
    Form(name: "a.sql", head: "INSERT INTO t VALUES\n", separator: ",\n", end: ";\n") {
      "('\($0)')"
    },
    Form(name: "a.sql") { "INSERT INTO t (name, v) VALUES ('\($0)', 1);\n" },
    Form(name: "a.json", head: "[\n", separator: ",\n", end: "\n]\n") {
      "{\n\"name\": \"\($0)\",\n\"v\": 1\n}"
    },
    Form(name: "a.yaml") { "- id: \($0)\n  v: 1\n" },
    Form(name: "a.toml") { "[[x]]\nname = \"\($0)\"\nv = 1\n\n" },
    Form(name: "a.xml", head: "<l>\n", end: "</l>\n") { "<i id=\"\($0)\" v=\"1\"/>\n" },
    Form(name: "a.xml", head: "<l>\n", end: "</l>\n") { "<i>\n<id>\($0)</id>\n<v>1</v>\n</i>\n" },
  ]

  private static let words = ["milk", "salt", "tea", "rice", "oil"]

  @Test("Of different members, the ones that either side removed are gone", arguments: lists)
  func removed(form: Form) throws {
    for own in Self.words.indices {
      for other in Self.words.indices where other != own {
        let (ours, theirs) = ([Self.words[own]], [Self.words[other]])
        let sides = MergeSides(
          base: Self.words, ours: Self.words.filter { !ours.contains($0) },
          theirs: Self.words.filter { !theirs.contains($0) })
        for outcome in try form.merges(sides) {
          #expect(outcome.isComplete)
          #expect(outcome.text == form.text(Self.words.filter { !(ours + theirs).contains($0) }))
        }
      }
    }
  }

  @Test(
    "No member is lost because the sides gave different ones the same name",
    arguments: lists + records)
  func named(form: Form) throws {
    for own in Self.words.indices {
      for other in Self.words.indices where other != own {
        var (ours, theirs, merged) = (Self.words, Self.words, Self.words)
        ours[own] = "zulu"
        theirs[other] = "zulu"
        merged[own] = "zulu"
        merged[other] = "zulu"
        let sides = MergeSides(base: Self.words, ours: ours, theirs: theirs)
        for outcome in try form.merges(sides) where outcome.isComplete {
          #expect(outcome.text == form.text(merged))
        }
      }
    }
  }
}
