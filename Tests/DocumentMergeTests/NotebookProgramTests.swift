import Testing

@testable import DocumentMerge

@Suite("What notebooks say of their format, and of the program that runs them")
struct NotebookProgramTests {
  private func notebook(kernel: [String: String], revision: Int = 4) -> [UInt8] {
    let fields = kernel.sorted { $0.key < $1.key }
    return Array(
      """
      {
       "cells": [],
       "metadata": {
        "kernelspec": {
      \(fields.map { "   \"\($0)\": \"\($1)\"" }.joined(separator: ",\n"))
        }
       },
       "nbformat": 4,
       "nbformat_minor": \(revision)
      }

      """.utf8)
  }

  private func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> MergeOutcome {
    try MergeEngines().engine(for: .notebook)
      .merge(MergeSides(base: base, ours: ours, theirs: theirs), options: MergeOptions())
  }

  private static let old = ["display_name": "Python 3", "name": "python3"]
  private static let named = ["display_name": "Python [default]", "name": "python3"]
  private static let added = old.merging(["language": "python"]) { $1 }
  private static let both = named.merging(["language": "python"]) { $1 }
  private static let replaced = ["display_name": "Qiskit", "name": "qiskit"]

  @Test(
    "A kernel that both sides changed is one question",
    arguments: [
      (named, replaced), (replaced, named), (named, ["display_name": "Python 3", "name": "py"]),
      (["name": "python3"], replaced),
    ])
  func kernel(one: [String: String], other: [String: String]) throws {
    let outcome = try merge(
      notebook(kernel: Self.old), notebook(kernel: one), notebook(kernel: other))
    #expect(
      outcome.decisions.filter { $0.kind == .clash }.map(\.place.path) == ["/metadata/kernelspec"])
    #expect(outcome.bytes == notebook(kernel: one))
  }

  @Test(
    "A cell that one side removed and the other changed is asked about, however its fields are spelled",
    arguments: [("\u{E9}", "e\u{301}"), ("p", "q")])
  func removedCell(one: String, other: String) throws {
    func notebook(_ cells: String...) -> [UInt8] {
      Array(
        "{\"cells\":[\(cells.joined(separator: ","))],\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}"
          .utf8)
    }
    func cell(_ id: String, _ metadata: String) -> String {
      "{\"cell_type\":\"markdown\",\"id\":\"\(id)\",\"metadata\":{\(metadata)},\"source\":[\"x\"]}"
    }
    let kept = cell("keep", "")
    let before = cell("go", "\"\(one)\":1,\"\(other)\":1")
    for after in ["\"\(one)\":2,\"\(other)\":1", "\"\(one)\":1,\"\(other)\":2"] {
      let outcome = try merge(
        notebook(kept, before), notebook(kept), notebook(kept, cell("go", after)))
      #expect(!outcome.isComplete)
    }
    let renamed = try merge(
      notebook(kept, cell("go", "\"\(one)\":1")), notebook(kept),
      notebook(kept, cell("go", "\"\(other)\":1")))
    #expect(!renamed.isComplete)
  }

  @Test("A kernel that one side changed, and the other one only said more of, is both")
  func kernelAddedTo() throws {
    for (one, other) in [
      (Self.named, Self.added), (Self.added, Self.named), (Self.both, Self.named),
    ] {
      let outcome = try merge(
        notebook(kernel: Self.old), notebook(kernel: one), notebook(kernel: other))
      #expect(outcome.isComplete)
      #expect(outcome.bytes == notebook(kernel: Self.both))
    }
  }

  @Test("A kernel of one name that each side shows otherwise is no question")
  func kernelShownOtherwise() throws {
    let tides = ["display_name": "tides", "name": "python3"]
    let expected = [
      (Self.named, tides, Self.named), (tides, Self.named, tides), (Self.both, tides, Self.both),
      (tides, Self.both, tides.merging(["language": "python"]) { $1 }),
    ]
    for (one, other, merged) in expected {
      let outcome = try merge(
        notebook(kernel: Self.old), notebook(kernel: one), notebook(kernel: other))
      #expect(outcome.isComplete)
      #expect(outcome.bytes == notebook(kernel: merged))
    }
  }

  @Test(
    "The revision is that of the side that changed it; else the later one",
    arguments: [
      (4, 4, 2, 2), (4, 2, 4, 2), (2, 4, 2, 4), (4, 2, 1, 2), (2, 3, 4, 4),
      // Only in the later one of these, cells have ids.
      (5, 5, 4, 5), (5, 4, 5, 5),
    ])
  func revision(base: Int, ours: Int, theirs: Int, expected: Int) throws {
    let outcome = try merge(
      notebook(kernel: Self.old, revision: base), notebook(kernel: Self.added, revision: ours),
      notebook(kernel: Self.named, revision: theirs))
    #expect(outcome.isComplete)
    #expect(outcome.bytes == notebook(kernel: Self.both, revision: expected))
  }
}
