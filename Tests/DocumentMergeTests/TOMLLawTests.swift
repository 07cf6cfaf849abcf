@testable import DocumentMerge
import DocumentTestSupport
import Testing

@Suite("Laws of merging TOML, on random documents")
struct TOMLLawTests {
  private let laws = MergeLaws(
    engine: StructuredMergeEngine(format: TOMLFormat()), sides: { $0.tomlSides() })
  private let format = TOMLFormat()

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    try laws.checkIdentities(seeds: seeds)
  }

  @Test("Swapped sides give the same lines, and swapped decisions", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    try laws.checkSymmetry(seeds: seeds)
  }

  @Test(
    "The result is valid, nothing new is lost, and each stays in its table",
    arguments: MergeCases.batches)
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      let sides = laws.sides(seed: seed)
      let known = try sides.all.map { try places(in: $0) }
      for clashValue in MergeOptions.ClashValue.allCases {
        let outcome = try laws.engine.merge(sides, options: MergeOptions(clashValue: clashValue))
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
    // The last table of an array takes the array with it: to ask about that again is right.
    #expect(try laws.checkIdempotence(seeds: seeds) <= seeds.count / 10)
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    try laws.checkCoverage()
  }
}
