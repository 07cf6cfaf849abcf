import DocumentMerge
import Foundation
import Testing

@Suite("Merges of Fixtures/merges")
struct MergeFixtureTests {
  @Test("Every merge gives the expected result", arguments: MergeFixture.all)
  func replay(_ fixture: MergeFixture) throws {
    let engine = try #require(try fixture.engine)
    let sides = MergeSides(
      base: try fixture.contents("base"), ours: try #require(try fixture.contents("ours")),
      theirs: try #require(try fixture.contents("theirs")))
    let outcome = try engine.merge(sides, options: MergeOptions())
    guard let expected = try fixture.contents("expected") else {
      try fixture.record(outcome)
      Issue.record("\(fixture.testDescription) told no outcome; it is recorded now, to be read")
      return
    }
    #expect(outcome.text == String(decoding: expected, as: UTF8.self))
    #expect(outcome.bytes == expected)
    let told = String(decoding: try fixture.contents("decisions") ?? [], as: UTF8.self)
    #expect(MergeFixture.told(outcome.decisions) == told)
  }

  @Test("Swapped sides need somebody in the same places", arguments: MergeFixture.all)
  func swapped(_ fixture: MergeFixture) throws {
    let engine = try #require(try fixture.engine)
    let sides = MergeSides(
      base: try fixture.contents("base"), ours: try #require(try fixture.contents("ours")),
      theirs: try #require(try fixture.contents("theirs")))
    let outcome = try engine.merge(sides, options: MergeOptions())
    let swapped = try engine.merge(sides.swapped, options: MergeOptions())
    #expect(
      Set(outcome.decisions.filter { $0.kind == .clash }.map(\.place.path))
        == Set(swapped.decisions.filter { $0.kind == .clash }.map(\.place.path)))
  }

  @Test("Every question can be answered on its own", arguments: MergeFixture.all)
  func answers(_ fixture: MergeFixture) throws {
    let engine = try #require(try fixture.engine)
    let sides = MergeSides(
      base: try fixture.contents("base"), ours: try #require(try fixture.contents("ours")),
      theirs: try #require(try fixture.contents("theirs")))
    try checkAnswers(engine, sides, "\(fixture.testDescription)")
  }

  @Test("There are merges for every engine")
  func everyEngine() throws {
    for name in MergeFixture.engines {
      let own = MergeFixture.all.filter {
        $0.folder.deletingLastPathComponent().lastPathComponent == name
      }
      #expect(own.count >= 12)
      #expect(try own.allSatisfy { try $0.engine?.name == name })
    }
  }
}
