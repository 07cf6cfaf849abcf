import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// The engine for Markdown's text.
let proseEngine = TextMergeEngine(style: .markdown)

/// Texts for people.
struct ProseSubject: FileSubject {
  let style: TextStyle

  /// Markdown, and the other markup languages.
  static let all = [TextStyle.markdown, .latex, .restructuredText, .asciidoc, .org]
    .map(ProseSubject.init)

  var testDescription: String { style == .markdown ? "prose" : style.rawValue }
  var engine: any MergeEngine { TextMergeEngine(style: style) }

  func count(of law: MergeLaw) -> Int { law == .coverage ? 0 : caseCount(400) }
  func batch(of law: MergeLaw) -> Int { law == .idempotence ? .max : 100 }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return generator.proseSides(style)
  }

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    // The only difference is the order of both sides' additions.
    checkSameCharacters(outcome, swapped, of: merge)
  }

  /// No new word is lost, even if sides clash.
  func checkSound(
    _ outcome: MergeOutcome, of merge: LawMerge<Self>
  ) {
    func words(_ bytes: [UInt8]?) -> Set<Substring> {
      Set(String(decoding: bytes ?? [], as: UTF8.self).split { $0.isWhitespace })
    }
    let sides = merge.sides
    let new = words(sides.ours).union(words(sides.theirs)).subtracting(words(sides.base))
    let lost = new.subtracting(words(outcome.bytes))
      .filter { !$0.allSatisfy { $0.isNumber || $0 == "." } }
    #expect(lost.isEmpty, merge.comment)
  }

  func mayDiffer(
    _ outcome: MergeOutcome, from side: [UInt8], of merge: LawMerge<Self>
  ) throws -> Bool { try addsAgainByLines(outcome, side, of: merge) }

  /// A complete result that is merged again stays the same, except for empty lines.
  func stays(_ outcome: MergeOutcome, _ again: MergeOutcome) -> Bool? {
    again.isComplete ? again.isEqual(toWordsOf: outcome) : nil
  }

  /// Among rows that are nearly alike, an edit may be found at another one when it is merged again:
  /// 4 of 20,000 random texts, the first of which is 980.
  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) {
    (.max, seeds.count / 500)
  }

  /// The result of a clean merge by lines stays, unless a part may have been moved and removed.
  func checkOwn(seed: Int) throws {
    guard let sides = sides(seed: seed) else { return }
    let byLines = try TextMergeEngine().merge(sides, options: MergeOptions())
    let outcome = try merge(sides)
    let mayBeMoved = !outcome.isComplete && byLines.kinds.contains(.same)
    if byLines.isComplete, !mayBeMoved { #expect(outcome == byLines, "seed \(seed)") }
  }
}
