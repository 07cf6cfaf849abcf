import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// A large document with edits on both sides; if merging it is too slow, some step isn't linear.
@Suite("Merging large JSON documents")
struct JSONSpeedTests {
  /// About `megabytes` MB of records on lines of their own, some with an edit.
  private func document(_ megabytes: Int, edited place: Int?, _ edit: String) -> [UInt8] {
    var text = "{\n  \"records\": [\n"
    let count = megabytes << 20 / 128
    for number in 0..<count {
      let isEdited = place.map { number % 1000 == $0 } ?? false
      text += "    {\n      \"id\": \(number + 100_000),\n"
      text += "      \"name\": \"\(isEdited ? edit : "A name of record") \(number)\",\n"
      text += "      \"values\": [\(number), 2.5, true],\n      \"more\": {\"a\": null}\n    }"
      text += number == count - 1 ? "\n" : ",\n"
    }
    return Array((text + "  ]\n}\n").utf8)
  }

  @Test("Edits on both sides of five megabytes, next to each other and clashing")
  func large() throws {
    let sides = MergeSides(
      base: document(5, edited: nil, ""), ours: document(5, edited: 7, "Ours"),
      theirs: document(5, edited: 8, "Theirs"))
    let engine = StructuredMergeEngine(format: JSONFormat())
    let (outcome, time) = try measured { try engine.merge(sides, options: MergeOptions()) }
    #expect(outcome.isComplete)

    let other = MergeSides(
      base: sides.base, ours: sides.ours, theirs: document(5, edited: 7, "Theirs"))
    let clashing = try engine.merge(other, options: MergeOptions())
    #expect(clashing.kinds.allSatisfy { $0 == .clash })
    #expect(clashing.decisions.count == (5 << 20 / 128 + 992) / 1000)
    // This is many times the usual duration.
    #expect(time < .seconds(15))
  }
}
