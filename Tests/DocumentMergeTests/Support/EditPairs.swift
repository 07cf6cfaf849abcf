import DocumentMerge
import Foundation
import Testing

/// A small edit: its name, the replaced text and the replacement.
struct Edit: Sendable {
  let name: String
  let replacements: [(old: String, new: String)]

  init(_ name: String, _ replacements: (String, String)...) {
    self.name = name
    self.replacements = replacements
  }

  /// Returns the text after the edit; `nil` if the edit is no longer possible.
  func made(to text: String) -> String? {
    var text = text
    for (old, new) in replacements {
      guard text.contains(old) else { return nil }
      text = text.replacingOccurrences(of: old, with: new)
    }
    return text
  }
}

/// Every pair of small edits of one document with its result, in a readable table: `Fixtures/merges/pairs`.
struct EditPairs<Value: Hashable> {
  let name: String
  let engine: any MergeEngine
  let base: String
  let edits: [Edit]
  /// Returns the value of a document; throws if the document isn't valid.
  let value: (_ document: String) throws -> Value

  /// Checks that every pair gives the result in the table, and that it is valid and has both edits unless it
  /// clashes.
  func check() throws {
    var lines: [String] = []
    for ours in edits {
      #expect(ours.made(to: base) != base, "\(ours.name)")
      for theirs in edits {
        let sides = MergeSides(
          base: base, ours: try #require(ours.made(to: base), "\(ours.name)"),
          theirs: try #require(theirs.made(to: base), "\(theirs.name)"))
        for side in [sides.ours, sides.theirs] { _ = try value(side) }
        let outcome = try engine.merge(sides.map { Array($0.utf8) }, options: MergeOptions())
        let merged = try value(outcome.text)
        let clashes = outcome.decisions.filter { $0.kind == .clash }
          .map { $0.place.path ?? $0.place.description }
        let result = clashes.isEmpty ? "both" : "clash " + clashes.joined(separator: " ")
        lines.append("\(ours.name) | \(theirs.name) | \(result)")
        // Unless they clash, the result has both edits, as if they were made one after the other.
        guard clashes.isEmpty, ours.name != theirs.name, let both = theirs.made(to: sides.ours),
          let other = ours.made(to: sides.theirs)
        else { continue }
        // Edits of the layout may break the document if they are made one after the other.
        let values = [both, other].map { text -> Value? in
          do { return try value(text) } catch { return nil }
        }
        if let expected = values[0], expected == values[1] {
          #expect(merged == expected, "\(ours.name), \(theirs.name): \(outcome.text)")
        }
      }
    }
    try checkPairs(lines, name)
  }
}

/// Compares the lines of a table of pairs with those in `Fixtures/merges/pairs`.
func checkPairs(_ lines: [String], _ name: String) throws {
  let table = MergeFixture.root.appending(path: "pairs/\(name)")
  guard FileManager.default.fileExists(atPath: table.path) else {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: table)
    Issue.record("There was no table; it is recorded now, to be read")
    return
  }
  let expected = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
  for (line, other) in zip(lines, expected) { #expect(line == other) }
  #expect(lines.count == expected.count)
}
