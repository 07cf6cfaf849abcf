import DocumentMerge
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Questions answered one by one")
struct AnsweringTests {
  private let base = #"{"color": "red", "size": 1, "name": "x"}"#

  @Test("A question shows only the clashes, with person and time, and takes an answer for each key")
  func keyByKey() async throws {
    let world = try World()
    try world.disagree(
      about: "a.json", base: base, mira: #"{"color": "blue", "size": 2, "name": "mira"}"#,
      tom: #"{"color": "green", "size": 3, "name": "x"}"#)
    let outcome = try await world.resolver(
      .ask { question in
        #expect(question.proposal.clashes.map(\.clash.decision.place.path) == ["/color", "/size"])
        #expect(question.proposal.clashes.map { $0.ours.map(\.author) } == [["tom"], ["tom"]])
        #expect(
          question.proposal.clashes.map(\.theirs.savingDevice) == [
            "mira’s laptop", "mira’s laptop",
          ])
        #expect(question.proposal.clashes.map(\.clash.theirs) == [Array(#""blue""#.utf8), [0x32]])
        return .answer([
          question.proposal.clashes[0].id: .theirs,
          question.proposal.clashes[1].id: .text(Array("9".utf8)),
        ])
      }, on: "mira"
    ).resolve(world.url("mira", "a.json"))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(resolution.version.kind == .merge)
    #expect(
      try world.read("a.json", on: "mira") == #"{"color": "blue", "size": 9, "name": "mira"}"#)
  }

  @Test("The conflict stays where a question was left, and where an answer does not fit")
  func leftOpen() async throws {
    let world = try World()
    try world.disagree(
      about: "a.json", base: base, mira: #"{"color": "blue", "size": 2, "name": "mira"}"#,
      tom: #"{"color": "green", "size": 3, "name": "x"}"#)
    let document = world.url("mira", "a.json")
    let outcome = try await world.resolver(
      .ask { .answer([$0.proposal.clashes[1].id: .theirs]) }, on: "mira"
    ).resolve(document)
    guard case .unresolved(let questions, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(questions.map(\.place.path) == ["/color"])
    await #expect(throws: MergeError.self) {
      try await world.resolver(
        .ask { .answer([$0.proposal.clashes[1].id: .text(Array("}".utf8))]) }, on: "mira"
      ).resolve(document)
    }
    #expect(try world.history("a.json", on: "mira").unresolvedConflicts.count == 1)
  }

  @Test("With three versions, two are asked about first, and then what they came to with the third")
  func threeVersions() async throws {
    let world = try World()
    try world.save(#"{"a": 1, "b": 1}"#, as: "a.json", on: "mira")
    try world.exchange("mira", "tom", "ada")
    try world.save(#"{"a": 2, "b": 1}"#, as: "a.json", on: "mira")
    try world.save(#"{"a": 3, "b": 2}"#, as: "a.json", on: "tom")
    try world.save(#"{"a": 4, "b": 1}"#, as: "a.json", on: "ada")
    try world.exchange("mira", "tom", "ada", "mira")
    let document = world.url("mira", "a.json")
    let asked = Asked()
    let outcome = try await world.resolver(
      .ask { question in
        asked.add(question.proposal.clashes)
        return .answer(
          Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, .theirs) }))
      }, on: "mira"
    ).resolve(document)
    guard case .resolved(let resolution) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(resolution.settled.count == 3)
    #expect(asked.clashes.map(\.clash.decision.place.path) == ["/a", "/a"])
    // Each side is named after the author of its value.
    #expect(asked.clashes.map(\.ours.count) == [1, 1])
    // The choice between the first two was then compared with the third.
    #expect(asked.clashes[1].clash.ours == asked.clashes[0].clash.theirs)
    let last = String(decoding: asked.clashes[1].clash.theirs ?? [], as: UTF8.self)
    #expect(try world.read("a.json", on: "mira") == "{\"a\": \(last), \"b\": 2}")
  }

  /// The questions that a closure received, in order.
  ///
  /// `@unchecked` is safe because a resolver asks one question after the other, and the test reads when it is done.
  private final class Asked: @unchecked Sendable {
    private(set) var clashes: [ConflictClash] = []
    func add(_ new: [ConflictClash]) { clashes += new }
  }
}
