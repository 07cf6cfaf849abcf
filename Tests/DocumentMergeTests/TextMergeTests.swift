import DocumentMerge
import Testing

@Suite("Text merged by lines")
struct TextMergeTests {
  @Test("Edits of different lines are both kept, and each is explained")
  func differentLines() throws {
    let outcome = try merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\nE\n")
    #expect(outcome.text == "A\nb\nc\nD\nE\n")
    #expect(outcome.isComplete)
    #expect(outcome.kinds == [.ours, .theirs])
    #expect(
      outcome.decisions.last?.place
        == MergePlace(
          lines: .init(base: 3..<4, ours: 3..<4, theirs: 3..<5, result: 3..<5)))
    #expect(outcome.decisions.last?.base == "d\n")
    #expect(outcome.decisions.last?.theirs == "D\nE\n")
    #expect(outcome.decisions.last?.explanation == "Only theirs changed these lines.")
  }

  @Test("The same edit on both sides is one edit beside others")
  func sameEdit() throws {
    let outcome = try merge("a\nb\nc\nd\n", "X\nb\nc\nd\n", "X\nb\nc\nD\n")
    #expect(outcome.text == "X\nb\nc\nD\n")
    #expect(outcome.kinds == [.same, .theirs])
  }

  @Test("One line changed to two values clashes, with markers that name the sides")
  func clash() throws {
    var options = MergeOptions(labels: MergeLabels(base: "before", ours: "Mac", theirs: "phone\n2"))
    let diff3 = try merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n", options: options)
    #expect(
      diff3.text == "a\n<<<<<<< Mac\nx\n||||||| before\nb\n=======\ny\n>>>>>>> phone 2\nc\n")
    #expect(!diff3.isComplete)
    #expect(
      diff3.decisions == [
        MergeDecision(
          kind: .clash,
          place: MergePlace(
            lines: .init(base: 1..<2, ours: 1..<2, theirs: 1..<2, result: 1..<8)),
          base: "b\n", ours: "x\n", theirs: "y\n",
          explanation: "Both sides changed these lines, differently.")
      ])
    options.conflictStyle = .merge
    let short = try merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n", options: options)
    #expect(short.text == "a\n<<<<<<< Mac\nx\n=======\ny\n>>>>>>> phone 2\nc\n")
  }

  @Test("A clash in one place leaves the others merged")
  func clashBesideOthers() throws {
    let outcome = try merge(
      "1\n2\n3\n4\n5\n6\n7\n", "1\nx\n3\nO\n5\n6\n7\n", "1\ny\n3\n4\n5\nT\n7\n")
    #expect(outcome.kinds == [.clash, .ours, .theirs])
    #expect(outcome.text.hasSuffix("3\nO\n5\nT\n7\n"))
  }

  @Test("Deleting lines that the other side changed clashes")
  func deleteAgainstChange() throws {
    let outcome = try merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    #expect(outcome.kinds == [.clash])
    #expect(outcome.decisions.first?.ours == nil)
  }

  @Test("Text added by both sides at one place clashes, and is added once if it is equal")
  func addedAtOnePlace() throws {
    #expect(try merge("a\n", "a\nx\n", "a\ny\n").kinds == [.clash])
    #expect(try merge("a\nz\n", "a\nx\nz\n", "a\nx\nz\n").text == "a\nx\nz\n")
  }

  @Test("Lines that look like conflict markers are content")
  func markerLikeContent() throws {
    let base = "<<<<<<< ours\na\n=======\nb\n>>>>>>>>> theirs\nend\n"
    let clean = try merge(base, "top\n" + base, base + "bottom\n")
    #expect(clean.text == "top\n" + base + "bottom\n")
    #expect(clean.isComplete)

    let clash = try merge(base, base + "x\n", base + "y\n")
    let markers = clash.text.split(separator: "\n").filter { $0.hasPrefix("<<<<<<<<<<") }
    #expect(markers == ["<<<<<<<<<< ours"])
    #expect(clash.text.hasPrefix(base))
  }

  @Test("Without a base, what both have stands once and what differs clashes")
  func withoutBase() throws {
    let outcome = try merge(nil, "title\nours\nend\n", "title\ntheirs\nend\nmore\n")
    #expect(outcome.kinds == [.same, .clash, .same, .clash])
    #expect(
      outcome.text
        == "title\n<<<<<<< ours\nours\n||||||| base\n=======\ntheirs\n>>>>>>> theirs\nend\n"
        + "<<<<<<< ours\n||||||| base\n=======\nmore\n>>>>>>> theirs\n")
    #expect(outcome.decisions.allSatisfy { $0.place.lines?.base == nil })
    #expect(try merge(nil, "a\n", "a\n").text == "a\n")
  }

  static let settled: [(sides: [String?], kinds: [MergeDecision.Kind], result: String)] = [
    (["a", "a", "a"], [], "a"),
    (["a", "b", "a"], [.ours], "b"),
    (["a", "a", "b"], [.theirs], "b"),
    (["a", "b", "b"], [.same], "b"),
    ([nil, "b", "b"], [.same], "b"),
    (["a", "", ""], [.same], ""),
    (["a\0", "a\0", "b\0"], [.theirs], "b\0"),
  ]

  @Test("What only one side changed is taken as it is, whatever it is", arguments: settled)
  func settledSides(
    _ example: (sides: [String?], kinds: [MergeDecision.Kind], result: String)
  ) throws {
    let outcome = try merge(
      example.sides[0], try #require(example.sides[1]), try #require(example.sides[2]))
    #expect(outcome.text == example.result)
    #expect(outcome.kinds == example.kinds)
  }

  @Test("Binary documents clash as a whole and are never merged inside")
  func binary() throws {
    let outcome = try merge("1\n2\n3\0\n", "one\n2\n3\0\n", "1\n2\nthree\0\n")
    #expect(outcome.text == "one\n2\n3\0\n")
    #expect(outcome.kinds == [.clash])
    #expect(outcome.decisions.first?.place == .document)
    #expect(outcome.decisions.first?.theirs == "11 bytes, not text")
    #expect(try merge("\0", "1\n2\n", "2\n1\n").kinds == [.clash])
    #expect(try merge(nil, "1\0", "2\0").text == "1\0")
  }

  @Test("A side over the size limit is refused, except where nothing has to be merged")
  func sizeLimit() throws {
    let options = MergeOptions(sizeLimit: 3)
    #expect(try merge("a", "aaaa", "a", options: options).text == "aaaa")
    let error = #expect(throws: MergeError.self) {
      try merge("a", "aaaa", "b", options: options)
    }
    #expect(error?.code == .tooLarge)
  }
}
