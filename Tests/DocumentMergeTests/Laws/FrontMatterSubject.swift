import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// Markdown with settings before it.
struct FrontMatterSubject: FileSubject {
  var testDescription: String { "front matter" }
  var engine: any MergeEngine { MergeEngines().engine(for: .markdown) }

  /// In YAML, answers may bring up further clashes.
  func count(of law: MergeLaw) -> Int {
    [.coverage, .own, .answers].contains(law) ? 0 : caseCount(400)
  }
  func batch(of law: MergeLaw) -> Int { law == .idempotence ? .max : 100 }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    let settings = generator.yamlSides()
    let text = generator.proseSides()
    let mark = Array("---\n".utf8)
    func joined(_ settings: [UInt8], _ text: [UInt8]) -> [UInt8] {
      mark + settings + (settings.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]) + mark
        + text
    }
    guard let base = settings.base, let baseText = text.base else { return nil }
    return MergeSides(
      base: joined(base, baseText), ours: joined(settings.ours, text.ours),
      theirs: joined(settings.theirs, text.theirs))
  }

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    checkSameCharacters(outcome, swapped, of: merge)
  }

  /// The settings stay in front, and each part is the result of its own engine.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    let parts = merge.sides.map { FrontMatter(TextLines($0)) }
    guard let base = parts.base ?? nil, let ours = parts.ours, let theirs = parts.theirs,
      merge.sides.settled == nil
    else { return }
    let result = try #require(FrontMatter(TextLines(outcome.bytes)), merge.comment)
    let engines = MergeEngines()
    let settings = try engines.engine(for: .yaml).merge(
      MergeSides(
        base: base.settings.bytes, ours: ours.settings.bytes, theirs: theirs.settings.bytes),
      options: MergeOptions())
    if settings.isComplete { #expect(result.settings.bytes == settings.bytes, merge.comment) }
    // Every place of lines is one of the whole text.
    let lines = merge.sides.map { TextLines($0).count }
    for place in outcome.decisions.compactMap(\.place.lines) {
      #expect(place.ours.upperBound <= lines.ours, merge.comment)
      #expect(place.theirs.upperBound <= lines.theirs, merge.comment)
      // An empty last line doesn't count without its line break.
      #expect(place.result.upperBound <= TextLines(outcome.bytes).count + 1, merge.comment)
    }
  }

  func mayDiffer(
    _ outcome: MergeOutcome, from side: [UInt8], of merge: LawMerge<Self>
  ) throws -> Bool { try addsAgainByLines(outcome, side, of: merge) }

  /// The words stay; it is enough if the texts differ only in empty lines.
  func stays(_ outcome: MergeOutcome, _ again: MergeOutcome) -> Bool? {
    again.isComplete ? again.isEqual(toWordsOf: outcome) : nil
  }

  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) {
    (.max, seeds.count / 500)
  }
}
