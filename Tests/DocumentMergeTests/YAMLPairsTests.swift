import Foundation
import Testing

@testable import DocumentMerge

/// Every pair of small edits of one document, with what comes of it, in a table to be read:
/// `Fixtures/merges/pairs/yaml`.
@Suite("Pairs of edits of a YAML document")
struct YAMLPairsTests {
  private typealias Edit = JSONPairsTests.Edit

  private static let base = """
    # The harbour
    name: Harbour
    size: &size
      width: 10
      height: 20
    layers:
      - id: sky
        colour: blue
      # the water
      - id: sea
        colour: green
    tags:
      - old
      - new
    points: [1, 2, 3, 4]
    text: >
      Ships may come and go at any hour.
      In winter the lights are on from four.
    script: |
      one
        two
      three
    copy: *size

    """

  private static let edits = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change it otherwise", ("Harbour", "Quay")),
    Edit("put it in quotes", ("Harbour", "\"Harbour\"")),
    Edit("change the kind of a value", ("Harbour", "[Harbour]")),
    Edit("rename a key", ("name:", "title:")),
    Edit("remove a key", ("name: Harbour\n", "")),
    Edit("add a key at the start", ("name:", "kind: 1\nname:")),
    Edit("add it with another value at the end", ("copy: *size\n", "copy: *size\nkind: 2\n")),
    Edit("add another key at the end", ("copy: *size\n", "copy: *size\nmore: {}\n")),
    Edit("change inside a mapping", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit(
      "put the mapping on one line", ("\n  width: 10\n  height: 20", " {width: 10, height: 20}")),
    Edit("rename the anchor", ("&size", "&extent"), ("*size", "*extent")),
    Edit("refer to it once more", ("copy: *size\n", "copy: *size\nother: *size\n")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("green", "teal")),
    Edit("remove a record", ("  - id: sky\n    colour: blue\n", "")),
    Edit("append a record", ("colour: green\n", "colour: green\n  - id: sun\n")),
    Edit(
      "append another record", ("colour: green\n", "colour: green\n  - id: bird\n    wings: 2\n")),
    Edit("change a comment", ("the water", "the deep water")),
    Edit("append a tag", ("  - new\n", "  - new\n  - blue\n")),
    Edit("append another tag", ("  - new\n", "  - new\n  - red\n")),
    Edit("replace a tag", ("- old", "- ancient")),
    Edit("change a number of a list", ("1, 2", "1, 9")),
    Edit("append a number", ("3, 4]", "3, 4, 5]")),
    Edit("change a sentence", ("may come", "can come")),
    Edit("change another sentence", ("from four", "from five")),
    Edit("change a line of the script", ("  one\n", "  eins\n")),
    Edit("change another line of it", ("  three\n", "  drei\n")),
    Edit("indent by four", ("\n  ", "\n    ")),
    Edit(
      "put lists into the column of their key", ("\n  - id", "\n- id"),
      ("\n    colour", "\n  colour"), ("\n  # the", "\n# the"),
      ("\n  - old\n  - new", "\n- old\n- new")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  private static let table = MergeFixture.root.appending(path: "pairs/yaml")

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(for: .yaml)
    let format = YAMLFormat()
    func value(_ text: String) throws -> Int {
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try format.parse(Array(lines.utf8))[StructureTree.root].valueHash
    }
    var lines: [String] = []
    for ours in Self.edits {
      #expect(ours.made(to: Self.base) != Self.base, "\(ours.name)")
      for theirs in Self.edits {
        let sides = MergeSides(
          base: Self.base, ours: try #require(ours.made(to: Self.base)),
          theirs: try #require(theirs.made(to: Self.base)))
        let outcome = try engine.merge(sides.map { Array($0.utf8) }, options: MergeOptions())
        let merged = try value(outcome.text)
        let clashes = outcome.decisions.filter { $0.kind == .clash }
          .map { $0.place.path ?? $0.place.description }
        let result = clashes.isEmpty ? "both" : "clash " + clashes.joined(separator: " ")
        lines.append("\(ours.name) | \(theirs.name) | \(result)")
        // Unless they clash, the result has both edits: making them one after the other is the same.
        guard clashes.isEmpty, ours.name != theirs.name, let both = theirs.made(to: sides.ours),
          let other = ours.made(to: sides.theirs)
        else { continue }
        // One after the other, edits of the layout may break the document.
        let values = [both, other].map { text -> Int? in
          do { return try value(text) } catch { return nil }
        }
        if let expected = values[0], expected == values[1] {
          #expect(merged == expected, "\(ours.name), \(theirs.name): \(outcome.text)")
        }
      }
    }
    let told = lines.map { $0 + "\n" }.joined()
    guard FileManager.default.fileExists(atPath: Self.table.path) else {
      try Data(told.utf8).write(to: Self.table)
      Issue.record("There was no table; it is recorded now, to be read")
      return
    }
    let expected = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n").map(
      String.init)
    for (line, other) in zip(lines, expected) { #expect(line == other) }
    #expect(lines.count == expected.count)
  }
}
