import DocumentTestSupport
import DocumentMerge
import Testing

@Suite("Laws of text merging, on random texts")
struct TextLawTests {
  private func merge(_ sides: MergeSides<[UInt8]>, swapped: Bool = false) throws -> MergeOutcome {
    let labels = MergeLabels()
    return try engine.merge(
      swapped ? sides.swapped : sides,
      options: MergeOptions(labels: swapped ? labels.swapped : labels))
  }

  private func documents(
    _ sides: MergeSides<[String]>, _ generator: inout SeededGenerator
  ) throws -> MergeSides<[UInt8]> {
    let forms = try (0..<3).map { _ in
      try #require(WrittenForm.all.randomElement(using: &generator))
    }
    return MergeSides(
      base: sides.base.map(forms[0].write), ours: forms[1].write(sides.ours),
      theirs: forms[2].write(sides.theirs))
  }

  @Test("An unchanged side, and equal sides, give the other side byte for byte", arguments: 0..<100)
  func identities(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let sides = try documents(generator.sides(), &generator)
    let base = try #require(sides.base)
    for side in [sides.ours, sides.theirs] {
      #expect(try merge(MergeSides(base: base, ours: side, theirs: base)).bytes == side)
      #expect(try merge(MergeSides(base: base, ours: base, theirs: side)).bytes == side)
      #expect(try merge(MergeSides(base: base, ours: side, theirs: side)).bytes == side)
      #expect(try merge(MergeSides(base: nil, ours: side, theirs: side)).bytes == side)
    }
  }

  @Test("Swapped sides give the same result with swapped names", arguments: 0..<200)
  func symmetry(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    let sides = try documents(lines, &generator)
    let outcome = try merge(sides)
    let swapped = try merge(sides, swapped: true)
    #expect(outcome.isComplete == swapped.isComplete)
    // Where base shows no form, there is nothing to go by but whose side it is.
    guard lines.base?.count ?? 0 > 1 else { return }
    if outcome.isComplete { #expect(outcome.bytes == swapped.bytes) }
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    #expect(outcome.kinds == swapped.kinds.map { mirror[$0] ?? $0 })
    #expect(outcome.decisions.map(\.ours) == swapped.decisions.map(\.theirs))
  }

  @Test("The form makes no difference to the lines", arguments: 0..<100)
  func formIsTransparent(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    let form = try #require(WrittenForm.all.randomElement(using: &generator))
    let plain = try merge(lines.written(in: WrittenForm.all[0]))
    let formed = try merge(lines.written(in: form))
    #expect(plain.isComplete == formed.isComplete)
    guard formed.isComplete, form.endsWithNewline else { return }
    let merged = plain.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    // An empty document shows no byte-order mark that it could keep.
    if !merged.isEmpty { #expect(formed.bytes == form.write(merged.map(String.init))) }
  }

  @Test("No new line is lost, with or without a base, also where sides clash", arguments: 0..<200)
  func nothingIsLost(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    let base = Set(lines.base ?? [])
    let written = lines.written(in: WrittenForm.all[0])
    for sides in [written, MergeSides(base: nil, ours: written.ours, theirs: written.theirs)] {
      let outcome = try merge(sides)
      let result = Set(outcome.text.split(separator: "\n").map(String.init))
      let new = Set(lines.ours + lines.theirs).subtracting(base).subtracting([""])
      #expect(new.isSubset(of: result))
      let clashes = outcome.kinds.count { $0 == .clash }
      let open = try engine.openMerge(of: sides, options: MergeOptions())
      let answers = Dictionary(uniqueKeysWithValues: (0..<clashes).map { ($0, MergeAnswer.ours) })
      #expect(try open.outcome(answers: answers).isComplete)
      if sides.base == nil { #expect(try open.outcome(answers: answers).bytes == sides.ours) }
    }
  }

  @Test("Line places name the lines that they show", arguments: 0..<100)
  func places(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    for decision in try merge(lines.written(in: WrittenForm.all[0])).decisions {
      guard let place = decision.place.lines else { continue }
      let shown = lines.ours[place.ours].map { $0 + "\n" }.joined()
      #expect(decision.ours == (shown.isEmpty ? nil : shown))
      let base = try #require(place.base)
      let old = try #require(lines.base)[base].map { $0 + "\n" }.joined()
      #expect(decision.base == (old.isEmpty ? nil : old))
    }
  }
}

extension MergeSides<[String]> {
  func written(in form: WrittenForm) -> MergeSides<[UInt8]> {
    MergeSides<[UInt8]>(
      base: base.map(form.write), ours: form.write(ours), theirs: form.write(theirs))
  }
}
