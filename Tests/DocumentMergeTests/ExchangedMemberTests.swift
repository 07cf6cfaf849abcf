import DocumentMerge
import Testing

@Suite("Members of packages that have the names of others")
struct ExchangedMemberTests {
  /// The parts of a trip, alike but for a line, and lists that have nothing in common.
  private static let contents = [
    [
      "Rome\nHotel:\nFood:\nPaid: no\n", "Oslo\nHotel:\nFood:\nPaid: no\n",
      "Bern\nHotel:\nFood:\nPaid: no\n",
    ],
    ["one\ntwo\nthree\nfour\n", "RED\nGREEN\nBLUE\n", "spring\nsummer\nautumn\nwinter\n"],
  ]

  private static func edited(_ text: String) -> String { text.dropLast(2) + "!\n" }

  private func merged(
    _ base: [String: String], _ ours: [String: String], _ theirs: [String: String]
  ) throws -> [PackageMergeOutcome] {
    let sides = [base, ours, theirs].map { $0.mapValues { file($0) } }
    return [
      try mergePackages(sides[0], sides[1], sides[2]),
      try mergePackages(sides[0], sides[2], sides[1]),
    ]
  }

  @Test("An edit follows a member that was exchanged with another one", arguments: contents)
  func exchanged(texts: [String]) throws {
    let (a, b) = (texts[0], texts[1])
    let base = ["a.txt": a, "b.txt": b]
    for outcome in try merged(
      base, ["a.txt": b, "b.txt": a], ["a.txt": Self.edited(a), "b.txt": b])
    {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == ["a.txt": b, "b.txt": Self.edited(a)])
    }
    // Who exchanged them changed one, too.
    for outcome in try merged(
      base, ["a.txt": b, "b.txt": Self.edited(a)], ["a.txt": a, "b.txt": "new\n" + b])
    {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == ["a.txt": "new\n" + b, "b.txt": Self.edited(a)])
    }
    // Both exchanged them, and one changed one.
    for outcome in try merged(
      base, ["a.txt": b, "b.txt": a], ["a.txt": b, "b.txt": Self.edited(a)])
    {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == ["a.txt": b, "b.txt": Self.edited(a)])
    }
  }

  @Test("Members that both exchanged stay so, whatever one of them changed", arguments: contents)
  func exchangedByBoth(texts: [String]) throws {
    let (a, b) = (texts[0], texts[1])
    let changed = ["a.txt": Self.edited(b), "b.txt": Self.edited(a)]
    for outcome in try merged(["a.txt": a, "b.txt": b], ["a.txt": b, "b.txt": a], changed) {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == changed)
    }
  }

  @Test("An edit follows a page to its new number", arguments: contents)
  func renumbered(texts: [String]) throws {
    let (a, b, c) = (texts[0], texts[1], texts[2])
    let base = ["1": a, "2": b, "3": c]
    // A page was put before the second one.
    let inserted = ["1": a, "2": "Paris\nHotel:\n", "3": b, "4": c]
    for outcome in try merged(base, inserted, ["1": a, "2": b, "3": Self.edited(c)]) {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == inserted.merging(["4": Self.edited(c)]) { $1 })
    }
    // The first one was removed.
    for outcome in try merged(
      base, ["1": b, "2": c], ["1": a, "2": Self.edited(b), "3": Self.edited(c)])
    {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == ["1": Self.edited(b), "2": Self.edited(c)])
    }
    // All of them went round.
    for outcome in try merged(
      base, ["1": c, "2": a, "3": b],
      ["1": Self.edited(a), "2": Self.edited(b), "3": Self.edited(c)])
    {
      #expect(outcome.isComplete)
      #expect(
        try outcome.contents
          == ["1": Self.edited(c), "2": Self.edited(a), "3": Self.edited(b)])
    }
  }

  @Test(
    "A page that may be a new one, or the old one written anew, is a question", arguments: contents)
  func unclear(texts: [String]) throws {
    let (a, b, c) = (texts[0], texts[1], texts[2])
    let new = "Paris\nHotel:\nFood:\nPaid: no\n"
    for outcome in try merged(
      ["1": a, "2": b, "3": c], ["1": a, "2": new, "3": b, "4": c],
      ["1": a, "2": Self.edited(b), "3": c])
    {
      #expect(outcome.clashes.map(\.description) == ["2"])
    }
    // One was written over another one, which stays.
    for outcome in try merged(["1": a, "2": b], ["1": b, "2": b], ["1": Self.edited(a), "2": b]) {
      #expect(outcome.clashes.map(\.description) == ["1"])
    }
  }

  @Test(
    "A member that was renamed to the name of another one has the edits of its own",
    arguments: contents)
  func renamedOver(texts: [String]) throws {
    let (a, b) = (texts[0], texts[1])
    for outcome in try merged(
      ["a": a, "b": b], ["b": a], ["a": Self.edited(a), "b": b])
    {
      #expect(outcome.isComplete)
      #expect(try outcome.contents == ["b": Self.edited(a)])
    }
    // What was changed is not lost with the name.
    for outcome in try merged(
      ["a": a, "b": b], ["b": a], ["a": a, "b": Self.edited(b)])
    {
      #expect(!outcome.isComplete)
      #expect(try Set(outcome.contents.values) == [a, Self.edited(b)])
    }
  }

  @Test("No answer about exchanged members loses what both sides have", arguments: contents)
  func answers(texts: [String]) throws {
    let (a, b) = (texts[0], texts[1])
    let open = try openMerge(
      ["a": file(a), "b": file(b)], ["a": file(b), "b": file(a)],
      ["a": file("new\n" + a), "b": file(b)])
    for answer in [MergeAnswer.ours, .theirs] {
      let answers = open.clashes.indices.map { ($0, answer) }
      let contents = try open.outcome(answers: Dictionary(uniqueKeysWithValues: answers)).contents
      #expect(contents["a"] == b)
      #expect(contents["b"]?.hasSuffix(a) == true)
    }
  }
}
