import DocumentMerge
import Testing

@Suite("Clashes of text answered one by one")
struct TextAnswerTests {
  private func clashes(crlf: Bool = false) throws -> OpenMerge {
    func bytes(_ text: String) -> [UInt8] {
      Array(text.split(separator: " ").map { $0 + (crlf ? "\r\n" : "\n") }.joined().utf8)
    }
    return try engine.openMerge(
      of: MergeSides(
        base: bytes("a b c d e"), ours: bytes("a o1 c o2 e"), theirs: bytes("a t1 c t2 e")),
      options: MergeOptions())
  }

  @Test("The clashes are told in order, with what each side has and the lines around")
  func told() throws {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    let clashes = try clashes(crlf: true).clashes
    #expect(clashes.map(\.base) == [bytes("b\n"), bytes("d\n")])
    #expect(clashes.map(\.ours) == [bytes("o1\n"), bytes("o2\n")])
    #expect(clashes.map(\.theirs) == [bytes("t1\n"), bytes("t2\n")])
    #expect(clashes.map(\.before) == [bytes("a\n"), bytes("c\n")])
    #expect(clashes.map(\.after) == [bytes("c\n"), bytes("e\n")])
    #expect(clashes.allSatisfy { $0.choices == Set(MergeAnswer.Choice.allCases) })
  }

  static let answers: [(MergeAnswer, lines: String, kind: MergeDecision.Kind)] = [
    (.ours, "o1\r\n", .ours),
    (.theirs, "t1\r\n", .theirs),
    (.both, "o1\r\nt1\r\n", .combined),
    (.base, "b\r\n", .combined),
    (.text(Array("x\ny".utf8)), "x\r\ny\r\n", .combined),
    (.text([]), "", .combined),
  ]

  @Test("Each answer gives its lines, in the document's line endings", arguments: answers)
  func answer(_ answer: MergeAnswer, _ lines: String, _ kind: MergeDecision.Kind) throws {
    let outcome = try clashes(crlf: true).outcome(answers: [0: answer, 1: .ours])
    #expect(outcome.text == "a\r\n" + lines + "c\r\no2\r\ne\r\n")
    #expect(outcome.isComplete)
    #expect(outcome.kinds == [kind, .ours])
  }

  @Test("A clash without an answer keeps its markers")
  func partialAnswers() throws {
    let outcome = try clashes().outcome(answers: [1: .theirs])
    #expect(!outcome.isComplete)
    #expect(outcome.kinds == [.clash, .theirs])
    #expect(outcome.text.contains("<<<<<<< ours\no1\n"))
    #expect(outcome.text.hasSuffix("c\nt2\ne\n"))
  }

  @Test("A document that is not text can be answered with a side or base, not with both")
  func wholeDocument() throws {
    let sides = MergeSides<[UInt8]>(base: [0, 1], ours: [0, 2], theirs: [0, 3])
    let merge = try engine.openMerge(of: sides, options: MergeOptions())
    #expect(merge.clashes.map(\.theirs) == [[0, 3]])
    #expect(merge.clashes.map(\.choices) == [[.ours, .theirs, .base, .text]])
    #expect(try merge.outcome(answers: [0: .ours]).bytes == [0, 2])
    #expect(try merge.outcome(answers: [0: .theirs]).bytes == [0, 3])
    #expect(try merge.outcome(answers: [0: .base]).bytes == [0, 1])
    #expect(try merge.outcome(answers: [0: .text([9])]).bytes == [9])
    #expect(try merge.outcome(answers: [0: .theirs]).isComplete)
    #expect(throws: MergeError.self) { try merge.outcome(answers: [0: .both]) }
  }

  @Test("An answer that does not fit is refused")
  func refusedAnswers() throws {
    let merge = try clashes()
    #expect(throws: MergeError.self) { try merge.outcome(answers: [2: .ours]) }
    #expect(throws: MergeError.self) { try merge.outcome(answers: [-1: .ours]) }
    let invalid = #expect(throws: MergeError.self) {
      try merge.outcome(answers: [0: .text([0xFF])])
    }
    #expect(invalid?.code == .invalidAnswer)
    let withoutBase = try engine.openMerge(
      of: MergeSides(base: nil, ours: Array("a\n".utf8), theirs: Array("b\n".utf8)),
      options: MergeOptions())
    #expect(throws: MergeError.self) { try withoutBase.outcome(answers: [0: .base]) }
  }

  @Test("What is merged inside lines is no question; what is left is answered as ever")
  func refined() throws {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    let merge = try proseEngine.openMerge(
      of: MergeSides(
        base: bytes("- the old boat\n- a tent\n"), ours: bytes("- the red boat\n- a big tent\n"),
        theirs: bytes("- the blue boat\n- a tent for two\n")), options: MergeOptions())
    #expect(merge.clashes.map(\.ours) == [bytes("- the red boat\n")])
    #expect(merge.clashes.map(\.after) == [bytes("- a big tent for two\n")])
    let outcome = try merge.outcome(answers: [0: .theirs])
    #expect(outcome.text == "- the blue boat\n- a big tent for two\n")
    #expect(outcome.kinds == [.theirs, .combined])
  }

  @Test("A document that needs no merging has no clash")
  func settled() throws {
    let merge = try engine.openMerge(
      of: MergeSides(base: [1], ours: [1], theirs: [2]), options: MergeOptions())
    #expect(merge.clashes.isEmpty)
    #expect(try merge.outcome().bytes == [2])
  }
}
