import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// The laws that every engine keeps.
enum MergeLaw: String, Sendable, CaseIterable {
  /// An unchanged side, and equal sides, give the other side.
  case identity
  /// Swapped sides give the same result, except for the order of additions, and swapped decisions.
  case symmetry
  /// The result is valid, and nothing new is lost.
  case soundness
  /// A complete result that is merged with either side again stays the same.
  case idempotence
  /// Every clash can be answered, and none is left when all are.
  case answers
  /// Damaged documents are refused or merged; nothing traps, and no byte of a readable document is lost.
  case damage
  /// The random merges are of all sorts.
  case coverage
  /// The laws of a single kind of document.
  case own
}

/// A kind of document under the laws of merging: its engine, its random documents, and the meaning of the
/// laws for it.
protocol LawSubject: Sendable, CustomTestStringConvertible {
  associatedtype Document
  associatedtype Outcome

  /// Returns the number of random merges with which a law is tested; 0 if it isn't tested.
  func count(of law: MergeLaw) -> Int
  /// Returns the number of seeds in a test case; limits apply to a test case.
  func batch(of law: MergeLaw) -> Int

  /// Returns a random base and two edited sides; `nil` if the edits of a seed break the document.
  func sides(seed: Int) throws -> MergeSides<Document>?
  /// Returns sides to be merged again, without indistinguishable members.
  func clearSides(seed: Int) throws -> MergeSides<Document>?

  func merge(_ sides: MergeSides<Document>) throws -> Outcome
  /// Merges swapped sides.
  func mergeSwapped(_ sides: MergeSides<Document>) throws -> Outcome
  func isComplete(_ outcome: Outcome) -> Bool
  func document(of outcome: Outcome) throws -> Document
  func areSame(_ one: Document, _ other: Document) throws -> Bool
  /// Returns a document in a readable form.
  func shown(_ document: Document) throws -> String

  /// True if equal sides without a base give that side.
  var mergesWithoutBase: Bool { get }
  /// Checks two merges with swapped sides, beyond checking that both are complete or neither is.
  func checkSwapped(_ outcome: Outcome, _ swapped: Outcome, of merge: LawMerge<Self>) throws
  func checkSound(_ outcome: Outcome, of merge: LawMerge<Self>) throws

  /// Returns whether merging a result again may differ, because lines show better which of several equal ones
  /// is new.
  func mayDiffer(_ outcome: Outcome, from side: Document, of merge: LawMerge<Self>) throws -> Bool
  /// Returns whether the result stays the same when it is merged again; `nil` if it needn't, because it is a
  /// question.
  func stays(_ outcome: Outcome, _ again: Outcome) throws -> Bool?
  /// Checks a clash in merging a complete result again.
  func checkAsked(_ again: Outcome, of merge: LawMerge<Self>)
  /// Returns how many results of a test case may be questions when they are merged again, and how many may
  /// differ.
  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int)

  func checkAnswers(of merge: LawMerge<Self>) throws
  /// Checks a damaged side.
  /// - Returns: Whether it was refused.
  func checkDamage(seed: Int) throws -> Bool
  func checkCoverage() throws
  func checkOwn(seed: Int) throws
}

/// A random merge, and its description for a failure.
struct LawMerge<Subject: LawSubject> {
  let subject: Subject
  let seed: Int
  let sides: MergeSides<Subject.Document>

  var base: Subject.Document {
    get throws { try #require(sides.base) }
  }

  /// The subject, the seed and the documents.
  var comment: Comment {
    let documents = sides.all.map { document in
      do { return try subject.shown(document) } catch { return "\(error)" }
    }
    let text = documents.joined(separator: "\n-----\n")
    return Comment(rawValue: "\(subject.testDescription) seed \(seed)\n\(text)")
  }
}

extension LawSubject {
  func batch(of law: MergeLaw) -> Int { 100 }
  func clearSides(seed: Int) throws -> MergeSides<Document>? { try sides(seed: seed) }
  func mergeSwapped(_ sides: MergeSides<Document>) throws -> Outcome {
    try merge(sides.swapped)
  }
  var mergesWithoutBase: Bool { true }
  func mayDiffer(
    _ outcome: Outcome, from side: Document, of merge: LawMerge<Self>
  ) throws -> Bool { false }
  func checkAsked(_ again: Outcome, of merge: LawMerge<Self>) {}
  func stays(_ outcome: Outcome, _ again: Outcome) throws -> Bool? {
    guard isComplete(again) else { return nil }
    return try areSame(document(of: outcome), document(of: again))
  }
  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) { (.max, 0) }
  func checkCoverage() throws {}
  func checkOwn(seed: Int) throws {}

  /// The random merges of some seeds.
  private func merges(_ seeds: Range<Int>) throws -> [LawMerge<Self>] {
    try seeds.compactMap { seed in
      try sides(seed: seed).map { LawMerge(subject: self, seed: seed, sides: $0) }
    }
  }

