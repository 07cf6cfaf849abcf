import DocumentGit
import DocumentMerge
import Testing

@Suite("Lines compared, and merged by libgit2")
struct LineToolsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let old: String
    let new: String
    let changes: [LineChange]

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "nothing", old: "", new: "", changes: []),
    Case(name: "equal", old: "a\nb\n", new: "a\nb\n", changes: []),
    Case(
      name: "from nothing", old: "", new: "a\nb\n",
      changes: [LineChange(old: 0..<0, new: 0..<2)]),
    Case(
      name: "to nothing", old: "a\nb\n", new: "",
      changes: [LineChange(old: 0..<2, new: 0..<0)]),
    Case(
      name: "an edit", old: "a\nb\nc\n", new: "a\nB\nc\n",
      changes: [LineChange(old: 1..<2, new: 1..<2)]),
    Case(
      name: "added at the start", old: "a\n", new: "x\na\n",
      changes: [LineChange(old: 0..<0, new: 0..<1)]),
    Case(
      name: "added in the middle", old: "a\nb\n", new: "a\nx\ny\nb\n",
      changes: [LineChange(old: 1..<1, new: 1..<3)]),
    Case(
      name: "added at the end", old: "a\n", new: "a\nx\n",
      changes: [LineChange(old: 1..<1, new: 1..<2)]),
    Case(
      name: "removed at the start", old: "a\nb\n", new: "b\n",
      changes: [LineChange(old: 0..<1, new: 0..<0)]),
    Case(
      name: "removed at the end", old: "a\nb\n", new: "a\n",
      changes: [LineChange(old: 1..<2, new: 1..<1)]),
    Case(
      name: "two places", old: "a\nb\nc\nd\n", new: "a\nB\nc\nd\ne\n",
      changes: [LineChange(old: 1..<2, new: 1..<2), LineChange(old: 4..<4, new: 4..<5)]),
    Case(
      name: "zero bytes are compared as text", old: "a\0\nb\n", new: "a\0\nc\n",
      changes: [LineChange(old: 1..<2, new: 1..<2)]),
    Case(
      name: "a missing last line break is a change", old: "a", new: "a\n",
      changes: [LineChange(old: 0..<1, new: 0..<1)]),
  ]

  @Test("Changes are half-open line ranges counted from 0", arguments: cases)
  func changes(_ example: Case) {
    let found = LineDifference.changes(
      from: Array(example.old.utf8), to: Array(example.new.utf8))
    #expect(found == example.changes)
  }

  @Test("A clean merge has no markers")
  func cleanMerge() throws {
    let merged = try LineMerge.merge(
      base: Array("a\nb\nc\n".utf8), ours: Array("A\nb\nc\n".utf8),
      theirs: Array("a\nb\nC\n".utf8), labels: ("b", "o", "t"), markerLength: 7)
    #expect(merged.isClean)
    #expect(String(decoding: merged.bytes, as: UTF8.self) == "A\nb\nC\n")
  }

  @Test("A clash has diff3 markers of the wanted length and names")
  func clash() throws {
    let merged = try LineMerge.merge(
      base: Array("b\n".utf8), ours: Array("o\n".utf8), theirs: Array("t\n".utf8),
      labels: (base: "old", ours: "mine", theirs: "yours"), markerLength: 9)
    #expect(!merged.isClean)
    #expect(
      String(decoding: merged.bytes, as: UTF8.self)
        == "<<<<<<<<< mine\no\n||||||||| old\nb\n=========\nt\n>>>>>>>>> yours\n")
  }

  @Test("Nothing merges to nothing")
  func emptyMerge() throws {
    let merged = try LineMerge.merge(
      base: [], ours: [], theirs: [], labels: ("", "", ""), markerLength: 7)
    #expect(merged.isClean && merged.bytes.isEmpty)
  }

  @Test("A marker longer than libgit2 can write is refused")
  func longMarker() {
    #expect(throws: GitError.self) {
      try LineMerge.merge(
        base: [], ours: [], theirs: [], labels: ("", "", ""), markerLength: 65536)
    }
  }
}
