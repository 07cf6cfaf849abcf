@testable import DocumentMerge
import Foundation
import Testing

@Suite("Decisions as data")
struct MergeDecisionTests {
  private static func decision(member: String?) throws -> MergeDecision {
    MergeDecision(
      kind: .clash,
      place: MergePlace(
        member: try member.map { try PackagePath($0) },
        lines: .init(base: 1..<2, ours: 1..<3, theirs: 1..<1, result: 1..<9)),
      base: "b\n", ours: "o\n", explanation: "Why.")
  }

  @Test("The JSON form is stable and can be read back")
  func json() throws {
    let decision = try Self.decision(member: "pages/1.txt")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(decision)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"base":"b\n","explanation":"Why.","kind":"clash","ours":"o\n","#
        + #""place":{"lines":{"base":[1,2],"ours":[1,3],"result":[1,9],"theirs":[1,1]},"#
        + #""member":"pages/1.txt"}}"#)
    #expect(try JSONDecoder().decode(MergeDecision.self, from: data) == decision)
  }

  @Test("A place says in words where it is")
  func placeInWords() throws {
    #expect(try Self.decision(member: "a").place.description == "a, lines 2 to 3")
    #expect(try Self.decision(member: nil).place.description == "lines 2 to 3")
    #expect(MergePlace.document.description == "the whole document")
    func words(_ ours: Range<Int>) -> String {
      MergePlace(lines: .init(base: nil, ours: ours, theirs: 0..<0, result: 0..<0)).description
    }
    #expect(words(4..<5) == "line 5")
    #expect(words(4..<4) == "after line 4")
    #expect(words(0..<0) == "before line 1")
  }

  @Test("A path is kept as data, in words and in a package")
  func path() throws {
    let place = MergePlace(path: "/a~1b/id=2")
    let data = try JSONEncoder().encode(place)
    #expect(try JSONDecoder().decode(MergePlace.self, from: data) == place)
    #expect(try JSONDecoder().decode(MergePlace.self, from: Data("{}".utf8)) == .document)
    #expect(place.description == "/a~1b/id=2")
    #expect(MergePlace(path: "").description == "the whole document")
    let member = try PackagePath("data.json")
    let decisions = try mergePackages(
      ["data.json": file("[{\"id\": 1}]")], ["data.json": file("[{\"id\": 1, \"a\": 1}]")],
      ["data.json": file("[{\"id\": 1, \"a\": 2}]")],
      engine: StructuredMergeEngine(format: JSONFormat())
    ).decisions
    #expect(decisions.map(\.place) == [MergePlace(member: member, path: "/id=1/a")])
    #expect(decisions.first?.place.description == "data.json, /id=1/a")
  }

  @Test("Long values are shortened")
  func longValues() throws {
    let long = String(repeating: "é", count: 100_000) + "\n"
    let decision = try #require(try merge("a\n", long, "b\n").decisions.first)
    #expect(decision.ours == String(repeating: "é", count: 200) + "…")
    #expect(decision.theirs == "b\n")
  }
}
