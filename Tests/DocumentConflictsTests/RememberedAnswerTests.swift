import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Synchronization
import Testing

/// An answered question gets the same answer wherever the same changes meet again.
@Suite("Remembered answers")
struct RememberedAnswerTests {
  private let world: World

  init() throws {
    world = try World()
  }

  /// Changes that contradict each other at one place of a document, with another place for any value.
  struct Dispute: Sendable, CustomTestStringConvertible {
    let document: String
    let place: String?
    let text: @Sendable (_ disputed: String, _ other: String) -> String

    var testDescription: String { document }
    var base: String { text("red", "1") }
    var mira: String { text("blue", "1") }
    var tom: String { text("green", "1") }

    static let all = [
      Dispute(document: "a.json", place: "/color") { #"{"color": "\#($0)", "size": "\#($1)"}"# },
      Dispute(document: "a.yaml", place: "/color") { "color: \($0)\nsize: \($1)\n" },
      Dispute(document: "a.txt", place: nil) { disputed, other in
        ["one", "two", "three", "four", disputed, "six", "seven", "eight", "nine", "ten", other]
          .map { "\($0)\n" }.joined()
      },
      Dispute(document: "a.csv", place: "row 1, column color") {
        "id,color\n1,\($0)\n2,x\n3,\($1)\n"
      },
    ]
  }

  private func disagree(_ dispute: Dispute) throws {
    try world.disagree(
      about: dispute.document, base: dispute.base, mira: dispute.mira, tom: dispute.tom)
  }

  private func resolve(
    _ document: String, on device: String, _ strategy: ResolutionStrategy = .merge,
    askingAgain: Bool = false
  ) async throws -> ResolutionOutcome {
    var resolver = world.resolver(strategy, on: device)
    resolver.remembersAnswers = !askingAgain
    return try await resolver.resolve(world.url(device, document))
  }

