import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// A conflict that was opened again merges as it did the first time, on every device.
struct UndoneResolutionTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  private static func text(_ changes: [Int: String]) -> String {
    (1...9).map { "\(changes[$0] ?? "line \($0)")\n" }.joined()
  }

  private let base = text([:])
  private let merged = text([2: "Mira’s", 8: "Tom’s"])

  private func disagree() throws {
    try office.disagree(
      base: base, mira: Self.text([2: "Mira’s"]), tom: Self.text([8: "Tom’s"]))
  }

  private func merge(on device: String) async throws -> FileVersion {
    let url = office.url(device, "a.md")
    guard
      case .resolved(let resolution) = try await office.resolver(.merge, on: device).resolve(url)
    else {
      throw CancellationError()
    }
    return resolution.version
  }

  private func undo(on device: String) throws {
    office.clock.advance(bySeconds: 60)
    try office.store(device).undo(office.url(device, "a.md"))
  }

  @Test("Merging, undoing and merging again comes to the same")
  func again() async throws {
    try disagree()
    for _ in 1...3 {
      _ = try await merge(on: "mira")
      #expect(try office.read("a.md", on: "mira") == merged)
      try undo(on: "mira")
      #expect(try office.read("a.md", on: "mira") == Self.text([8: "Tom’s"]))
      let history = try office.history("a.md", on: "mira")
      #expect(try await history.conflictBase?.contents() == Data(base.utf8))
    }
    office.clock.advance(bySeconds: 60)
    try office.exchange("mira", "tom")
    #expect(try office.history("a.md", on: "tom").unresolvedConflicts.count == 1)
    _ = try await merge(on: "tom")
    try office.exchange("tom", "mira")
    #expect(try office.read("a.md", on: "mira") == merged)
    try office.expectSound("mira", "tom")
  }

  @Test("A resolution that travelled is undone on every device, and edits on both sides merge")
  func editsOnBothSides() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try office.exchange("mira", "tom")
    #expect(try office.read("a.md", on: "tom") == merged)
    try undo(on: "tom")
    try office.exchange("tom", "mira")
    for device in ["mira", "tom"] {
      #expect(try office.history("a.md", on: device).unresolvedConflicts.count == 1)
      #expect(try office.read("a.md", on: device) == Self.text([8: "Tom’s"]))
    }
    // Tom goes on with his side, and Mira with hers.
    let hers = try #require(try office.history("a.md", on: "mira").unresolvedConflicts.first)
    #expect(try await hers.contents() == Data(Self.text([2: "Mira’s"]).utf8))
    try office.save(Self.text([5: "Tom’s too", 8: "Tom’s"]), as: "a.md", on: "tom")
    office.clock.advance(bySeconds: 60)
    let place = try office.scratch.write(
      Self.text([1: "Mira’s too", 2: "Mira’s"]), to: "mira/a.md")
    try office.store("mira").save(place, base: hers)
    try office.exchange("mira", "tom")
    _ = try await merge(on: "tom")
    try office.exchange("tom", "mira")
    #expect(
      try office.read("a.md", on: "mira")
        == Self.text([1: "Mira’s too", 2: "Mira’s", 5: "Tom’s too", 8: "Tom’s"]))
    try office.expectSound("mira", "tom")
  }

  @Test("Two devices that undo one resolution come to one conflict, which merges")
  func bothUndo() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try office.exchange("mira", "tom")
    try undo(on: "mira")
    try undo(on: "tom")
    try office.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try office.history("a.md", on: device).unresolvedConflicts.count == 1)
    }
    _ = try await merge(on: "tom")
    #expect(try office.read("a.md", on: "tom") == merged)
    try office.exchange("tom", "mira")
    #expect(try office.read("a.md", on: "mira") == merged)
  }

  @Test(
    "What another device saved on an undone resolution is one more version, and merges with its sides"
  )
  func savedOnResolution() async throws {
    try disagree()
    _ = try await merge(on: "mira")
    try office.exchange("mira", "tom")
    try undo(on: "mira")
    let edited = Self.text([2: "Mira’s", 5: "Tom’s too", 8: "Tom’s"])
    try office.save(edited, as: "a.md", on: "tom")
    try office.exchange("mira", "tom")
    #expect(try office.history("a.md", on: "mira").unresolvedConflicts.count == 2)
    _ = try await merge(on: "mira")
    #expect(try office.read("a.md", on: "mira") == edited)
    try office.expectSound("mira", "tom")
  }

  @Test("An edit on a choice that was undone does not overrule the side that was not chosen")
  func editOnUndoneChoice() async throws {
    let base = Self.text([:])
    try office.disagree(base: base, mira: Self.text([5: "Mira’s"]), tom: Self.text([5: "Tom’s"]))
    _ = try await office.resolver(.latest, on: "mira").resolve(office.url("mira", "a.md"))
    try office.scratch.write(Self.text([5: "Tom’s, later"]), to: "mira/a.md")
    try undo(on: "mira")
    try office.save(Self.text([5: "Tom’s, later"]), as: "a.md", on: "mira")
    #expect(try office.history("a.md", on: "mira").unresolvedConflicts.count == 2)
    let outcome = try await office.resolver(.merge, on: "mira")
      .resolve(office.url("mira", "a.md"))
    guard case .unresolved(let questions, _) = outcome else {
      Issue.record("Mira’s side is gone, and nobody was asked")
      return
    }
    #expect(questions.map(\.place.description) == ["line 5"])
  }

  @Test("A choice of the version that was not current is undone to the one that was")
  func choiceOfTheOther() async throws {
    try disagree()
    let url = office.url("mira", "a.md")
    let other = try #require(try office.history("a.md", on: "mira").unresolvedConflicts.first)
    _ = try await office.resolver(.keep(other.id), on: "mira").resolve(url)
    #expect(try office.read("a.md", on: "mira") == Self.text([2: "Mira’s"]))
    try undo(on: "mira")
    #expect(try office.read("a.md", on: "mira") == Self.text([8: "Tom’s"]))
    _ = try await merge(on: "mira")
    #expect(try office.read("a.md", on: "mira") == merged)
  }
}