  /// Checks a law on the random merges of some seeds.
  func check(_ law: MergeLaw, seeds: Range<Int>) throws {
    switch law {
    case .identity: try merges(seeds).forEach(checkIdentity)
    case .symmetry: try merges(seeds).forEach(checkSymmetry)
    case .soundness:
      for merge in try merges(seeds) { try checkSound(self.merge(merge.sides), of: merge) }
    case .idempotence: try checkIdempotence(seeds: seeds)
    case .answers: try merges(seeds).forEach(checkAnswers)
    case .damage:
      let refused = try seeds.count { try checkDamage(seed: $0) }
      #expect(refused > 0 || !refusesDamage, "\(testDescription)")
    case .coverage: try checkCoverage()
    case .own: for seed in seeds { try checkOwn(seed: seed) }
    }
  }

  private func checkIdentity(_ merge: LawMerge<Self>) throws {
    let base = try merge.base
    for side in [merge.sides.ours, merge.sides.theirs] {
      func check(_ sides: MergeSides<Document>) throws {
        let outcome = try self.merge(sides)
        #expect(try areSame(document(of: outcome), side), merge.comment)
        #expect(isComplete(outcome), merge.comment)
      }
      try check(MergeSides(base: base, ours: side, theirs: base))
      try check(MergeSides(base: base, ours: base, theirs: side))
      try check(MergeSides(base: base, ours: side, theirs: side))
      if mergesWithoutBase { try check(MergeSides(base: nil, ours: side, theirs: side)) }
    }
  }

  private func checkSymmetry(_ merge: LawMerge<Self>) throws {
    let outcome = try self.merge(merge.sides)
    let swapped = try mergeSwapped(merge.sides)
    #expect(isComplete(outcome) == isComplete(swapped), merge.comment)
    try checkSwapped(outcome, swapped, of: merge)
  }

  private func checkIdempotence(seeds: Range<Int>) throws {
    var (merges, asked) = (0, 0)
    var differing: [Int: Comment] = [:]
    for seed in seeds {
      guard let sides = try clearSides(seed: seed) else { continue }
      let merge = LawMerge(subject: self, seed: seed, sides: sides)
      let outcome = try self.merge(sides)
      guard isComplete(outcome) else { continue }
      for side in [sides.ours, sides.theirs] {
        if try mayDiffer(outcome, from: side, of: merge) { continue }
        merges += 1
        let again = try self.merge(
          MergeSides(base: sides.base, ours: document(of: outcome), theirs: side))
        if !isComplete(again) {
          asked += 1
          checkAsked(again, of: merge)
        }
        if try stays(outcome, again) == false { differing[seed] = merge.comment }
      }
    }
    let limits = limits(seeds: seeds, merges: merges)
    #expect(asked <= limits.asked, "\(testDescription) \(seeds): \(asked) of \(merges)")
    #expect(differing.count <= limits.differing, "\(differing)")
  }
}

extension LawSubject {
  /// True if some damaged documents of a test case are refused.
  fileprivate var refusesDamage: Bool { self is StructuredSubject }
}

// MARK: Documents of one file

/// A subject whose documents are files.
protocol FileSubject: LawSubject where Document == [UInt8], Outcome == MergeOutcome {
  var engine: any MergeEngine { get }
}

extension FileSubject {
  func merge(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions())
  }

  func isComplete(_ outcome: MergeOutcome) -> Bool { outcome.isComplete }
  func document(of outcome: MergeOutcome) -> [UInt8] { outcome.bytes }
  func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }
  func shown(_ document: [UInt8]) -> String { String(decoding: document, as: UTF8.self) }

  /// Answers ours to all clashes.
  func checkAnswers(of merge: LawMerge<Self>) throws {
    let open = try engine.openMerge(of: merge.sides, options: MergeOptions())
    let clashes = try open.outcome().decisions.count { $0.kind == .clash }
    let answers = Dictionary(uniqueKeysWithValues: (0..<clashes).map { ($0, MergeAnswer.ours) })
    #expect(try open.outcome(answers: answers).isComplete, merge.comment)
  }

  /// Merges a damaged side, which is kept if it is the only change.
  func checkDamage(seed: Int) throws -> Bool {
    guard let sides = try sides(seed: seed), let base = sides.base else { return false }
    var generator = SeededGenerator(seed: seed)
    let damaged = sides.ours.damaged(&generator)
    _ = try engine.merge(
      MergeSides(base: base, ours: damaged, theirs: sides.theirs), options: MergeOptions())
    let alone = try engine.merge(
      MergeSides(base: base, ours: damaged, theirs: base), options: MergeOptions())
    #expect(alone.bytes == damaged, "\(testDescription) seed \(seed)")
    return false
  }

  /// Returns whether git's comparison, whose clean results are used, finds something in a side that isn't in
  /// the result of merging it, as it may among equal lines.
  func addsAgainByLines(
    _ outcome: MergeOutcome, _ side: [UInt8], of merge: LawMerge<Self>
  ) throws -> Bool {
    try TextMergeEngine().merge(
      MergeSides(base: merge.base, ours: outcome.bytes, theirs: side), options: MergeOptions()
    ).kinds.contains(.theirs)
  }

  /// Checks that the texts are the same except for space and the order of both sides' additions.
  func checkSameCharacters(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    guard outcome.isComplete else { return }
    #expect(
      outcome.text.filter { !$0.isWhitespace }.sorted()
        == swapped.text.filter { !$0.isWhitespace }.sorted(), merge.comment)
  }
}

extension MergeSides<[UInt8]> {
  /// All three documents in a readable form.
  var told: String {
    [base ?? [], ours, theirs].map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "\n-----\n")
  }
}
