import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// A reopened conflict merges as it did the first time, on every device.
struct UndoneResolutionTests {
  private let world: World

  init() throws {
    world = try World()
  }

  private static func text(_ changes: [Int: String]) -> String {
    (1...9).map { "\(changes[$0] ?? "line \($0)")\n" }.joined()
  }

  private let base = text([:])
  private let merged = text([2: "Mira’s", 8: "Tom’s"])

  private func disagree() throws {
    try world.disagree(
      base: base, mira: Self.text([2: "Mira’s"]), tom: Self.text([8: "Tom’s"]))
  }

  private func merge(on device: String) async throws -> FileVersion {
    let url = world.url(device, "a.md")
    guard
      case .resolved(let resolution) = try await world.resolver(.merge, on: device).resolve(url)
    else {
      throw CancellationError()
    }
    return resolution.version
  }

  private func undo(on device: String) throws {
    world.clock.advance(bySeconds: 60)
    try world.store(device).undo(world.url(device, "a.md"))
  }

  @Test("Merging, undoing and merging again comes to the same")
  func again() async throws {
    try disagree()
    for _ in 1...3 {
      _ = try await merge(on: "mira")
      #expect(try world.read("a.md", on: "mira") == merged)
      try undo(on: "mira")
      #expect(try world.read("a.md", on: "mira") == Self.text([8: "Tom’s"]))
      let history = try world.history("a.md", on: "mira")
      #expect(try await history.conflictBase?.contents() == Data(base.utf8))
    }
    world.clock.advance(bySeconds: 60)
    try world.exchange("mira", "tom")
    #expect(try world.history("a.md", on: "tom").unresolvedConflicts.count == 1)
    _ = try await merge(on: "tom")
    try world.exchange("tom", "mira")
    #expect(try world.read("a.md", on: "mira") == merged)
    try world.expectSound("mira", "tom")
  }

