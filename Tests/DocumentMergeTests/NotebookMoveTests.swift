import Testing

@testable import DocumentMerge

@Suite("Cells without ids that were moved and edited")
struct NotebookMoveTests {
  /// A notebook of a revision without ids; sources are parted by slashes, their lines by semicolons.
  private static func notebook(_ sources: String) -> String {
    let cells = sources.split(separator: "/").map { source in
      let lines = source.replacing(";", with: "\\n")
      return """
          {
           "cell_type": "code",
           "execution_count": null,
           "metadata": {},
           "outputs": [],
           "source": "\(lines)"
          }
        """
    }
    return """
      {
       "cells": [
      \(cells.joined(separator: ",\n"))
       ],
       "metadata": {},
       "nbformat": 4,
       "nbformat_minor": 4
      }

      """
  }

  private static func merge(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> DoubtfulChangeTests.Case {
    DoubtfulChangeTests.Case(
      name, .notebook, notebook(base), notebook(ours), notebook(theirs),
      gives: expected.map { notebook($0) })
  }

  private static let merges = [
    merge(
      "a cell moved alike and edited differently", "import numpy/x = 1;y = 2",
      "x = 5;y = 2/import numpy", "x = 7;y = 2/import numpy"),
    merge(
      "a cell moved to two places and edited differently",
      "import numpy/x = 1;y = 2;plot(x, y)/close()/done",
      "x = 5;y = 2;plot(x, y)/import numpy/close()/done",
      "import numpy/close()/x = 7;y = 2;plot(x, y)/done"),
    merge(
      "a cell moved and edited, and removed", "import numpy/x = 1;y = 2/close()",
      "x = 5;y = 2/import numpy/close()", "import numpy/close()"),
    merge(
      "a cell moved and edited, and edited in the same line", "import numpy/x = 1;y = 2/close()",
      "x = 5;y = 2/import numpy/close()", "import numpy/x = 7;y = 2/close()"),
    merge(
      "a cell moved and edited, and edited in another line",
      "import numpy/x = 1;show();y = 2/close()", "x = 5;show();y = 2/import numpy/close()",
      "import numpy/x = 1;show();y = 3/close()", gives: "x = 5;show();y = 3/import numpy/close()"),
    merge(
      "a cell moved alike and edited in two lines", "import numpy/x = 1;show();y = 2",
      "x = 5;show();y = 2/import numpy", "x = 1;show();y = 3/import numpy",
      gives: "x = 5;show();y = 3/import numpy"),
    merge(
      "a cell moved and edited beside a new one", "import numpy/x = 1;y = 2/close()",
      "x = 5;y = 2/import numpy/close()", "import numpy/x = 1;y = 2/save(z)/close()",
      gives: "x = 5;y = 2/save(z)/import numpy/close()"),
  ]

  @Test("Such a cell stands once, or is asked about", arguments: merges)
  func once(merge: DoubtfulChangeTests.Case) throws {
    try merge.check()
    let sides = merge.sides.map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let text = try MergeEngines().engine(for: .notebook).merge(sides, options: MergeOptions())
        .text
      #expect(text.ranges(of: "y = ").count <= 1, "\(text)")
    }
  }

  @Test("A copy of a cell is kept, or asked about, if the other side edits another cell")
  func copied() throws {
    let base = ["import tides", "head()", "x = 1;y = 2", "show(x, y)"]
    for copied in base.indices {
      for place in 0...base.count {
        for edited in base.indices where edited != copied {
          var (ours, theirs, merged) = (base, base, base)
          merged[edited] += " + 5"
          ours[edited] += " + 5"
          theirs.insert(base[copied], at: place)
          merged.insert(base[copied], at: place)
          let sides = MergeSides(base: base, ours: ours, theirs: theirs)
            .map { Array(Self.notebook($0.joined(separator: "/")).utf8) }
          for sides in [sides, sides.swapped] {
            let outcome = try MergeEngines().engine(for: .notebook)
              .merge(sides, options: MergeOptions())
            guard outcome.isComplete else { continue }
            #expect(outcome.text == Self.notebook(merged.joined(separator: "/")))
          }
        }
      }
    }
  }
}
