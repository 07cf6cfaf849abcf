@testable import DocumentMerge
import Foundation
import Testing

/// Every pair of small edits of one document, with what comes of it, in a table to be read:
/// `Fixtures/merges/pairs/json`.
@Suite("Pairs of edits of a JSON document")
struct JSONPairsTests {
  /// A small edit: its name, and what it puts in place of what.
  struct Edit: Sendable {
    let name: String
    let replacements: [(old: String, new: String)]

    init(_ name: String, _ replacements: (String, String)...) {
      self.name = name
      self.replacements = replacements
    }

    /// The text after the edit; `nil` if it cannot be made any more.
    func made(to text: String) -> String? {
      var text = text
      for (old, new) in replacements {
        guard text.contains(old) else { return nil }
        text = text.replacingOccurrences(of: old, with: new)
      }
      return text
    }
  }

  static let base = """
    {
      "name": "Harbour",
      "size": {
        "width": 10,
        "height": 20
      },
      "layers": [
        {"id": "sky", "colour": "blue"},
        {"id": "sea", "colour": "green"},
        {"id": "sun", "colour": "red"}
      ],
      "tags": ["old", "new"],
      "points": [1, 2, 3, 4, 5],
      "note": null
    }

    """

  static let edits = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change it otherwise", ("Harbour", "Quay")),
    Edit("change the kind of a value", ("\"Harbour\"", "[\"Harbour\"]")),
    Edit("rename a key", ("\"name\"", "\"title\"")),
    Edit("remove a key", ("  \"name\": \"Harbour\",\n", "")),
    Edit("add a key at the start", ("{\n  \"name\"", "{\n  \"kind\": 1,\n  \"name\"")),
    Edit("add it with another value at the end", ("null\n", "null,\n  \"kind\": 2\n")),
    Edit("add another key at the end", ("null\n", "null,\n  \"more\": {}\n")),
    Edit("change inside an object", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit(
      "remove the object", ("  \"size\": {\n    \"width\": 10,\n    \"height\": 20\n  },\n", "")),
    Edit(
      "put the object on one line",
      ("{\n    \"width\": 10,\n    \"height\": 20\n  }", "{ \"width\": 10, \"height\": 20 }")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("\"green\"", "\"teal\"")),
    Edit("remove a record", ("    {\"id\": \"sky\", \"colour\": \"blue\"},\n", "")),
    Edit(
      "append a record",
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"bird\", \"colour\": \"white\"}\n")),
    Edit(
      "append another record",
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"boat\", \"colour\": \"brown\"}\n")),
    Edit(
      "move a record to the end", ("    {\"id\": \"sky\", \"colour\": \"blue\"},\n", ""),
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"sky\", \"colour\": \"blue\"}\n")),
    Edit("append a tag", ("\"new\"]", "\"new\", \"blue\"]")),
    Edit("append another tag", ("\"new\"]", "\"new\", \"red\"]")),
    Edit("replace a tag", ("\"old\"", "\"ancient\"")),
    Edit("replace it otherwise", ("\"old\"", "\"former\"")),
    Edit("change a number of a list", ("1, 2, 3", "1, 9, 3")),
    Edit("change it otherwise in the list", ("1, 2, 3", "1, 8, 3")),
    Edit("change a far number of the list", ("4, 5]", "4, 6]")),
    Edit("insert a number", ("1, 2, 3", "1, 2, 7, 3")),
    Edit("indent by four", ("\n    ", "\n\t\t"), ("\n  ", "\n    "), ("\t\t", "        ")),
    Edit(
      "put all on one line", (",\n    ", ", "), (",\n  ", ", "), ("\n    ", ""), ("\n  ", ""),
      ("\n", "")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  private static let table = MergeFixture.root.appending(path: "pairs/json")

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = StructuredMergeEngine(format: JSONFormat())
    var lines: [String] = []
    for ours in Self.edits {
      #expect(ours.made(to: Self.base) != Self.base, "\(ours.name)")
      for theirs in Self.edits {
        let sides = MergeSides(
          base: Self.base, ours: try #require(ours.made(to: Self.base)),
          theirs: try #require(theirs.made(to: Self.base)))
        let outcome = try engine.merge(sides.map { Array($0.utf8) }, options: MergeOptions())
        let value = try JSONSerialization.jsonObject(with: Data(outcome.bytes))
        let clashes = outcome.decisions.filter { $0.kind == .clash }
          .map { $0.place.path ?? $0.place.description }
        let result =
          clashes.isEmpty
          ? "both"
          : "clash " + clashes.joined(separator: " ")
        lines.append("\(ours.name) | \(theirs.name) | \(result)")
        // Unless they clash, the result has both edits: making them one after the other is the same.
        guard clashes.isEmpty else { continue }
        guard let both = theirs.made(to: sides.ours), let other = ours.made(to: sides.theirs) else {
          continue
        }
        let values = try [both, other].map {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSObject
        }
        if values[0] == values[1], ours.name != theirs.name {
          #expect(value as? NSObject == values[0], "\(ours.name), \(theirs.name): \(outcome.text)")
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
