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

  @Test(
    "An unchanged side, and equal sides, give the other side byte for byte", arguments: caseBatches)
  func identities(batch: Int) throws {
    try forEachCase(of: batch, 100) { seed, generator in
      let sides = try documents(generator.sides(), &generator)
      let base = try #require(sides.base)
      for side in [sides.ours, sides.theirs] {
        #expect(
          try merge(MergeSides(base: base, ours: side, theirs: base)).bytes == side, "seed \(seed)")
        #expect(
          try merge(MergeSides(base: base, ours: base, theirs: side)).bytes == side, "seed \(seed)")
        #expect(
          try merge(MergeSides(base: base, ours: side, theirs: side)).bytes == side, "seed \(seed)")
        #expect(
          try merge(MergeSides(base: nil, ours: side, theirs: side)).bytes == side, "seed \(seed)")
      }
    }
  }

  @Test("Swapped sides give the same result with swapped names", arguments: caseBatches)
  func symmetry(batch: Int) throws {
    try forEachCase(of: batch, 200) { seed, generator in
      let lines = generator.sides()
      let sides = try documents(lines, &generator)
      let outcome = try merge(sides)
      let swapped = try merge(sides, swapped: true)
      #expect(outcome.isComplete == swapped.isComplete, "seed \(seed)")
      // Where base shows no form, there is nothing to go by but whose side it is.
      guard lines.base?.count ?? 0 > 1 else { return }
      if outcome.isComplete { #expect(outcome.bytes == swapped.bytes, "seed \(seed)") }
      let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
      #expect(outcome.kinds == swapped.kinds.map { mirror[$0] ?? $0 }, "seed \(seed)")
      #expect(outcome.decisions.map(\.ours) == swapped.decisions.map(\.theirs), "seed \(seed)")
    }
  }

  @Test("The form makes no difference to the lines", arguments: caseBatches)
  func formIsTransparent(batch: Int) throws {
    try forEachCase(of: batch, 100) { seed, generator in
      let lines = generator.sides()
      let form = try #require(WrittenForm.all.randomElement(using: &generator))
      // Without a line break at the end, an empty last line is none.
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
  }

  @Test(
    "No new line is lost, with or without a base, also where sides clash", arguments: caseBatches)
  func nothingIsLost(batch: Int) throws {
    try forEachCase(of: batch, 200) { seed, generator in
      let lines = generator.sides()
      let base = Set(lines.base ?? [])
      let written = lines.written(in: WrittenForm.all[0])
      for sides in [written, MergeSides(base: nil, ours: written.ours, theirs: written.theirs)] {
        let outcome = try merge(sides)
        let result = Set(outcome.text.split(separator: "\n").map(String.init))
        let new = Set(lines.ours + lines.theirs).subtracting(base).subtracting([""])
        #expect(new.isSubset(of: result), "seed \(seed)")
        let clashes = outcome.kinds.count { $0 == .clash }
        let open = try engine.openMerge(of: sides, options: MergeOptions())
        let answers = Dictionary(uniqueKeysWithValues: (0..<clashes).map { ($0, MergeAnswer.ours) })
        #expect(try open.outcome(answers: answers).isComplete, "seed \(seed)")
        if sides.base == nil {
          #expect(try open.outcome(answers: answers).bytes == sides.ours, "seed \(seed)")
        }
      }
    }
  }

  @Test("Line places name the lines that they show", arguments: caseBatches)
  func places(batch: Int) throws {
    try forEachCase(of: batch, 100) { seed, generator in
      let lines = generator.sides()
      for decision in try merge(lines.written(in: WrittenForm.all[0])).decisions {
        guard let place = decision.place.lines else { continue }
        let shown = lines.ours[place.ours].map { $0 + "\n" }.joined()
        #expect(decision.ours == (shown.isEmpty ? nil : shown), "seed \(seed)")
        let base = try #require(place.base)
        let old = try #require(lines.base)[base].map { $0 + "\n" }.joined()
        #expect(decision.base == (old.isEmpty ? nil : old), "seed \(seed)")
      }
    }
  }
}

extension MergeSides<[String]> {
  func written(in form: WrittenForm) -> MergeSides<[UInt8]> {
    MergeSides<[UInt8]>(
      base: base.map(form.write), ours: form.write(ours), theirs: form.write(theirs))
  }
}
