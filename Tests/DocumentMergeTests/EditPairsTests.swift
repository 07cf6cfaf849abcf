@testable import DocumentMerge
import Foundation
import Testing

/// All pairs of small edits of one document, with their results in a readable file: `Fixtures/merges/pairs`.
@Suite("Pairs of edits")
struct EditPairsTests {
  /// A document and the edits of it.
  struct Catalogue: Sendable, CustomTestStringConvertible {
    let name: String
    let base: String
    let edits: [(name: String, text: String)]
    let engine: any MergeEngine

    var testDescription: String { name }

    /// A line for each pair: the edits, and the result.
    func outcomes() throws -> String {
      var lines = ""
      for ours in edits {
        for theirs in edits {
          let sides = MergeSides(
            base: Array(base.utf8), ours: Array(ours.text.utf8), theirs: Array(theirs.text.utf8))
          let outcome = try engine.merge(sides, options: MergeOptions())
          let clashes = outcome.decisions.filter { $0.kind == .clash }.map(\.place.description)
          let result = clashes.isEmpty ? "complete" : "clash: " + clashes.joined(separator: "; ")
          lines += "\(ours.name) | \(theirs.name) | \(result)\n"
        }
      }
      return lines
    }
  }

  private static func edited(
    _ base: String, _ edits: [(String, [(String, String)])]
  ) -> [(name: String, text: String)] {
    edits.map { name, replacements in
      (
        name,
        replacements.reduce(base) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
      )
    }
  }

  private static let prose = """
    # Trip

    We leave the harbour at noon. The boat is small and blue.
    Bring food for two days.

    - tent
    - stove

    | who | what |
    | --- | --- |
    | Ida | tent |

    """

  private static let table = "id,name,price\n1,apple,3\n2,pear,4\n3,plum,5\n"

  static let catalogues: [Catalogue] = [
    Catalogue(
      name: "text", base: prose,
      edits: edited(
        prose,
        [
          ("change a word", [("noon", "ten")]),
          ("change the same word", [("noon", "dusk")]),
          ("change a word of the line", [("blue", "red")]),
          ("change a word of the next line", [("two", "three")]),
          ("rewrite a sentence", [("The boat is small and blue", "Our ship has masts")]),
          ("remove a sentence", [(" The boat is small and blue.", "")]),
          ("append a sentence", [("two days.", "two days. Sleep well.")]),
          (
            "remove the paragraph",
            [
              ("We leave the harbour at noon. The boat is small and blue.\n", ""),
              ("Bring food for two days.\n\n", ""),
            ]
          ),
          ("wrap anew", [("noon. The", "noon.\nThe"), ("blue.\n", "blue. ")]),
          ("spaces", [("We leave", "We  leave")]),
          ("add a paragraph", [("two days.\n", "two days.\n\nNo dogs.\n")]),
          ("add another paragraph", [("two days.\n", "two days.\n\nTake cash.\n")]),
          ("add an item", [("- stove\n", "- stove\n- lamp\n")]),
          ("add another item", [("- stove\n", "- stove\n- rope\n")]),
          ("change an item", [("- stove", "- [ ] gas stove")]),
          ("remove an item", [("- stove\n", "")]),
          ("add a row", [("| Ida | tent |\n", "| Ida | tent |\n| Tom | food |\n")]),
          ("add another row", [("| Ida | tent |\n", "| Ida | tent |\n| Mira | map |\n")]),
          ("change a cell", [("| Ida | tent |", "| Ida | big tent |")]),
          ("remove the table", [("| who | what |\n| --- | --- |\n| Ida | tent |\n", "")]),
          ("change the title", [("# Trip", "# Journey")]),
        ]), engine: TextMergeEngine(style: .markdown)),
    Catalogue(
      name: "table", base: table,
      edits: edited(
        table,
        [
          ("change a cell", [("2,pear,4", "2,pear,6")]),
          ("change the same cell", [("2,pear,4", "2,pear,7")]),
          ("change another cell of the row", [("2,pear,4", "2,Pear,4")]),
          ("change the next row", [("3,plum,5", "3,plum,8")]),
          ("remove the row", [("2,pear,4\n", "")]),
          ("add a row", [("3,plum,5\n", "3,plum,5\n4,fig,6\n")]),
          ("add another row", [("3,plum,5\n", "3,plum,5\n5,kiwi,7\n")]),
          ("add a row of the same key", [("3,plum,5\n", "3,plum,5\n4,lime,1\n")]),
          ("sort", [("1,apple,3\n2,pear,4\n3,plum,5\n", "3,plum,5\n2,pear,4\n1,apple,3\n")]),
          ("sort otherwise", [("1,apple,3\n2,pear,4\n", "2,pear,4\n1,apple,3\n")]),
          (
            "add a column",
            [("price", "price,size"), ("e,3", "e,3,S"), ("r,4", "r,4,M"), ("m,5", "m,5,L")]
          ),
          (
            "remove a column",
            [("price", ""), ("name,", "name"), (",3", ""), (",4", ""), (",5", "")]
          ),
          ("rename a column", [("price", "cost")]),
          (
            "move a column",
            [
              ("name,price", "price,name"), ("apple,3", "3,apple"),
              ("pear,4", "4,pear"), ("plum,5", "5,plum"),
            ]
          ),
          ("quote", [("apple", "\"apple\"")]),
          ("line endings", [("\n", "\r\n")]),
        ]), engine: TableMergeEngine()),
  ]

  @Test("Each pair goes as the file says", arguments: catalogues)
  func pairs(_ catalogue: Catalogue) throws {
    #expect(catalogue.edits.allSatisfy { $0.text != catalogue.base })
    let outcomes = try catalogue.outcomes()
    let file = MergeFixture.root.appending(path: "pairs/\(catalogue.name)")
    let told = try String(contentsOf: file, encoding: .utf8)
    if outcomes != told, let new = ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_PAIRS"] {
      try outcomes.write(toFile: "\(new)/\(catalogue.name)", atomically: true, encoding: .utf8)
    }
    #expect(
      outcomes.split(separator: "\n") == told.split(separator: "\n"), "\(catalogue.name)")
  }
}
