/// A check for a fault in a merge without clashes.
///
/// A check receives the three texts and the result. It is a value created for a format, with the required knowledge
/// about it.
protocol MergeCheck: Sendable {
  /// Returns the doubtful places of a merge.
  func doubts(about merge: CleanMerge) -> [MergeDecision]

  /// Returns the result without equal additions of both sides; `nil` if there are none.
  func mended(_ merge: CleanMerge) -> [UInt8]?
}

extension MergeCheck {
  func mended(_ merge: CleanMerge) -> [UInt8]? { nil }
}

/// A merge without open questions.
struct CleanMerge {
  /// The documents that were merged.
  let documents: MergeSides<[UInt8]>
  let labels: MergeLabels
  let bytes: [UInt8]
  let base: TextLines
  let ours: TextLines
  let theirs: TextLines
  let result: TextLines

  /// Reads a merge; `nil` if a document isn't text, or there is no base.
  init?(_ bytes: [UInt8], of documents: MergeSides<[UInt8]>, labels: MergeLabels) {
    func text(_ document: [UInt8]) -> TextLines? {
      DecodedText(document).map { TextLines($0.text) }
    }
    guard let old = documents.base, let result = text(bytes), let base = text(old),
      let ours = text(documents.ours), let theirs = text(documents.theirs)
    else { return nil }
    (self.documents, self.labels, self.bytes) = (documents, labels, bytes)
    (self.base, self.ours, self.theirs, self.result) = (base, ours, theirs, result)
  }

  /// Returns the same merge with another result.
  func with(_ bytes: [UInt8]) -> CleanMerge {
    CleanMerge(bytes, of: documents, labels: labels) ?? self
  }

  /// The three texts.
  var texts: MergeSides<TextLines> { MergeSides(base: base, ours: ours, theirs: theirs) }

  /// Returns the findings in both directions, each with the names of the sides.
  func bothWays<Part>(
    _ sides: MergeSides<Part>,
    _ found: (_ side: Part, _ other: Part, _ label: String, _ otherLabel: String) -> [MergeDecision]
  ) -> [MergeDecision] {
    found(sides.ours, sides.theirs, labels.ours, labels.theirs)
      + found(sides.theirs, sides.ours, labels.theirs, labels.ours)
  }
}

extension MergeDecision {
  /// Returns a question about a merge without clashes.
  static func doubt(
    _ explanation: String, ours: String? = nil, theirs: String? = nil
  ) -> MergeDecision {
    MergeDecision(kind: .clash, ours: ours, theirs: theirs, explanation: explanation)
  }
}
