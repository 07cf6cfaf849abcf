import DocumentTestSupport
import DocumentGit
import DocumentMerge
import Testing

@Suite("git as the oracle of text merging")
struct GitOracleTests {
  private func texts(seed: Int) -> MergeSides<String> {
    var generator = SeededGenerator(seed: seed)
    let lines = generator.sides()
    func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
    return MergeSides(
      base: text(lines.base ?? []), ours: text(lines.ours), theirs: text(lines.theirs))
  }

  /// Longer than the marker-like lines of the random texts, as the engine's markers are.
  private func markerLength(_ sides: MergeSides<String>) -> Int {
    [sides.base ?? "", sides.ours, sides.theirs].contains { $0.contains("=======") } ? 8 : 7
  }

  /// The engine gives the reference's bytes, markers included.
  ///
  /// One difference is intended: git also asks if both sides reach the same lines by different changes, which
  /// isn't a clash.
  private func expectAgreement(
    _ text: String, isClean: Bool, _ sides: MergeSides<String>, _ labels: MergeLabels
  ) throws {
    let options = MergeOptions(labels: labels)
    let outcome = try merge(sides.base, sides.ours, sides.theirs, options: options)
    if isClean || !outcome.kinds.contains(.same) {
      #expect(outcome.isComplete == isClean)
      #expect(outcome.text == text)
    }
  }

  @Test("git merge and the engine agree on random texts")
  func realGit() throws {
    let all = (0..<400).map { texts(seed: $0) }
    let merged = try RealGit.merge(all, markerLength: markerLength)
    for (sides, file) in zip(all, merged.files) {
      try expectAgreement(file.text, isClean: file.isClean, sides, merged.labels)
    }
  }

  @Test("libgit2's line merge and the engine agree on many random texts", arguments: 0..<20)
  func libgit2(batch: Int) throws {
    for seed in batch * 100..<batch * 100 + 100 {
      let sides = texts(seed: seed)
      let merged = try LineMerge.merge(
        base: Array((sides.base ?? "").utf8), ours: Array(sides.ours.utf8),
        theirs: Array(sides.theirs.utf8), labels: ("base", "ours", "theirs"),
        markerLength: markerLength(sides))
      try expectAgreement(
        String(decoding: merged.bytes, as: UTF8.self), isClean: merged.isClean, sides,
        MergeLabels(base: "base", ours: "ours", theirs: "theirs"))
    }
  }
}