  private func answer(
    _ document: String, on device: String, with answer: MergeAnswer
  ) async throws -> Resolution {
    let outcome = try await resolve(
      document, on: device,
      .ask { question in
        .answer(Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, answer) }))
      }, askingAgain: true)
    return try #require(outcome.resolution)
  }

  /// Saves an edit of the current version, which may repeat the contents of an earlier one.
  private func edit(_ text: String, _ document: String, on device: String) throws {
    world.clock.advance(bySeconds: 60)
    let place = try world.scratch.write(text, to: "\(device)/\(document)")
    let current = try #require(try world.history(document, on: device).current)
    try world.store(device).save(place, base: current)
  }

  private func undo(_ document: String, on device: String) throws {
    world.clock.advance(bySeconds: 60)
    try world.store(device).undo(world.url(device, document))
  }

  @Test(
    "After an undo the question is answered as before, on every device, and the result says so",
    arguments: Dispute.all, [MergeAnswer.ours, .theirs, .base])
  func afterUndo(_ dispute: Dispute, _ answer: MergeAnswer) async throws {
    let document = dispute.document
    try disagree(dispute)
    let first = try await self.answer(document, on: "mira", with: answer)
    #expect(first.remembered.isEmpty)
    let answered = try world.read(document, on: "mira")
    try undo(document, on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.history(document, on: "tom").unresolvedConflicts.count == 1)

    let outcome = try await resolve(document, on: "tom")
    let second = try #require(outcome.resolution)
    #expect(try world.read(document, on: "tom") == answered)
    #expect(second.remembered.map(\.answer) == [answer])
    #expect(second.remembered.map(\.resolution.id) == [first.version.id])
    #expect(second.remembered.first?.clash.clash.decision.place.path == dispute.place)
    #expect(second.reason == "its questions were answered before")
    try world.exchange("tom", "mira")
    #expect(try world.read(document, on: "mira") == answered)
    try world.expectSound("mira", "tom")
  }

  @Test("Who wants to be asked again is asked", arguments: Dispute.all)
  func askedAgain(_ dispute: Dispute) async throws {
    let document = dispute.document
    try disagree(dispute)
    _ = try await answer(document, on: "mira", with: .theirs)
    try undo(document, on: "mira")
    let outcome = try await resolve(document, on: "mira", askingAgain: true)
    #expect(outcome.questions?.count == 1)
    // The new answer counts from now on.
    let latest = try await answer(document, on: "mira", with: .ours)
    try undo(document, on: "mira")
    let again = try #require(try await resolve(document, on: "mira").resolution)
    #expect(again.remembered.map(\.answer) == [.ours])
    #expect(again.remembered.map(\.resolution.id) == [latest.version.id])
  }

  @Test(
    "A device that knows nothing of the answer and has what was decided against takes nothing back",
    arguments: Dispute.all, ["ours", "theirs", "typed"])
  func decidedAgainst(_ dispute: Dispute, _ choice: String) async throws {
    let document = dispute.document
    try world.save(dispute.base, as: document, on: "mira")
    try world.exchange("mira", "tom", "ada")
    try world.save(dispute.mira, as: document, on: "mira")
    try world.save(dispute.tom, as: document, on: "tom")
    try world.exchange("mira", "tom")
    let isTyped = choice == "typed"
    let typed = document == "a.json" ? #""brown""# : "brown"
    let answer = try await answer(
      document, on: "mira",
      with: isTyped ? .text(Array(typed.utf8)) : choice == "ours" ? .ours : .theirs)
    let answered = isTyped ? "brown" : choice == "ours" ? "green" : "blue"
    #expect(try world.read(document, on: "mira") == dispute.text(answered, "1"))
    // Ada comes with the side that lost, and with something else.
    let lost = answered == "blue" ? "green" : "blue"
    try world.save(dispute.text(lost, "2"), as: document, on: "ada")
    try world.exchange("ada", "mira")
    #expect(try world.history(document, on: "mira").unresolvedConflicts.count == 1)
    let outcome = try #require(try await resolve(document, on: "mira").resolution)
    #expect(outcome.remembered.map(\.resolution.id) == [answer.version.id])
    #expect(try world.read(document, on: "mira") == dispute.text(answered, "2"))
    try world.exchange("mira", "ada")
    #expect(try world.read(document, on: "ada") == dispute.text(answered, "2"))
  }

  @Test(
    "What was changed after the answer is not taken back, but asked about", arguments: Dispute.all)
  func changedSince(_ dispute: Dispute) async throws {
    let document = dispute.document
    try world.save(dispute.base, as: document, on: "mira")
    try world.exchange("mira", "tom", "ada")
    try world.save(dispute.mira, as: document, on: "mira")
    try world.save(dispute.tom, as: document, on: "tom")
    try world.exchange("mira", "tom")
    _ = try await answer(document, on: "mira", with: .theirs)
    #expect(try world.read(document, on: "mira") == dispute.mira)
    // Mira changes her mind, and Ada comes with what was decided for.
    try edit(dispute.text("green", "2"), document, on: "mira")
    try edit(dispute.text("blue", "2"), document, on: "ada")
    try world.exchange("ada", "mira")
    let outcome = try await resolve(document, on: "mira")
    #expect(outcome.questions?.count == 1, "\(outcome)")
  }

  /// Documents with a different question than the answered one: about another place, another base, or other
  /// sides.
  struct OtherQuestion: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let base, mira, tom: String
  }

  @Test(
    "Another question is asked",
    arguments: [
      OtherQuestion(
        testDescription: "place", base: #"{"color": "red", "frame": "red", "n": 2}"#,
        mira: #"{"color": "red", "frame": "blue", "n": 2}"#,
        tom: #"{"color": "red", "frame": "green", "n": 2}"#),
      OtherQuestion(
        testDescription: "base", base: #"{"color": "white", "frame": "red", "n": 2}"#,
        mira: #"{"color": "blue", "frame": "red", "n": 2}"#,
        tom: #"{"color": "green", "frame": "red", "n": 2}"#),
      OtherQuestion(
        testDescription: "side", base: #"{"color": "red", "frame": "red", "n": 2}"#,
        mira: #"{"color": "blue", "frame": "red", "n": 2}"#,
        tom: #"{"color": "black", "frame": "red", "n": 2}"#),
    ])
  func another(_ other: OtherQuestion) async throws {
    try world.disagree(
      about: "a.json", base: #"{"color": "red", "frame": "red"}"#,
      mira: #"{"color": "blue", "frame": "red"}"#, tom: #"{"color": "green", "frame": "red"}"#)
    _ = try await answer("a.json", on: "mira", with: .theirs)
    try world.exchange("mira", "tom")
    try world.save(other.base, as: "a.json", on: "mira")
    try world.exchange("mira", "tom")
    try world.save(other.mira, as: "a.json", on: "mira")
    try world.save(other.tom, as: "a.json", on: "tom")
    try world.exchange("mira", "tom")
    let outcome = try await resolve("a.json", on: "mira")
    #expect(outcome.questions?.count == 1, "\(outcome)")
  }

  @Test("The same question, asked of a base that says the same again, is answered as before")
  func sameBase() async throws {
    try disagree(Dispute.all[0])
    _ = try await answer("a.json", on: "mira", with: .theirs)
    try world.exchange("mira", "tom")
    try edit(Dispute.all[0].base, "a.json", on: "tom")
    try world.exchange("tom", "mira")
    try edit(Dispute.all[0].mira, "a.json", on: "mira")
    try edit(Dispute.all[0].tom, "a.json", on: "tom")
    try world.exchange("mira", "tom")
    let outcome = try #require(try await resolve("a.json", on: "tom").resolution)
    #expect(outcome.remembered.count == 1)
    #expect(try world.read("a.json", on: "tom") == Dispute.all[0].mira)
  }

  @Test("Questions that are alike are asked about, each")
  func alike() async throws {
    let stanza = { (number: Int) in "stanza\na\nb\nc\ntimeout = \(number)\nd\ne\nf\n\n" }
    let text = { (number: Int) in stanza(number) + stanza(number) }
    try world.disagree(about: "a.txt", base: text(10), mira: text(20), tom: text(30))
    let outcome = try await resolve(
      "a.txt", on: "mira",
      .ask { .answer([$0.proposal.clashes[0].id: .ours, $0.proposal.clashes[1].id: .theirs]) })
    #expect(outcome.resolution != nil)
    let answered = try world.read("a.txt", on: "mira")
    #expect([stanza(20) + stanza(30), stanza(30) + stanza(20)].contains(answered))
    try undo("a.txt", on: "mira")
    let again = try await resolve("a.txt", on: "mira")
    #expect(again.resolution.map { _ in true } ?? false)
    #expect(try world.read("a.txt", on: "mira") == answered)
  }

  @Test("The same change of the same line elsewhere is asked about")
  func elsewhere() async throws {
    func text(_ first: String, _ second: String) -> String {
      "alpha\n\nbeta\n\(first)\ngamma\n\ndelta\n\nepsilon\n\(second)\nzeta\n\neta\n"
    }
    try world.disagree(
      about: "a.txt", base: text("red", "red"), mira: text("blue", "red"), tom: text("green", "red")
    )
    _ = try await answer("a.txt", on: "mira", with: .base)
    try world.exchange("mira", "tom")
    try world.save(text("red", "blue"), as: "a.txt", on: "mira")
    try world.save(text("red", "green"), as: "a.txt", on: "tom")
    try world.exchange("mira", "tom")
    let outcome = try await resolve("a.txt", on: "mira")
    #expect(outcome.questions?.count == 1)
  }

  @Test("A typed answer is asked about again")
  func typed() async throws {
    try disagree(Dispute.all[0])
    _ = try await answer("a.json", on: "mira", with: .text(Array(#""brown""#.utf8)))
    try undo("a.json", on: "mira")
    let outcome = try await resolve("a.json", on: "mira")
    #expect(outcome.questions?.count == 1)
  }

  @Test("A record says nothing of what was answered but digests")
  func onlyDigests() async throws {
    try disagree(Dispute.all[0])
    let resolution = try await answer("a.json", on: "mira", with: .text(Array(#""brown""#.utf8)))
    let store = world.scratch["mira/.docversions/documents/a.json.git"]
    let record = try Command.run(
      "git",
      [
        "-c", "safe.directory=*", "-C", store.path, "cat-file", "-p",
        resolution.version.id.description,
      ]
    ).output
    #expect(record.contains(#""answers":[{"#))
    for word in ["red", "green", "blue", "brown", "color"] { #expect(!record.contains(word)) }
  }

  @Test("Of several questions only those that were never answered are left")
  func some() async throws {
    try world.disagree(
      about: "a.json", base: #"{"a": 1, "b": 1}"#, mira: #"{"a": 2, "b": 1}"#,
      tom: #"{"a": 3, "b": 1}"#)
    _ = try await answer("a.json", on: "mira", with: .theirs)
    try edit(#"{"a": 1, "b": 1}"#, "a.json", on: "mira")
    try world.exchange("mira", "tom")
    try edit(#"{"a": 2, "b": 2}"#, "a.json", on: "mira")
    try edit(#"{"a": 3, "b": 3}"#, "a.json", on: "tom")
    try world.exchange("mira", "tom")
    let asked = Mutex<[ConflictQuestion]>([])
    let outcome = try await resolve(
      "a.json", on: "mira",
      .ask { question in
        asked.withLock { $0.append(question) }
        return .answer([question.proposal.clashes[0].id: .ours])
      })
    let resolution = try #require(outcome.resolution)
    #expect(asked.withLock { $0.map(\.proposal.clashes.count) } == [1])
    #expect(resolution.remembered.map(\.clash.clash.decision.place.path) == ["/a"])
    #expect(try world.read("a.json", on: "mira") == #"{"a": 2, "b": 3}"#)
    // Both answers are in the new record, and so is the older one again.
    try undo("a.json", on: "mira")
    let again = try #require(try await resolve("a.json", on: "mira").resolution)
    #expect(Set(again.remembered.map(\.resolution.id)) == [resolution.version.id])
    #expect(again.remembered.count == 2)
  }

  @Test("A member of a package is a place of its own")
  func member() async throws {
    for (device, color) in [("mira", "red"), ("mira", "blue"), ("tom", "green")] {
      let device = try world.device(device)
      for name in ["one", "two"] {
        try device.write("color: \(name == "one" ? color : "red")\n", to: "P.pack/\(name).yaml")
      }
      world.clock.advance(bySeconds: 60)
      try device.store.save(device["P.pack"], asPackage: true)
      if color == "red" { try world.exchange("mira", "tom") }
    }
    try world.exchange("mira", "tom")
    _ = try await answer("P.pack", on: "mira", with: .theirs)
    try undo("P.pack", on: "mira")
    let outcome = try #require(try await resolve("P.pack", on: "mira").resolution)
    #expect(outcome.remembered.map(\.clash.clash.decision.place.memberPath) == ["one.yaml"])
    #expect(try world.read("P.pack/one.yaml", on: "mira") == "color: blue\n")
  }
}

extension ResolutionOutcome {
  /// The resolution, if there is one.
  fileprivate var resolution: Resolution? {
    guard case .resolved(let resolution) = self else { return nil }
    return resolution
  }

  /// The remaining questions, if the conflict stays.
  fileprivate var questions: [MergeDecision]? {
    guard case .unresolved(let questions, _) = self else { return nil }
    return questions
  }
}
