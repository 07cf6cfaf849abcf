@testable import DocumentMerge
import Foundation
import Testing

@Suite("JSON merged by its structure")
struct JSONMergeTests {
  private let engine = StructuredMergeEngine(format: JSONFormat())

  private func merge(
    _ base: String?, _ ours: String, _ theirs: String, _ options: MergeOptions = MergeOptions()
  ) throws -> MergeOutcome {
    try engine.merge(
      MergeSides(
        base: base.map { Array($0.utf8) }, ours: Array(ours.utf8), theirs: Array(theirs.utf8)),
      options: options)
  }

  @Test("A decision tells the path, what each side has, and why")
  func decision() throws {
    let labels = MergeLabels(base: "before", ours: "Mac", theirs: "phone")
    let outcome = try merge(
      "{\"a\": {\"b\": 1}, \"c\": 1}", "{\"a\": {\"b\": 2}, \"c\": 1}",
      "{\"a\": {\"b\": 3}, \"c\": 4}",
      MergeOptions(labels: labels))
    #expect(outcome.text == "{\"a\": {\"b\": 2}, \"c\": 4}")
    #expect(
      outcome.decisions == [
        MergeDecision(
          kind: .clash, place: MergePlace(path: "/a/b"), base: "1", ours: "2", theirs: "3",
          explanation: "Both sides changed “b”, differently."),
        MergeDecision(
          kind: .theirs, place: MergePlace(path: "/c"), base: "1", ours: "1", theirs: "4",
          explanation: "Only phone changed “c”."),
      ])
  }

  @Test("Lines that merge clean but doubled a key, or removed what was changed, are not taken")
  func cleanButWrong() throws {
    let base = "{\n\"a\": 1,\n\"b\": 2,\n\"c\": 3,\n\"d\": 4,\n\"e\": 5\n}\n"
    let first = base.replacingOccurrences(of: "{\n", with: "{\n\"x\": 1,\n")
    let last = base.replacingOccurrences(of: "\"e\"", with: "\"x\": 2,\n\"e\"")
    #expect(try DocumentMergeTests.merge(base, first, last).isComplete)
    let outcome = try merge(base, first, last)
    #expect(outcome.decisions.map(\.place.path) == ["/x"])
    #expect(outcome.kinds == [.clash])
    #expect(outcome.text == first)
  }

  @Test("Long strings are merged by words, however they are escaped")
  func texts() throws {
    let outcome = try merge(
      "{\"k\": \"A long walk by the river, and then the evening meal.\\n\"}",
      "{\"k\": \"A short walk by the river, and then the evening meal.\\n\"}",
      "{\"k\": \"A long walk by the river, and then the morning m\\u0065al.\\n\"}")
    #expect(
      outcome.text == "{\"k\": \"A short walk by the river, and then the morning meal.\\n\"}")
    #expect(outcome.kinds == [.combined])
  }

  @Test("A comment to the end of a line swallows nothing, whatever goes or comes behind it")
  func lineComments() throws {
    let base = "[\n  \"a\", // A\n  \"b\", \"c\"\n]\n"
    let outcome = try merge(
      base, "[\n  \"a\", // A\n  \"c\"\n]\n", "[\n  \"a\", // A\n  \"b\", \"c\", \"d\"]\n")
    #expect(outcome.isComplete)
    #expect(outcome.text == "[\n  \"a\", // A\n  \"c\", \"d\"]\n")
    let moved = try merge(
      "{\"x\": 1, // X\n\"y\": 2, \"z\": 3}", "{\"x\": 1, // X\n\"z\": 3}",
      "{\"x\": 1, // X\n\"y\": 2, \"z\": 4}")
    #expect(moved.text == "{\"x\": 1, // X\n\"z\": 4}")
  }

  @Test("Doubled keys stay as they are, and are not guessed about")
  func doubledKeys() throws {
    let base = "{\"a\": 1, \"a\": 2, \"b\": 3}"
    #expect(
      try merge(base, "{\"a\": 1, \"a\": 5, \"b\": 3}", "{\"a\": 1, \"a\": 2, \"b\": 4}").text
        == "{\"a\": 1, \"a\": 5, \"b\": 4}")
    let outcome = try merge(base, "{\"a\": 2, \"b\": 3}", "{\"a\": 1, \"a\": 9, \"b\": 4}")
    #expect(outcome.kinds == [.clash])
    #expect(outcome.text == "{\"a\": 2, \"b\": 3}")
  }

  @Test("Documents in UTF-16 stay so, and are merged by their structure")
  func wide() throws {
    func wide(_ text: String) -> [UInt8] { WrittenForm.utf16(text, isBigEndian: false) }
    let sides = MergeSides(
      base: wide("{\"é\": 1, \"b\": 1}"), ours: wide("{\"é\": 2, \"b\": 1}"),
      theirs: wide("{\"é\": 1, \"b\": 3}"))
    let outcome = try engine.merge(sides, options: MergeOptions())
    #expect(outcome.bytes == wide("{\"é\": 2, \"b\": 3}"))
    #expect(outcome.decisions.map(\.place.path) == ["/é", "/b"])
  }

  @Test("A cancelled merge stops")
  func cancelled() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try merge("[1]", "[2]", "[3]")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("What is no JSON is merged as text, and a decision says so")
  func notJSON() throws {
    let outcome = try merge("[1,\n2,\n3,\n", "[9,\n2,\n3,\n", "[1,\n2,\n4,\n")
    #expect(outcome.text == "[9,\n2,\n4,\n")
    #expect(outcome.isComplete)
    #expect(
      outcome.decisions.first?.explanation
        == "base: This is not JSON: at byte 10, a value was expected."
        + " So the document was merged by lines.")
    #expect(throws: MergeError.self) {
      try merge("[1]", "[2]", "[3]", MergeOptions(sizeLimit: 2))
    }
  }

  @Test("A document that is nested too deeply is merged by lines")
  func depth() throws {
    func nested(_ value: String) -> String {
      String(repeating: "{\"a\":[{\"id\":1,\"b\":", count: 70) + value
        + String(repeating: "}]}", count: 70)
    }
    let outcome = try merge(
      nested("1\n,\"c\":\n1"), nested("2\n,\"c\":\n1"), nested("1\n,\"c\":\n2"))
    #expect(outcome.text == nested("2\n,\"c\":\n2"))
  }
}
