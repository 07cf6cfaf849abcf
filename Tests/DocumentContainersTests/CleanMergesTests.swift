import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Merges that no person asks for")
struct CleanMergesTests {
  private let world: World
  private static let base = (1...60).map { "line \($0)\n" }.joined()

  init() throws {
    world = try World()
  }

  /// Merges on a device, a minute after the previous step.
  private func merge(on device: String) async throws -> FileVersion? {
    world.clock.advance(bySeconds: 60)
    let merges = CleanMerges(
      in: VersionStore(world.store(device)), engines: MergeEngines(),
      coordinator: FileCoordinator())
    guard case .resolved(let resolution) = try await merges.merge(world.url(device, "a.md"))
    else { return nil }
    return resolution.version
  }

  @Test("Devices that merge the same versions at different times make the same version")
  func same() async throws {
    try world.disagree(
      base: Self.base, mira: Self.base.replacing("line 2\n", with: "Mira’s\n"),
      tom: Self.base.replacing("line 50\n", with: "Tom’s\n"))
    let latest = try #require(try world.history("a.md", on: "mira").current)
    let mira = try #require(try await merge(on: "mira"))
    let tom = try #require(try await merge(on: "tom"))
    #expect(mira.id == tom.id)
    #expect(mira.kind == .merge)
    // It says nothing of the device that merged.
    #expect(mira.author == latest.author && mira.savingDevice == latest.savingDevice)
    #expect(mira.savingDate > latest.savingDate)
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      let history = try world.history("a.md", on: device)
      #expect(history.versions.count == 4)
      #expect(history.current?.id == mira.id && history.unresolvedConflicts.isEmpty)
    }
    try world.expectSound("mira", "tom")
  }

  @Test("What a person undoes is not merged again on any device until a side changes")
  func undone() async throws {
    try world.disagree(
      base: Self.base, mira: Self.base.replacing("line 2\n", with: "Mira’s\n"),
      tom: Self.base.replacing("line 50\n", with: "Tom’s\n"))
    _ = try #require(try await merge(on: "mira"))
    world.clock.advance(bySeconds: 60)
    try world.store("mira").undo(world.url("mira", "a.md"))
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try await merge(on: device) == nil)
      #expect(try world.history("a.md", on: device).unresolvedConflicts.count == 1)
    }
    try world.save(
      world.read("a.md", on: "tom").replacing("line 30\n", with: "changed\n"), as: "a.md",
      on: "tom")
    let merged = try #require(try await merge(on: "tom"))
    #expect(merged.kind == .merge)
    try world.exchange("mira", "tom")
    let text = try world.read("a.md", on: "mira")
    for line in ["Mira’s\n", "changed\n", "Tom’s\n"] { #expect(text.contains(line)) }
    try world.expectSound("mira", "tom")
  }

  @Test("A merge that a person asks for names that person")
  func byPerson() async throws {
    try world.disagree(
      base: Self.base, mira: Self.base.replacing("line 2\n", with: "Mira’s\n"),
      tom: Self.base.replacing("line 50\n", with: "Tom’s\n"))
    world.clock.advance(bySeconds: 60)
    let store = VersionStore(world.store("mira"))
    let outcome = try await ConflictResolver(.merge, store: store).resolve(
      world.url("mira", "a.md"))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("it was not merged")
      return
    }
    #expect(resolution.version.author == store.identity.author)
    #expect(resolution.version.savingDevice == store.identity.device)
  }

  @Test("A document that was removed without a decision stays missing until a person restores it")
  func missing() async throws {
    try world.disagree(
      base: Self.base, mira: Self.base.replacing("line 2\n", with: "Mira’s\n"),
      tom: Self.base.replacing("line 50\n", with: "Tom’s\n"))
    let (place, store) = (world.url("mira", "a.md"), world.store("mira"))
    try FileManager.default.removeItem(at: place)
    let merged = try #require(try await merge(on: "mira"))
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try store.state(of: place) == .missing)
    // The other device shows the merge; what it changes next doesn’t bring the document back either.
    try world.exchange("mira", "tom")
    let text = try world.read("a.md", on: "tom")
    #expect(text.contains("Mira’s") && text.contains("Tom’s"))
    try world.save(text + "more\n", as: "a.md", on: "tom")
    try world.exchange("mira", "tom")
    #expect(try store.state(of: place) == .missing)
    try store.restore(merged, of: place)
    #expect(try world.read("a.md", on: "mira") == text)
    try world.expectSound("mira", "tom")
  }

  @Test("A conflict of a missing document is resolved into its place if a person asks for that")
  func missingByPerson() async throws {
    try world.disagree(
      base: Self.base, mira: Self.base.replacing("line 2\n", with: "Mira’s\n"),
      tom: Self.base.replacing("line 50\n", with: "Tom’s\n"))
    let place = world.url("mira", "a.md")
    try FileManager.default.removeItem(at: place)
    world.clock.advance(bySeconds: 60)
    _ = try await ConflictResolver(.merge, store: VersionStore(world.store("mira"))).resolve(place)
    #expect(try world.read("a.md", on: "mira").contains("Tom’s"))
  }

  @Test("Each round of edits on several devices ends with one merge", arguments: 1...4)
  func rounds(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let devices = ["mira", "tom", "ida"]
    try world.save(Self.base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    var lines = Array(1...60)
    for round in 1...3 {
      for (number, device) in devices.enumerated().shuffled(using: &random) {
        // Each device has its own part of the text.
        let line = number * 20 + round * 5
        lines[line - 1] += 1_000 * round
        let text = try world.read("a.md", on: device)
          .replacing("line \(line)\n", with: "line \(lines[line - 1])\n")
        try world.save(text, as: "a.md", on: device)
      }
      try world.exchange("mira", "tom", "ida")
      var merged: Set<FileVersion.ID> = []
      for device in devices.shuffled(using: &random) {
        merged.insert(try #require(try await merge(on: device)).id)
      }
      #expect(merged.count == 1)
      try world.exchange("mira", "tom", "ida")
    }
    let expected = lines.map { "line \($0)\n" }.joined()
    for device in devices {
      #expect(try world.read("a.md", on: device) == expected)
      let kinds = try world.history("a.md", on: device).versions.map(\.kind)
      #expect(kinds.count { $0 == .save } == 10)
      #expect(kinds.count { $0 == .merge } == 3)
      #expect(kinds.count == 13)
    }
    try world.expectSound("mira", "tom", "ida")
  }
}