  @Test("A resolution that travelled is undone on every device, and edits on both sides merge")
  func editsOnBothSides() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try world.exchange("mira", "tom")
    #expect(try world.read("a.md", on: "tom") == merged)
    try undo(on: "tom")
    try world.exchange("tom", "mira")
    for device in ["mira", "tom"] {
      #expect(try world.history("a.md", on: device).unresolvedConflicts.count == 1)
      #expect(try world.read("a.md", on: device) == Self.text([8: "Tom’s"]))
    }
    // Tom goes on with his side, and Mira with hers.
    let hers = try #require(try world.history("a.md", on: "mira").unresolvedConflicts.first)
    #expect(try await hers.contents() == Data(Self.text([2: "Mira’s"]).utf8))
    try world.save(Self.text([5: "Tom’s too", 8: "Tom’s"]), as: "a.md", on: "tom")
    world.clock.advance(bySeconds: 60)
    let place = try world.scratch.write(
      Self.text([1: "Mira’s too", 2: "Mira’s"]), to: "mira/a.md")
    try world.store("mira").save(place, base: hers)
    try world.exchange("mira", "tom")
    _ = try await merge(on: "tom")
    try world.exchange("tom", "mira")
    #expect(
      try world.read("a.md", on: "mira")
        == Self.text([1: "Mira’s too", 2: "Mira’s", 5: "Tom’s too", 8: "Tom’s"]))
    try world.expectSound("mira", "tom")
  }

  @Test("Two devices that undo one resolution come to one conflict, which merges")
  func bothUndo() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try world.exchange("mira", "tom")
    try undo(on: "mira")
    try undo(on: "tom")
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.history("a.md", on: device).unresolvedConflicts.count == 1)
    }
    _ = try await merge(on: "tom")
    #expect(try world.read("a.md", on: "tom") == merged)
    try world.exchange("tom", "mira")
    #expect(try world.read("a.md", on: "mira") == merged)
  }

  @Test(
    "What another device saved on an undone resolution is one more version, and merges with its sides"
  )
  func savedOnResolution() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try world.exchange("mira", "tom")
    try undo(on: "mira")
    let edited = Self.text([2: "Mira’s", 5: "Tom’s too", 8: "Tom’s"])
    try world.save(edited, as: "a.md", on: "tom")
    try world.exchange("mira", "tom")
    #expect(try world.history("a.md", on: "mira").unresolvedConflicts.count == 2)
    _ = try await merge(on: "mira")
    #expect(try world.read("a.md", on: "mira") == edited)
    try world.expectSound("mira", "tom")
  }

  @Test("An edit on a choice that was undone does not overrule the side that was not chosen")
  func editOnUndoneChoice() async throws {
    let base = Self.text([:])
    try world.disagree(base: base, mira: Self.text([5: "Mira’s"]), tom: Self.text([5: "Tom’s"]))
    _ = try await world.resolver(.latest, on: "mira").resolve(world.url("mira", "a.md"))
    try world.scratch.write(Self.text([5: "Tom’s, later"]), to: "mira/a.md")
    try undo(on: "mira")
    try world.save(Self.text([5: "Tom’s, later"]), as: "a.md", on: "mira")
    #expect(try world.history("a.md", on: "mira").unresolvedConflicts.count == 2)
    let outcome = try await world.resolver(.merge, on: "mira")
      .resolve(world.url("mira", "a.md"))
    guard case .unresolved(let questions, _) = outcome else {
      Issue.record("Mira’s side is gone without a question")
      return
    }
    #expect(questions.map(\.place.description) == ["line 5"])
  }

  @Test("A choice of the version that was not current is undone to the one that was")
  func choiceOfTheOther() async throws {
    try disagree()
    let url = world.url("mira", "a.md")
    let other = try #require(try world.history("a.md", on: "mira").unresolvedConflicts.first)
    _ = try await world.resolver(.keep(other.id), on: "mira").resolve(url)
    #expect(try world.read("a.md", on: "mira") == Self.text([2: "Mira’s"]))
    try undo(on: "mira")
    #expect(try world.read("a.md", on: "mira") == Self.text([8: "Tom’s"]))
    _ = try await merge(on: "mira")
    #expect(try world.read("a.md", on: "mira") == merged)
  }

  /// Returns the questions of a merge of the conflict; none if it is resolved.
  private func questions(
    on device: String, about document: String = "a.md"
  ) async throws -> [MergeDecision] {
    let outcome = try await world.resolver(.merge, on: device)
      .resolve(world.url(device, document))
    if case .unresolved(let questions, _) = outcome { return questions }
    return []
  }

  @Test(
    "What a merge brought in and one side took back comes not back from one who went on from the undone merge",
    arguments: [true, false])
  func goingOnFromUndoneMerge(isKept: Bool) async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try world.exchange("mira", "tom")
    try world.save(
      Self.text([2: "Mira’s", 5: "Tom’s too", 8: "Tom’s"]), as: "a.md", on: "tom")
    try undo(on: "mira")
    let hers = Self.text([2: "Mira’s"])
    if isKept {
      // Of the two sides, hers is the one without Tom’s line.
      let sides = try world.history("a.md", on: "mira").versions
        .filter { $0.isCurrent || $0.isConflict && !$0.isResolved }
      for side in sides where try await side.contents() == Data(hers.utf8) {
        _ = try await world.resolver(.keep(side.id), on: "mira")
          .resolve(world.url("mira", "a.md"))
      }
    } else {
      _ = try await merge(on: "mira")
      let mira = try world.device("mira")
      try mira.save(hers, as: "a.md", base: mira.history("a.md").current)
    }
    #expect(try world.read("a.md", on: "mira") == hers)
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try await questions(on: device).map(\.place) == [.document])
    }
    try world.expectSound("mira", "tom")
  }

  @Test("Who went on from an undone merge merges with one who changed something else")
  func goingOnBesides() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try world.exchange("mira", "tom")
    try world.save(
      Self.text([2: "Mira’s", 6: "Tom’s too", 8: "Tom’s"]), as: "a.md", on: "tom")
    try undo(on: "mira")
    _ = try await merge(on: "mira")
    try world.save(Self.text([2: "Mira’s", 4: "Hers", 8: "Tom’s"]), as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(try await questions(on: "mira").isEmpty)
    #expect(
      try world.read("a.md", on: "mira")
        == Self.text([2: "Mira’s", 4: "Hers", 6: "Tom’s too", 8: "Tom’s"]))
    try world.expectSound("mira", "tom")
  }

  @Test(
    "Two that answered one question differently are asked, also where one took the former value")
  func differentAnswers() async throws {
    let name = "d.json"
    try world.disagree(about: name, base: "{\"x\": 1}", mira: "{\"x\": 2}", tom: "{\"x\": 3}")
    // Mira answers: as it was. Tom: his.
    let outcome = try await world.resolver(
      .ask { question in
        .answer(Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, .base) }))
      }, on: "mira"
    ).resolve(world.url("mira", name))
    guard case .resolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try world.read(name, on: "mira") == "{\"x\": 1}")
    _ = try await world.resolver(.latest, on: "tom").resolve(world.url("tom", name))
    #expect(try world.read(name, on: "tom") == "{\"x\": 3}")
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try await questions(on: device, about: name).count == 1)
    }
  }

  @Test("Two that answered one question alike and went on are merged")
  func sameAnswers() async throws {
    let name = "d.json"
    func text(_ x: Int, _ y: Int, _ z: Int) -> String {
      "{\n  \"x\": \(x),\n  \"y\": \(y),\n  \"z\": \(z)\n}\n"
    }
    try world.disagree(about: name, base: text(1, 1, 1), mira: text(2, 1, 1), tom: text(3, 1, 1))
    for device in ["mira", "tom"] {
      _ = try await world.resolver(.latest, on: device).resolve(world.url(device, name))
      #expect(try world.read(name, on: device) == text(3, 1, 1))
    }
    try world.save(text(3, 2, 1), as: name, on: "mira")
    try world.save(text(3, 1, 2), as: name, on: "tom")
    try world.exchange("mira", "tom")
    #expect(try await questions(on: "mira", about: name).isEmpty)
    #expect(try world.read(name, on: "mira") == text(3, 2, 2))
  }
}
