/// The documents in which a merge shows open questions with conflict markers.
package enum ConflictMarkers: String, CaseIterable, Sendable {
  /// None: the value of ours is shown at a clash.
  case never
  /// Texts, and structured texts that people read line by line, but not documents that only programs read.
  case auto
  /// All documents that are text.
  case always

  /// The maximum length of a line that people read as a line.
  fileprivate static let lineLimit = 1000
}

/// The result of a merge, and whether it has conflict markers.
package struct MarkedOutcome: Sendable {
  /// The outcome; its decisions are those of the merge.
  package let outcome: MergeOutcome
  /// True if conflict markers show the open questions.
  package let hasMarkers: Bool

  /// Creates a result.
  package init(outcome: MergeOutcome, hasMarkers: Bool) {
    self.outcome = outcome
    self.hasMarkers = hasMarkers
  }
}

extension OpenMerge {
  /// Returns the document without answers, with conflict markers if they are requested and people read it
  /// line by line.
  ///
  /// In a structured document, markers surround the lines that differ between a result with all answers from
  /// ours and one with all answers from theirs; everything else is merged.
  func outcome(
    marking markers: ConflictMarkers, of sides: MergeSides<[UInt8]>, isReadByLines: Bool,
    options: MergeOptions
  ) throws -> MarkedOutcome {
    let plain = try outcome()
    guard !plain.isComplete else { return MarkedOutcome(outcome: plain, hasMarkers: false) }
    let isMarked = plain.decisions.contains { $0.kind == .clash && $0.place.lines != nil }
    if markers == .never {
      let bytes = isMarked ? try outcome(answers: answers(.ours)).bytes : plain.bytes
      return MarkedOutcome(
        outcome: MergeOutcome(bytes: bytes, decisions: plain.decisions), hasMarkers: false)
    }
    if isMarked { return MarkedOutcome(outcome: plain, hasMarkers: true) }
    let isRead = markers == .always || isReadByLines
    let marked = isRead ? try markedLines(of: sides, options) : nil
    guard let marked, markers == .always || marked.hasShortLines else {
      return MarkedOutcome(outcome: plain, hasMarkers: false)
    }
    return MarkedOutcome(
      outcome: MergeOutcome(bytes: marked, decisions: plain.decisions), hasMarkers: true)
  }

  /// Returns the same answer for all clashes that allow it and have no answer yet, and ours for the others.
  private func answers(
    _ answer: MergeAnswer, besides given: [Int: MergeAnswer] = [:]
  ) -> [Int: MergeAnswer] {
    let answers = clashes.enumerated().compactMap { number, clash -> (Int, MergeAnswer)? in
      let choices = clash.choices
      return choices.contains(answer.choice)
        ? (number, answer) : choices.contains(.ours) ? (number, .ours) : nil
    }
    return given.merging(answers) { given, _ in given }
  }

  /// Returns the merged document as lines, with markers around the undecided ones; `nil` if it isn't text.
  /// - Parameter given: The answers that are given.
  func markedLines(
    of sides: MergeSides<[UInt8]>, _ options: MergeOptions, answers given: [Int: MergeAnswer] = [:]
  ) throws -> [UInt8]? {
    var options = options
    options.conflictStyle = .merge
    func marked(_ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8]? {
      guard ours != theirs, DecodedText(ours) != nil, DecodedText(theirs) != nil else { return nil }
      let lines = try TextMergeEngine().merge(
        MergeSides(base: nil, ours: ours, theirs: theirs), options: options)
      return lines.isComplete ? nil : lines.bytes
    }
    do {
      let ours = try outcome(answers: answers(.ours, besides: given)).bytes
      let theirs = try outcome(answers: answers(.theirs, besides: given)).bytes
      if let lines = try marked(ours, theirs) { return lines }
    } catch let error as MergeError where error.code == .invalidAnswer {
      // Some answers of theirs don't fit the rest, so the sides are shown unmerged.
    }
    return try marked(sides.ours, sides.theirs)
  }
}

extension [UInt8] {
  fileprivate var hasShortLines: Bool {
    split(separator: .lineFeed).allSatisfy { $0.count <= ConflictMarkers.lineLimit }
  }
}
