import DocumentMerge
import Testing

@Suite("Conflict markers in documents that are merged by their structure")
struct ConflictMarkersTests {
  private func marked(
    _ fileName: String, _ markers: ConflictMarkers, _ base: String, _ ours: String, _ theirs: String
  ) throws -> (text: String, hasMarkers: Bool) {
    let sides = MergeSides(base: base, ours: ours, theirs: theirs).map { Array($0.utf8) }
    let options = MergeOptions()
    let result = try MergeEngines().engine(forFileName: fileName)
      .openMerge(of: sides, options: options)
      .outcome(marking: markers, of: sides, fileName: fileName, options: options)
    #expect(!result.outcome.isComplete)
    return (result.outcome.text, result.hasMarkers)
  }

  @Test(
    "Markers stand around what is not decided, and all else is merged",
    arguments: ConflictMarkers.allCases)
  func json(markers: ConflictMarkers) throws {
    func document(_ a: Int, _ b: Int, _ c: Int) -> String {
      "{\n  \"a\": \(a),\n  \"b\": \(b),\n  \"c\": \(c)\n}\n"
    }
    let result = try marked(
      "x.json", markers, document(1, 1, 1), document(2, 2, 1), document(1, 3, 3))
    let lines = "<<<<<<< ours\n  \"b\": 2,\n=======\n  \"b\": 3,\n>>>>>>> theirs\n"
    #expect(result.hasMarkers == (markers != .never))
    #expect(
      result.text
        == (markers == .never
          ? document(2, 2, 3) : "{\n  \"a\": 2,\n" + lines + "  \"c\": 3\n}\n"))
  }

  @Test("A question about a name shows what each side has")
  func names() throws {
    let result = try marked(
      "x.properties", .auto, "a=1\nb=1\nc=1\n", "a=1\nk=1\nb=1\nc=1\n", "a=1\nb=1\nk=2\nc=1\n")
    #expect(result.hasMarkers)
    #expect(result.text.contains("<<<<<<< ours\n"))
  }

  @Test(
    "A property list stays valid, and text always has its markers",
    arguments: ConflictMarkers.allCases)
  func kinds(markers: ConflictMarkers) throws {
    func list(_ value: String) -> String {
      "<plist version=\"1.0\">\n<dict>\n<key>a</key>\n<string>\(value)</string>\n</dict>\n</plist>\n"
    }
    let list = try marked("x.plist", markers, list("1"), list("2"), list("3"))
    #expect(list.hasMarkers == (markers == .always))
    let text = try marked("x.md", markers, "one\n", "two\n", "three\n")
    #expect(text.hasMarkers == (markers != .never))
    #expect(text.text.contains("<<<<<<<") == text.hasMarkers)
  }
}
