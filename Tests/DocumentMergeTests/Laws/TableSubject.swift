import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// The engine for tables.
let tableEngine = TableMergeEngine()

/// Tables.
struct TableSubject: FileSubject {
  let testDescription: String
  private let tables: @Sendable (inout SeededGenerator) -> MergeSides<RandomTable>
  private let check: @Sendable (MergeOutcome, LawMerge<Self>) throws -> Void
  private let isMergedAgain: Bool

  var engine: any MergeEngine { tableEngine }

  /// Tables stay rectangular.
  static let keyed = TableSubject(
    testDescription: "table", tables: { $0.tableSides() },
    check: { outcome, merge in
      let tables = TableText.tables(merge.sides, separator: UInt8(ascii: ","))
      guard tables != nil, !outcome.text.contains("<<<<<<<") else { return }
      #expect(TableText(outcome.bytes, separator: UInt8(ascii: ",")) != nil, merge.comment)
    }, isMergedAgain: true)

  /// Tables of which some rows lack cells: the result has no markers.
  static let uneven = TableSubject(
    testDescription: "table with short rows", tables: { $0.unevenTableSides() },
    check: { outcome, merge in
      let comma = UInt8(ascii: ",")
      guard TableText.tables(merge.sides, separator: comma) != nil else { return }
      #expect(
        TableText(outcome.bytes, separator: comma, allowsShortRows: true) != nil, merge.comment)
      let keys = { (bytes: [UInt8]) in
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").count {
          $0.split(separator: ",", omittingEmptySubsequences: false).contains("f7")
        }
      }
      #expect(keys(outcome.bytes) <= merge.sides.all.map(keys).max() ?? 0, merge.comment)
    }, isMergedAgain: false)

  /// Tables with a key of two columns: no key stands twice.
  static let pairs = TableSubject(
    testDescription: "table with a key of two columns", tables: { $0.pairTableSides() },
    check: { outcome, merge in
      let pairs = outcome.text.split(separator: "\n").map { $0.split(separator: ",").prefix(2) }
      #expect(Set(pairs).count == pairs.count, merge.comment)
    }, isMergedAgain: false)

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity, .symmetry, .soundness, .answers: caseCount(400)
    case .idempotence: isMergedAgain ? caseCount(400) : 0
    case .damage: caseCount(100)
    case .coverage, .own: 0
    }
  }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return tables(&generator).map { $0.written() }
  }

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    checkSameCharacters(outcome, swapped, of: merge)
  }

  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    try check(outcome, merge)
  }

  /// Only tables with a key are surely the same.
  func mayDiffer(
    _ outcome: MergeOutcome, from side: [UInt8], of merge: LawMerge<Self>
  ) throws -> Bool {
    try !outcome.text.hasPrefix("id,") || addsAgainByLines(outcome, side, of: merge)
  }
}
