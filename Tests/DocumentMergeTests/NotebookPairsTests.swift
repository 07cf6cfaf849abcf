import DocumentMerge
import Foundation
import Testing

/// All pairs of small edits of one notebook, with their results in a readable file.
@Suite("Pairs of edits of a notebook")
struct NotebookPairsTests {
  private static func cell(_ id: String, run: String = "1", _ output: String, _ source: String...)
    -> String
  {
    let lines = source.map { "    \"\($0)\"" }.joined(separator: ",\n")
    return """
        {
         "cell_type": "code",
         "execution_count": \(run),
         "id": "\(id)",
         "metadata": {},
         "outputs": [\(output)],
         "source": [
      \(lines)
         ]
        }
      """
  }

  private static let base = """
    {
     "cells": [
    \(cell("read", "1", "import tides\\n", "levels = tides.read()\\n", "levels.head()")),
    \(cell("plot", run: "2", "2", "levels.plot()\\n", "show()"))
     ],
     "metadata": {
      "kernelspec": {
       "display_name": "Python"
      }
     },
     "nbformat": 4,
     "nbformat_minor": 5
    }

    """

  private static let edits: [(name: String, changes: [(String, String)])] = [
    ("change a line", [("tides.read()", "tides.read(1)")]),
    ("change it otherwise", [("tides.read()", "tides.read(2)")]),
    ("change the first line", [("import tides", "import tides as t")]),
    ("change the last line", [("levels.head()", "levels.tail()")]),
    ("run again", [("\"execution_count\": 1", "\"execution_count\": 7"), ("[1]", "[7]")]),
    ("run again later", [("\"execution_count\": 1", "\"execution_count\": 8"), ("[1]", "[8]")]),
    (
      "change the last line and run",
      [
        ("levels.head()", "levels.tail()"), ("\"execution_count\": 1", "\"execution_count\": 9"),
        ("[1]", "[9]"),
      ]
    ),
    ("run the next cell", [("\"execution_count\": 2", "\"execution_count\": 5"), ("[2]", "[5]")]),
    ("clear outputs", [("[1]", "[]"), ("[2]", "[]"), ("count\": 1", "count\": null")]),
    (
      "remove the cell",
      [(cell("plot", run: "2", "2", "levels.plot()\\n", "show()"), ""), ("},\n\n", "}\n")]
    ),
    (
      "insert a cell",
      [
        (
          "  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 2",
          cell("sum", "3", "sum()")
            + ",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 2"
        )
      ]
    ),
    (
      "insert another cell",
      [
        (
          "  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 2",
          cell("mean", "4", "mean()")
            + ",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 2"
        )
      ]
    ),
    ("change the next cell", [("show()", "save()")]),
    ("name the kernel", [("Python", "Python 3")]),
    ("name it otherwise", [("Python", "Python 3.12")]),
    (
      "tag the cell",
      [
        (
          "\"id\": \"plot\",\n   \"metadata\": {}",
          "\"id\": \"plot\",\n   \"metadata\": {\"tags\": [\"figure\"]}"
        )
      ]
    ),
  ]

  private static func made(_ changes: [(String, String)]) -> String {
    changes.reduce(base) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(for: .notebook)
    var lines: [String] = []
    for (ours, oursChanges) in Self.edits {
      #expect(Self.made(oursChanges) != Self.base, "\(ours)")
      for (theirs, theirsChanges) in Self.edits {
        let sides = MergeSides(
          base: Array(Self.base.utf8), ours: Array(Self.made(oursChanges).utf8),
          theirs: Array(Self.made(theirsChanges).utf8))
        let outcome = try engine.merge(sides, options: MergeOptions())
        _ = try JSONSerialization.jsonObject(with: Data(outcome.bytes))
        let clashes = outcome.decisions.filter { $0.kind == .clash }
          .map { $0.place.path ?? $0.place.description }
        let result = clashes.isEmpty ? "both" : "clash " + clashes.joined(separator: " ")
        lines.append("\(ours) | \(theirs) | \(result)")
      }
    }
    try checkPairs(lines, "notebook")
  }
}
