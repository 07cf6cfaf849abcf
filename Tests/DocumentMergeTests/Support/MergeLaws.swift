import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// The laws that hold for documents of any structure, on random ones of one format.
struct MergeLaws: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let format: any StructuredFormat
  var engine: any MergeEngine
  /// Makes a base and two edited sides; each edit has a mark, `o0` to `o3` and `t0` to `t3`.
  let sides: @Sendable (inout SeededGenerator) -> MergeSides<[UInt8]>
  /// The same, for what is merged again: without what nobody can tell apart.
  var clearSides: (@Sendable (inout SeededGenerator) -> MergeSides<[UInt8]>)?
  /// How a mark is written where it stands for itself.
  var quote = ""
  /// What both orders of combined insertions have in common.
  var unordered: @Sendable (_ document: [UInt8]) throws -> [String] = { document in
    String(decoding: document, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
  }
  /// Reads a document.
  var text: @Sendable (_ document: [UInt8]) -> [UInt8] = { $0 }
  /// Whether swapped sides are never merged once by lines and once by structure.
  var isSteady = false
  /// Whether a clash may be there when a complete result is merged again.
  var mayAskAgain: @Sendable (_ clash: MergeDecision) -> Bool = { _ in true }
  /// How many of a hundred complete results may be asked about when they are merged again, at most.
  var mostAsked = 0

  func merge(
    _ sides: MergeSides<[UInt8]>, _ options: MergeOptions = MergeOptions()
  ) throws -> MergeOutcome {
    try engine.merge(sides, options: options)
  }

  func sides(seed: Int) -> MergeSides<[UInt8]> {
    var generator = SeededGenerator(seed: seed)
    return sides(&generator)
  }

  private func tree(_ document: [UInt8]) throws -> StructureTree {
    try format.parse(text(document))
  }

  /// An unchanged side, and equal sides, give the other side.
  func checkIdentities(seeds: Range<Int>) throws {
    for seed in seeds {
      let sides = sides(seed: seed)
      let base = try #require(sides.base)
      for side in [sides.ours, sides.theirs] {
        for (ours, theirs) in [(side, base), (base, side), (side, side)] {
          let outcome = try merge(MergeSides(base: base, ours: ours, theirs: theirs))
          #expect(outcome.bytes == side && outcome.isComplete, "\(self) seed \(seed)")
        }
      }
    }
  }

  /// Swapped sides give the same members, and swapped decisions.
  func checkSymmetry(seeds: Range<Int>) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    for seed in seeds {
      let sides = sides(seed: seed)
      let outcome = try merge(sides)
      let swapped = try merge(sides.swapped)
      let comment = comment(seed, sides, outcome)
      #expect(outcome.isComplete == swapped.isComplete, comment)
      func told(_ outcome: MergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind)
        -> [String]
      {
        outcome.decisions.map { "\(kind($0.kind)) \($0.place.path ?? "lines")" }.sorted()
      }
      // A clean merge by lines is taken if it has the members in the order of the structure's, ours first.
      let isByLines = [outcome, swapped].map { $0.decisions.allSatisfy { $0.place.path == nil } }
      if isSteady || isByLines[0] == isByLines[1] {
        #expect(told(outcome) { $0 } == told(swapped) { mirror[$0] ?? $0 }, comment)
      }
      guard outcome.isComplete else { continue }
      #expect(try unordered(outcome.bytes) == unordered(swapped.bytes), comment)
    }
  }

  /// The result is valid, has nothing twice, nothing new is lost, and each stays in its container.
  func checkSoundness(seeds: Range<Int>) throws {
    for seed in seeds {
      let sides = sides(seed: seed)
      let known = try sides.all.reduce(into: Set<String>()) { $0.formUnion(try places(in: $1)) }
      let knownDoubled = try sides.all.map { try doubled(in: $0) }
      for clashValue in MergeOptions.ClashValue.allCases {
        let outcome = try merge(sides, MergeOptions(clashValue: clashValue))
        let comment = comment(seed, sides, outcome)
        // Where sides clash, one clash must not take the whole document with it.
        let isWhole = outcome.decisions.contains { $0.kind == .clash && $0.place.path == nil }
        #expect(!isWhole, comment)
        #expect(try places(in: outcome.bytes).isSubset(of: known), comment)
        #expect(try doubled(in: outcome.bytes).isCovered(by: knownDoubled), comment)
        guard outcome.isComplete else { continue }
        let merged = read(outcome.bytes)
        for side in [sides.ours, sides.theirs] {
          let side = read(side)
          for new in ["o", "t"].flatMap({ mark in (0..<4).map { "\(quote)\(mark)\($0)\(quote)" } })
          where side.contains(new) {
            #expect(merged.contains(new), comment)
          }
        }
      }
    }
  }

  /// A complete result merged again with either side stays.
  func checkIdempotence(seeds: Range<Int>) throws {
    var asked = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = (clearSides ?? sides)(&generator)
      let outcome = try merge(sides)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let again = try merge(MergeSides(base: sides.base, ours: outcome.bytes, theirs: side))
        asked += again.isComplete ? 0 : 1
        let clashes = again.decisions.filter { $0.kind == .clash }
        #expect(clashes.allSatisfy(mayAskAgain), comment(seed, sides, outcome))
        #expect(read(again.bytes) == read(outcome.bytes), comment(seed, sides, outcome))
      }
    }
    #expect(asked * 100 <= mostAsked * seeds.count, "\(self) \(seeds)")
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

  /// Damaged documents are refused, or read without a byte lost.
  func checkDamage(seeds: Range<Int>) throws {
    var refused = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let bytes = text(sides(&generator).ours).damaged(&generator)
      do {
        checkParts(of: try format.parse(bytes), bytes.count)
      } catch let error as MergeError {
        #expect(error.code == .invalidDocument, "\(self) seed \(seed)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  private func comment(
    _ seed: Int, _ sides: MergeSides<[UInt8]>, _ outcome: MergeOutcome
  ) -> Comment {
    let told = (sides.all + [outcome.bytes]).map(read).joined(separator: "\n-----\n")
    return Comment(rawValue: "\(testDescription) seed \(seed)\n\(told)")
  }

  private func read(_ document: [UInt8]) -> String {
    String(decoding: text(document), as: UTF8.self)
  }

  private func doubled(in document: [UInt8]) throws -> DoubledMembers {
    DoubledMembers(in: try tree(document), format, lists: false)
  }

  private func places(in document: [UInt8]) throws -> Set<String> {
    try tree(document).places(format)
  }
}
