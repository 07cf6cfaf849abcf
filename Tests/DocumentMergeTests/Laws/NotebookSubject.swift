import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// Jupyter notebooks.
struct NotebookSubject: FileSubject {
  var testDescription: String { "notebook" }
  var engine: any MergeEngine { MergeEngines().engine(for: .notebook) }

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity, .symmetry, .soundness, .idempotence, .answers: caseCount(400)
    case .damage: caseCount(100)
    case .coverage: 1
    case .own: 0
    }
  }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return generator.notebookSides()
  }

  /// It isn't always clear whether a cell without an id was moved or is another one.
  func clearSides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return generator.notebookSides(moves: false)
  }

  private func cells(_ document: [UInt8]) throws -> [[String: NSObject]] {
    let value = try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any]
    return value?["cells"] as? [[String: NSObject]] ?? []
  }

  /// Returns the runs of all cells, and the outputs of cells that weren't run.
  private func runs(_ cells: [[String: NSObject]]) -> Set<String> {
    Set(
      cells.map {
        "\(String(describing: $0["outputs"])) \(String(describing: $0["execution_count"]))"
      })
  }

  /// Swapped sides give the same cells, and ask in as many places.
  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) throws {
    #expect(
      outcome.decisions.count { $0.kind == .clash }
        == swapped.decisions.count { $0.kind == .clash }, merge.comment)
    guard outcome.isComplete else { return }
    func sources(_ document: [UInt8]) throws -> [String] {
      try cells(document).map { cell in
        let text = (cell["source"] as? [String])?.joined() ?? cell["source"] as? String
        return "\(text ?? "") \(cell["cell_type"] ?? NSNull())"
      }.sorted()
    }
    #expect(try sources(outcome.bytes) == sources(swapped.bytes), merge.comment)
  }

  /// The result is a notebook, its cells’ outputs are of one run, and nothing new is lost.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    let tree = try NotebookFormat().parse(outcome.bytes)
    #expect(tree.uniques.values.allSatisfy { $0 == 1 }, merge.comment)
    let known = try merge.sides.all.reduce(
      into: runs([["outputs": NSArray(), "execution_count": NSNull()]])
    ) {
      $0.formUnion(runs(try cells($1)))
    }
    #expect(runs(try cells(outcome.bytes)).isSubset(of: known), merge.comment)
    guard outcome.isComplete else { return }
    for side in [merge.sides.ours, merge.sides.theirs] {
      let text = String(decoding: side, as: UTF8.self)
      for mark in ["o", "t"].flatMap({ mark in (0..<4).map { "\(mark)\($0)" } }) {
        for new in ["new \(mark)", " \(mark).0", "\"tag\": \"\(mark)\""]
        where text.contains(new) {
          #expect(outcome.text.contains(new), "\(new) \(merge.comment)")
        }
      }
    }
  }

  func stays(_ outcome: MergeOutcome, _ again: MergeOutcome) -> Bool? {
    again.text == outcome.text
  }

  /// Without ids, a cell in the place of another may be that one, rewritten.
  func checkAsked(_ again: MergeOutcome, of merge: LawMerge<Self>) {
    let hasIds = String(decoding: merge.sides.base ?? [], as: UTF8.self).contains("\"id\"")
    #expect(!hasIds, merge.comment)
  }

  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) { (6, 0) }

  func checkCoverage() throws {
    var (complete, byLines, conflicts) = (0, 0, 0)
    for seed in 0..<300 {
      guard let sides = sides(seed: seed) else { continue }
      let outcome = try merge(sides)
      complete += outcome.isComplete ? 1 : 0
      let lines = try TextMergeEngine().merge(sides, options: MergeOptions())
      conflicts += lines.isComplete ? 0 : 1
      byLines += lines.isComplete && outcome.isComplete ? 1 : 0
    }
    #expect(complete > 100 && complete < 280 && byLines > 30 && conflicts > 100)
    #expect(complete - byLines > 60, "\(complete) \(byLines) \(conflicts)")
  }
}
