@testable import DocumentMerge
import DocumentTestSupport
import Testing

@Suite("Laws of merging TOML, on random documents")
struct TOMLLawTests {
  private let engine = StructuredMergeEngine(format: TOMLFormat())
  private let format = TOMLFormat()

  private func merge(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions())
  }

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.tomlSides()
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

  @Test("Swapped sides give the same lines, and swapped decisions", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.tomlSides()
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

  @Test(
    "The result is valid, nothing new is lost, and each stays in its table",
    arguments: MergeCases.batches)
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.tomlSides()
      let known = try sides.all.map { try places(in: $0) }
      for clashValue in MergeOptions.ClashValue.allCases {
        let outcome = try engine.merge(sides, options: MergeOptions(clashValue: clashValue))
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told + "\n=====\n" + outcome.text)
        // Reading refuses what is there twice.
        let places = try places(in: outcome.bytes)
        #expect(places.isSubset(of: known.reduce(into: []) { $0.formUnion($1) }), comment)
        guard outcome.isComplete else { continue }
        for side in [sides.ours, sides.theirs] {
          for new in ["o", "t"].flatMap({ mark in (0..<4).map { "\"\(mark)\($0)\"" } })
          where String(decoding: side, as: UTF8.self).contains(new) {
            #expect(outcome.text.contains(new), comment)
          }
        }
      }
    }
  }

  /// The ways of names to all members; those of lists count as one.
  private func places(in document: [UInt8]) throws -> Set<String> {
    let tree = try format.parse(document)
    var places: Set<String> = []
    func visit(_ node: Int, _ path: String) {
      for member in tree.members(of: node) {
        var name = String(decoding: tree.name(of: member, format), as: UTF8.self)
        if tree[member].kind == .tables { name = "[[item]]" }
        let place = path + "/" + name
        places.insert(place)
        visit(member, place)
      }
    }
    visit(StructureTree.root, "")
    return places
  }

  @Test("A complete result merged again with either side stays", arguments: MergeCases.batches)
  func idempotence(seeds: Range<Int>) throws {
    var asked = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let sides = generator.tomlSides()
      let outcome = try merge(sides)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let again = try merge(MergeSides(base: sides.base, ours: outcome.bytes, theirs: side))
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told + "\n=====\n" + outcome.text)
        // The last table of an array takes the array with it: to ask about that again is right.
        guard again.isComplete else {
          asked += 1
          continue
        }
        #expect(again.text == outcome.text, comment)
      }
    }
    #expect(asked <= seeds.count / 10)
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    var kinds: [MergeDecision.Kind: Int] = [:]
    var (complete, byStructure) = (0, 0)
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: seed)
      let outcome = try merge(generator.tomlSides())
      complete += outcome.isComplete ? 1 : 0
      byStructure +=
        outcome.isComplete && outcome.decisions.contains { $0.place.path != nil } ? 1 : 0
      for decision in outcome.decisions { kinds[decision.kind, default: 0] += 1 }
    }
    #expect(complete > 80 && complete < 280 && byStructure > 30, "\(complete), \(byStructure)")
    for kind in [MergeDecision.Kind.ours, .theirs, .clash] { #expect(kinds[kind] ?? 0 > 50) }
  }
}
