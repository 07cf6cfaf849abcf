/// Where conflict markers stand in the result of a merge that leaves something to decide.
package enum ConflictMarkers: String, CaseIterable, Sendable {
  /// Nowhere: ours stands where the sides clash.
  case never
  /// In text, also in structured text that people read by lines; not in documents that only their programs read.
  case auto
  /// In all that is text.
  case always

  /// The longest line that is still read as a line.
  fileprivate static let lineLimit = 1000
}

/// The result of a merge, and whether conflict markers are in it.
package struct MarkedOutcome: Sendable {
  /// The outcome; its decisions are those of the merge.
  package let outcome: MergeOutcome
  /// Whether conflict markers show what is left to decide.
  package let hasMarkers: Bool

  /// Creates a result.
  package init(outcome: MergeOutcome, hasMarkers: Bool) {
    self.outcome = outcome
    self.hasMarkers = hasMarkers
  }
}

extension OpenMerge {
  /// The document without answers, with conflict markers where they are wanted, and where people read it line by line.
  ///
  /// In a structured document, they stand around the lines that are different with all answers from ours and with all
  /// from theirs: all else is merged.
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

  /// The same answer to all clashes that allow it and have no other; to the others, ours.
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

  /// The merged document as lines, with markers around those that are not decided; `nil` if it is no text.
  /// - Parameter given: What is decided.
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
      // Not all of theirs goes with the rest, so the sides stand as they are.
    }
    return try marked(sides.ours, sides.theirs)
  }
}

extension [UInt8] {
  fileprivate var hasShortLines: Bool {
    split(separator: .lineFeed).allSatisfy { $0.count <= ConflictMarkers.lineLimit }
  }
}
