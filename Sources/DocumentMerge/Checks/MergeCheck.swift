/// One thing that may be wrong with a merge though nothing in it clashes.
///
/// A check is given the three texts and the result. Each is a value made for a format, with what it has to know of it.
protocol MergeCheck: Sendable {
  /// What is doubtful in a merge.
  func doubts(about merge: CleanMerge) -> [MergeDecision]

  /// The result without what both sides added alike; `nil` if there is nothing of that kind.
  func mended(_ merge: CleanMerge) -> [UInt8]?
}

extension MergeCheck {
  func mended(_ merge: CleanMerge) -> [UInt8]? { nil }
}

/// A merge that leaves no question.
struct CleanMerge {
  /// The documents as they were merged.
  let documents: MergeSides<[UInt8]>
  let labels: MergeLabels
  let bytes: [UInt8]
  let base: TextLines
  let ours: TextLines
  let theirs: TextLines
  let result: TextLines

  /// Reads a merge; `nil` if a document is no text, or without what both sides started from.
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

  /// The same merge with another result.
  func with(_ bytes: [UInt8]) -> CleanMerge {
    CleanMerge(bytes, of: documents, labels: labels) ?? self
  }

  /// The three texts.
  var texts: MergeSides<TextLines> { MergeSides(base: base, ours: ours, theirs: theirs) }

  /// What is found whichever side is the one, each with the names of the sides.
  func bothWays<Part>(
    _ sides: MergeSides<Part>,
    _ found: (_ side: Part, _ other: Part, _ label: String, _ otherLabel: String) -> [MergeDecision]
  ) -> [MergeDecision] {
    found(sides.ours, sides.theirs, labels.ours, labels.theirs)
      + found(sides.theirs, sides.ours, labels.theirs, labels.ours)
  }
}

extension MergeDecision {
  /// A question about a merge in which nothing clashes.
  static func doubt(
    _ explanation: String, ours: String? = nil, theirs: String? = nil
  ) -> MergeDecision {
    MergeDecision(kind: .clash, ours: ours, theirs: theirs, explanation: explanation)
  }
}
