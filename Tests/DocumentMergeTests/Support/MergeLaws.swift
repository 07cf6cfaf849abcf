import DocumentMerge
import DocumentTestSupport
import Testing

/// The laws that hold for documents of any structure, on random ones.
struct MergeLaws {
  let engine: any MergeEngine
  /// Makes a base and two edited sides.
  let sides: @Sendable (inout SeededGenerator) -> MergeSides<[UInt8]>

  func merge(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions())
  }

  func sides(seed: Int) -> MergeSides<[UInt8]> {
    var generator = SeededGenerator(seed: seed)
    return sides(&generator)
  }

  /// An unchanged side, and equal sides, give the other side.
  func checkIdentities(seeds: Range<Int>) throws {
    for seed in seeds {
      let sides = sides(seed: seed)
      let base = try #require(sides.base)
      for side in [sides.ours, sides.theirs] {
        let comment = Comment(rawValue: "seed \(seed)")
        for (ours, theirs) in [(side, base), (base, side), (side, side)] {
          let outcome = try merge(MergeSides(base: base, ours: ours, theirs: theirs))
          #expect(outcome.bytes == side && outcome.isComplete, comment)
        }
      }
    }
  }

  /// Swapped sides give the same lines, and swapped decisions.
  func checkSymmetry(seeds: Range<Int>) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    for seed in seeds {
      let sides = sides(seed: seed)
      let outcome = try merge(sides)
      let swapped = try merge(sides.swapped)
      let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
      #expect(outcome.isComplete == swapped.isComplete, comment)
      func told(_ outcome: MergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind)
        -> [String]
      {
        outcome.decisions.map { "\(kind($0.kind)) \($0.place.path ?? "lines")" }.sorted()
      }
      // A clean merge by lines is taken if it has the members in the order of the structure's, ours first.
      let isByLines = [outcome, swapped].map { $0.decisions.allSatisfy { $0.place.path == nil } }
      if isByLines[0] == isByLines[1] {
        #expect(told(outcome) { $0 } == told(swapped) { mirror[$0] ?? $0 }, comment)
      }
      guard outcome.isComplete else { continue }
      func lines(_ outcome: MergeOutcome) -> [Substring] {
        outcome.text.split(separator: "\n").sorted()
      }
      #expect(lines(outcome) == lines(swapped), comment)
    }
  }

  /// A complete result merged again with either side stays.
  /// - Returns: How many are asked about again.
  func checkIdempotence(seeds: Range<Int>) throws -> Int {
    var asked = 0
    for seed in seeds {
      let sides = sides(seed: seed)
      let outcome = try merge(sides)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let again = try merge(MergeSides(base: sides.base, ours: outcome.bytes, theirs: side))
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told + "\n=====\n" + outcome.text)
        guard again.isComplete else {
          asked += 1
          continue
        }
        #expect(again.text == outcome.text, comment)
      }
    }
    return asked
  }

  /// The random merges are of all sorts.
  func checkCoverage() throws {
    var kinds: [MergeDecision.Kind: Int] = [:]
    var (complete, byStructure) = (0, 0)
    for seed in 0..<300 {
      let outcome = try merge(sides(seed: seed))
      complete += outcome.isComplete ? 1 : 0
      byStructure +=
        outcome.isComplete && outcome.decisions.contains { $0.place.path != nil } ? 1 : 0
      for decision in outcome.decisions { kinds[decision.kind, default: 0] += 1 }
    }
    #expect(complete > 80 && complete < 280 && byStructure > 30, "\(complete), \(byStructure)")
    for kind in [MergeDecision.Kind.ours, .theirs, .clash] { #expect(kinds[kind] ?? 0 > 50) }
  }
}
