import DocumentTestSupport
import Testing

@testable import DocumentMerge

@Suite("Laws of merging YAML, on random documents")
struct YAMLLawTests {
  private let laws = MergeLaws(
    engine: MergeEngines().engine(for: .yaml), sides: { $0.yamlSides() })
  private let format = YAMLFormat()

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    try laws.checkIdentities(seeds: seeds)
  }

  @Test("Swapped sides give the same lines, and swapped decisions", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    try laws.checkSymmetry(seeds: seeds)
  }

  @Test(
    "The result is valid, nothing new is lost, and each stays in its mapping",
    arguments: MergeCases.batches)
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      let sides = laws.sides(seed: seed)
      let known = try sides.all.map { try places(in: $0) }
      for clashValue in MergeOptions.ClashValue.allCases {
        let outcome = try laws.engine.merge(sides, options: MergeOptions(clashValue: clashValue))
        let comment = Comment(rawValue: "seed \(seed)\n" + sides.told + "\n=====\n" + outcome.text)
        // Where sides clash, one clash must not take the whole document with it.
        let isWhole = outcome.decisions.contains { $0.kind == .clash && $0.place.path == nil }
        #expect(!isWhole, comment)
        let places = try places(in: outcome.bytes)
        #expect(places.isSubset(of: known.reduce(into: []) { $0.formUnion($1) }), comment)
        let doubled = DoubledMembers(in: try format.parse(outcome.bytes), format, lists: false)
        #expect(doubled.isEmpty, comment)
        guard outcome.isComplete else { continue }
        for side in [sides.ours, sides.theirs] {
          for new in ["o", "t"].flatMap({ mark in (0..<4).map { "\(mark)\($0)" } })
          where String(decoding: side, as: UTF8.self).contains(new) {
            #expect(outcome.text.contains(new), comment)
          }
        }
      }
    }
  }

  /// The ways of names to all members, with what each leaf says; those of lists count as one.
  private func places(in document: [UInt8]) throws -> Set<String> {
    let tree = try format.parse(document)
    var places: Set<String> = []
    func visit(_ node: Int, _ path: String) {
      for member in tree.members(of: node) {
        let isNamed = tree[node].kind.isMapping
        let name = isNamed ? String(decoding: tree.name(of: member, format), as: UTF8.self) : "-"
        let place = path + "/" + name
        places.insert(
          tree[member].kind == .leaf ? place + "=\(tree[member].valueHash)" : place)
        visit(member, place)
      }
    }
    visit(StructureTree.root, "")
    return places
  }

  @Test("A complete result merged again with either side stays", arguments: MergeCases.batches)
  func idempotence(seeds: Range<Int>) throws {
    // What one side removed and the other put into another mapping may be asked about again.
    #expect(try laws.checkIdempotence(seeds: seeds) <= seeds.count / 10)
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    try laws.checkCoverage()
  }

  @Test("Damaged documents are refused or read without a byte lost", arguments: MergeCases.batches)
  func damage(seeds: Range<Int>) throws {
    var count = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let bytes = generator.yamlSides().ours.damaged(&generator)
      do {
        let tree = try format.parse(bytes)
        #expect(tree[StructureTree.root].whole == 0..<bytes.count)
      } catch let error as MergeError {
        #expect(error.code == .invalidDocument, "seed \(seed)")
        count += 1
      }
    }
    #expect(count > 0)
  }
}
