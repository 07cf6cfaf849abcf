import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("Laws of merging notebooks, on random documents")
struct NotebookLawTests {
  private let engine = MergeEngines().engine(for: .notebook)
  private let format = NotebookFormat()

  private func merge(
    _ sides: MergeSides<[UInt8]>, _ outputs: MergeOptions.NotebookOutputs = .take
  ) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions(notebookOutputs: outputs))
  }

  private func cells(_ document: [UInt8]) throws -> [[String: NSObject]] {
    let value = try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any]
    return value?["cells"] as? [[String: NSObject]] ?? []
  }

  /// The runs of all cells, and what a cell has that was not run.
  private func runs(_ cells: [[String: NSObject]]) -> Set<String> {
    Set(
      cells.map {
        "\(String(describing: $0["outputs"])) \(String(describing: $0["execution_count"]))"
      })
  }

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.notebookSides()
      let base = try #require(sides.base)
      for side in [sides.ours, sides.theirs] {
        for outputs in MergeOptions.NotebookOutputs.allCases {
          func merged(_ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8] {
            try merge(MergeSides(base: base, ours: ours, theirs: theirs), outputs).bytes
          }
          #expect(try merged(side, base) == side, "seed \(seed)")
          #expect(try merged(base, side) == side, "seed \(seed)")
          #expect(try merged(side, side) == side, "seed \(seed)")
        }
      }
    }
  }

  @Test(
    "Swapped sides give the same cells, and ask in as many places", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.notebookSides()
      let (outcome, swapped) = (try merge(sides), try merge(sides.swapped))
      let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
      #expect(
        outcome.decisions.count { $0.kind == .clash }
          == swapped.decisions.count { $0.kind == .clash }, comment)
      guard outcome.isComplete else { continue }
      func sources(_ document: [UInt8]) throws -> [String] {
        try cells(document).map { cell in
          let text = (cell["source"] as? [String])?.joined() ?? cell["source"] as? String
          return "\(text ?? "") \(cell["cell_type"] ?? NSNull())"
        }.sorted()
      }
      #expect(try sources(outcome.bytes) == sources(swapped.bytes), comment)
    }
  }

  @Test(
    "The result is a notebook, its cells’ outputs are of one run, and nothing new is lost",
    arguments: MergeCases.batches)
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.notebookSides()
      let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
      for outputs in MergeOptions.NotebookOutputs.allCases {
        let outcome = try merge(sides, outputs)
        let tree = try format.parse(outcome.bytes)
        #expect(tree.uniques.values.allSatisfy { $0 == 1 }, comment)
        let known = try sides.all.reduce(
          into: runs([["outputs": NSArray(), "execution_count": NSNull()]])
        ) {
          $0.formUnion(runs(try cells($1)))
        }
        #expect(runs(try cells(outcome.bytes)).isSubset(of: known), comment)
        guard outcome.isComplete, outputs == .take else { continue }
        for side in [sides.ours, sides.theirs] {
          let text = String(decoding: side, as: UTF8.self)
          for mark in ["o", "t"].flatMap({ mark in (0..<4).map { "\(mark)\($0)" } }) {
            for new in ["new \(mark)", " \(mark).0", "\"tag\": \"\(mark)\""]
            where text.contains(new) {
              #expect(outcome.text.contains(new), "\(new) \(comment)")
            }
          }
        }
      }
    }
  }

  @Test("A complete result merged again with either side stays", arguments: MergeCases.batches)
  func idempotence(seeds: Range<Int>) throws {
    var asked = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      // Whether a cell without an id was moved or is another one, nobody can always say.
      let sides = generator.notebookSides(moves: false)
      let outcome = try merge(sides)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let again = try merge(MergeSides(base: sides.base, ours: outcome.bytes, theirs: side))
        #expect(again.text == outcome.text, "seed \(seed)\n\(sides.told)")
        // Without ids, a cell put in the place of another is perhaps that one, rewritten.
        let hasIds = String(decoding: sides.base ?? [], as: UTF8.self).contains("\"id\"")
        #expect(again.isComplete || !hasIds, "seed \(seed)\n\(sides.told)")
        asked += again.isComplete ? 0 : 1
      }
    }
    #expect(asked <= 6)
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    var (complete, byLines, conflicts) = (0, 0, 0)
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.notebookSides()
      let outcome = try merge(sides)
      complete += outcome.isComplete ? 1 : 0
      let lines = try TextMergeEngine().merge(
        sides, options: MergeOptions())
      conflicts += lines.isComplete ? 0 : 1
      byLines += lines.isComplete && outcome.isComplete ? 1 : 0
    }
    #expect(complete > 100 && complete < 280 && byLines > 30 && conflicts > 100)
    #expect(complete - byLines > 60, "\(complete) \(byLines) \(conflicts)")
  }
}
