@testable import DocumentMerge
import DocumentTestSupport
import Foundation
import Testing

/// How many random merges are tried: `DOCVERSIONS_MERGE_CASES`, or as many as suit every change.
enum MergeCases {
  static let count =
    ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_CASES"].flatMap(Int.init) ?? 400
  /// The seeds in batches, so that a test run is not flooded by test cases.
  static let batches = stride(from: 0, to: count, by: 100).map { $0..<min($0 + 100, count) }
}

@Suite("Laws of merging JSON, on random documents")
struct JSONLawTests {
  private let engine = StructuredMergeEngine(format: JSONFormat())
  private let format = JSONFormat()

  private func merge(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions())
  }

  /// What both orders of combined insertions have in common.
  private func unordered(_ document: [UInt8]) throws -> String {
    func told(_ value: Any) -> String {
      if let object = value as? [String: Any] {
        return "{" + object.map { "\($0.key):\(told($0.value))" }.sorted().joined(separator: ",")
          + "}"
      }
      if let list = value as? [Any] {
        return "[" + list.map(told).sorted().joined(separator: ",") + "]"
      }
      return String(describing: value)
    }
    return told(
      try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed))
  }

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.jsonSides()
      for side in [sides.ours, sides.theirs] {
        let comment = Comment(rawValue: "seed \(seed)")
        #expect(
          try merge(MergeSides(base: sides.base, ours: side, theirs: sides.base ?? [])).bytes
            == side, comment)
        #expect(
          try merge(MergeSides(base: sides.base, ours: sides.base ?? [], theirs: side)).bytes
            == side, comment)
        #expect(
          try merge(MergeSides(base: sides.base, ours: side, theirs: side)).bytes == side, comment)
      }
    }
  }

  @Test("Swapped sides give the same values, and swapped decisions", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.jsonSides()
      let outcome = try merge(sides)
      let swapped = try merge(sides.swapped)
      let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
      #expect(outcome.isComplete == swapped.isComplete, comment)
      func told(_ outcome: MergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind)
        -> [String]
      {
        outcome.decisions.map { "\(kind($0.kind)) \($0.place.path ?? "lines")" }.sorted()
      }
      #expect(told(outcome) { $0 } == told(swapped) { mirror[$0] ?? $0 }, comment)
      if outcome.isComplete {
        #expect(try unordered(outcome.bytes) == unordered(swapped.bytes), comment)
      }
    }
  }

  @Test(
    "The result is valid, has nothing twice, and nothing new is lost", arguments: MergeCases.batches
  )
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.jsonSides()
      for clashValue in MergeOptions.ClashValue.allCases {
        let outcome = try engine.merge(sides, options: MergeOptions(clashValue: clashValue))
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
        let doubled = DoubledMembers(in: try format.parse(outcome.bytes), format, lists: false)
        #expect(doubled.isEmpty, comment)
        _ = try unordered(outcome.bytes)
        guard outcome.isComplete else { continue }
        for (mark, side) in [("o", sides.ours), ("t", sides.theirs)] + [
          ("t", sides.ours), ("o", sides.theirs),
        ] {
          for number in 0..<3 {
            let new = "\"\(mark)\(number)\""
            if String(decoding: side, as: UTF8.self).contains(new) {
              #expect(outcome.text.contains(new), "seed \(seed): \(new)\n\(sides.told)")
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
      // Which of equal members was changed nobody can say: to ask about those again is right.
      let sides = generator.jsonSides(repeats: false)
      let outcome = try merge(sides)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told)
        let again = try merge(MergeSides(base: sides.base, ours: outcome.bytes, theirs: side))
        #expect(again.text == outcome.text, comment)
        // Lines know places in lists that the structure asks about, but not always twice.
        let clashes = again.decisions.filter { $0.kind == .clash }
        #expect(clashes.allSatisfy { $0.explanation.contains("nothing tells") }, comment)
        asked += clashes.isEmpty ? 0 : 1
      }
    }
    #expect(asked <= 2)
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    var kinds: [MergeDecision.Kind: Int] = [:]
    var (complete, byStructure) = (0, 0)
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: seed)
      let outcome = try merge(generator.jsonSides())
      complete += outcome.isComplete ? 1 : 0
      byStructure +=
        outcome.isComplete && outcome.decisions.contains { $0.place.path != nil } ? 1 : 0
      for decision in outcome.decisions { kinds[decision.kind, default: 0] += 1 }
    }
    #expect(complete > 80 && complete < 280 && byStructure > 30, "\(complete), \(byStructure)")
    for kind in [MergeDecision.Kind.ours, .theirs, .clash] { #expect(kinds[kind] ?? 0 > 50) }
  }
}

extension MergeSides<[UInt8]> {
  /// All three, to be read by a person.
  var told: String {
    [base ?? [], ours, theirs].map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "\n-----\n")
  }
}
