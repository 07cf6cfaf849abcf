import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// Texts merged by lines; with forms, each side has its own encoding and line endings.
struct TextSubject: FileSubject {
  let hasForms: Bool

  var testDescription: String { hasForms ? "text in all forms" : "text" }
  var engine: any MergeEngine { TextMergeEngine() }

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity: caseCount(100)
    case .symmetry: caseCount(200)
    case .soundness: hasForms ? 0 : caseCount(200)
    case .answers: caseCount(200)
    case .own, .damage: caseCount(100)
    case .idempotence, .coverage: 0
    }
  }

  private func lines(seed: Int) -> MergeSides<[String]> {
    var generator = SeededGenerator(seed: seed)
    return generator.sides()
  }

  func sides(seed: Int) throws -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    let sides = generator.sides()
    guard hasForms else { return sides.written(in: WrittenForm.all[0]) }
    let forms = try (0..<3).map { _ in
      try #require(WrittenForm.all.randomElement(using: &generator))
    }
    return MergeSides(
      base: sides.base.map(forms[0].write), ours: forms[1].write(sides.ours),
      theirs: forms[2].write(sides.theirs))
  }

  func mergeSwapped(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides.swapped, options: MergeOptions(labels: MergeLabels().swapped))
  }

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    // If base shows no form, only the side determines it.
    guard lines(seed: merge.seed).base?.count ?? 0 > 1 else { return }
    if outcome.isComplete { #expect(outcome.bytes == swapped.bytes, merge.comment) }
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    #expect(outcome.kinds == swapped.kinds.map { mirror[$0] ?? $0 }, merge.comment)
    #expect(outcome.decisions.map(\.ours) == swapped.decisions.map(\.theirs), merge.comment)
  }

  /// No new line is lost, with or without a base, even if sides clash.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    let lines = lines(seed: merge.seed)
    let new = Set(lines.ours + lines.theirs).subtracting(lines.base ?? []).subtracting([""])
    let withoutBase = try self.merge(withoutBase(merge.sides))
    for outcome in [outcome, withoutBase] {
      let result = Set(outcome.text.split(separator: "\n").map(String.init))
      #expect(new.isSubset(of: result), merge.comment)
    }
  }

  func checkAnswers(of merge: LawMerge<Self>) throws {
    for sides in [merge.sides, withoutBase(merge.sides)] {
      let open = try engine.openMerge(of: sides, options: MergeOptions())
      let clashes = try open.outcome().kinds.count { $0 == .clash }
      let answers = Dictionary(uniqueKeysWithValues: (0..<clashes).map { ($0, MergeAnswer.ours) })
      #expect(try open.outcome(answers: answers).isComplete, merge.comment)
      if sides.base == nil, !hasForms {
        #expect(try open.outcome(answers: answers).bytes == sides.ours, merge.comment)
      }
    }
  }

  private func withoutBase(_ sides: MergeSides<[UInt8]>) -> MergeSides<[UInt8]> {
    MergeSides(base: nil, ours: sides.ours, theirs: sides.theirs)
  }

  func checkOwn(seed: Int) throws {
    if hasForms { try checkForms(seed: seed) } else { try checkPlaces(seed: seed) }
  }

  /// The form makes no difference to the lines.
  private func checkForms(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    let form = try #require(WrittenForm.all.randomElement(using: &generator))
    // Without a line break at the end, an empty last line doesn't count.
    guard
      form.endsWithNewline
        || [lines.base ?? [], lines.ours, lines.theirs].allSatisfy({ $0.last != "" })
    else { return }
    let plain = try merge(lines.written(in: WrittenForm.all[0]))
    let formed = try merge(lines.written(in: form))
    #expect(plain.isComplete == formed.isComplete, "seed \(seed)")
    guard formed.isComplete, form.endsWithNewline else { return }
    let merged = plain.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    // An empty document shows no byte-order mark that it could keep.
    if !merged.isEmpty {
      #expect(formed.bytes == form.write(merged.map(String.init)), "seed \(seed)")
    }
  }

  /// Line places name the lines that they show.
  private func checkPlaces(seed: Int) throws {
    let lines = lines(seed: seed)
    let outcome = try merge(lines.written(in: WrittenForm.all[0]))
    for decision in outcome.decisions {
      guard let place = decision.place.lines else { continue }
      let shown = lines.ours[place.ours].map { $0 + "\n" }.joined()
      #expect(decision.ours == (shown.isEmpty ? nil : shown), "seed \(seed)")
      let base = try #require(place.base)
      let old = try #require(lines.base)[base].map { $0 + "\n" }.joined()
      #expect(decision.base == (old.isEmpty ? nil : old), "seed \(seed)")
    }
  }
}

extension MergeSides<[String]> {
  func written(in form: WrittenForm) -> MergeSides<[UInt8]> {
    MergeSides<[UInt8]>(
      base: base.map(form.write), ours: form.write(ours), theirs: form.write(theirs))
  }
}
