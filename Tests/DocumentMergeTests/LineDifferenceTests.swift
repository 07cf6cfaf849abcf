import DocumentTestSupport
import Testing

@testable import DocumentMerge

@Suite("Lines compared as git compares them")
struct LineDifferenceTests {
  /// Texts of few different lines, so that there are many ways from one to the other.
  private func texts(_ generator: inout SeededGenerator, length: Int, words: Int, edits: Int)
    -> (old: [UInt8], new: [UInt8])
  {
    var lines = (0..<Int.random(in: 0...length, using: &generator)).map { _ in
      Int.random(in: 0..<words, using: &generator)
    }
    func bytes(_ lines: [Int]) -> [UInt8] { Array(lines.map { "line \($0)\n" }.joined().utf8) }
    let old = bytes(lines)
    for _ in 0..<Int.random(in: 0...edits, using: &generator) {
      let place = Int.random(in: 0...lines.count, using: &generator)
      let run = min(Int.random(in: 1...4, using: &generator), lines.count - place)
      let added = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        Int.random(in: 0..<words, using: &generator)
      }
      lines.replaceSubrange(place..<place + run, with: added)
    }
    return (old, bytes(lines))
  }

  private func expectSame(_ old: [UInt8], _ new: [UInt8], _ comment: Comment) throws {
    #expect(
      try LineDifference.changes(from: old, to: new) == LineDiff.changes(from: old, to: new),
      comment)
  }

  @Test(
    "Random texts have git’s changes",
    arguments: [(12, 4), (40, 6), (200, 20), (400, 300)], 0..<10)
  func random(_ shape: (length: Int, words: Int), batch: Int) throws {
    for seed in batch * 100..<batch * 100 + 100 {
      var generator = SeededGenerator(seed: seed)
      let (old, new) = texts(
        &generator, length: shape.length, words: shape.words, edits: shape.length / 5)
      try expectSame(old, new, "\(shape), seed \(seed)")
    }
  }

  @Test("Long texts with many changes have git’s changes", arguments: 0..<6)
  func long(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let (old, new) = texts(
      &generator, length: 6_000, words: seed.isMultiple(of: 2) ? 50 : 5_000, edits: 900)
    try expectSame(old, new, "seed \(seed)")
  }

  @Test("Random texts have the changes of the git program")
  func program() throws {
    let pairs = (0..<1_000).map { seed in
      var generator = SeededGenerator(seed: seed)
      let words = Int.random(in: 2...120, using: &generator)
      let (old, new) = texts(&generator, length: 100, words: words, edits: 20)
      return (old: String(decoding: old, as: UTF8.self), new: String(decoding: new, as: UTF8.self))
    }
    let found = pairs.map {
      LineDifference.changes(from: Array($0.old.utf8), to: Array($0.new.utf8))
    }
    #expect(try RealGit.changes(pairs) == found)
  }

  @Test("Texts with unique lines at each of many depths are compared")
  func depth() throws {
    // Each line occurs once in the part after the line before it.
    let lines = (1..<80_000).flatMap { ["line \($0 + 1)\n", "line \($0)\n"] }
    let old = Array(lines.joined().utf8)
    let new = Array(lines.enumerated().map { "new \($0)\n\($1)" }.joined().utf8)
    let changes = LineDifference.changes(from: old, to: new)
    #expect(changes == lines.indices.map { LineChange(old: $0..<$0, new: 2 * $0..<2 * $0 + 1) })
  }

  @Test("Texts without a last line break, and empty ones, are compared too")
  func edges() throws {
    for (old, new) in [("", ""), ("a", "a\n"), ("", "a"), ("a\nb", ""), ("\n", "\n\n")] {
      try expectSame(Array(old.utf8), Array(new.utf8), "\(old) → \(new)")
    }
  }
}
