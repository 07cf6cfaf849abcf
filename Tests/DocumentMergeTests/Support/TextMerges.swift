@testable import DocumentMerge

/// The engine under test.
let engine = TextMergeEngine()

/// Merges texts given as strings.
func merge(
  _ base: String?, _ ours: String, _ theirs: String, options: MergeOptions = MergeOptions()
) throws -> MergeOutcome {
  let sides = MergeSides(
    base: base.map { Array($0.utf8) }, ours: Array(ours.utf8), theirs: Array(theirs.utf8))
  return try engine.merge(sides, options: options)
}

extension MergeOutcome {
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var kinds: [MergeDecision.Kind] { decisions.map(\.kind) }

  /// Returns whether another outcome is the same except for space and empty lines.
  func isEqual(toWordsOf other: MergeOutcome) -> Bool {
    text.filter { !$0.isWhitespace } == other.text.filter { !$0.isWhitespace }
  }
}

extension MergeSides {
  var swapped: MergeSides { MergeSides(base: base, ours: theirs, theirs: ours) }
}

extension MergeLabels {
  var swapped: MergeLabels { MergeLabels(base: base, ours: theirs, theirs: ours) }
}
