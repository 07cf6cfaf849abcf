import DocumentMerge
import DocumentStore
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentConflicts

/// Three versions in conflict: the authors of the changes, and the decisions of the latest.
@Suite("Three sides")
struct ThreeSidesTests {
  private static let base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"

  /// Mira changes lines 1 and 3, Tom line 7, and Ida, who is last, lines 1 and 5.
  private func world() throws -> World {
    let world = try World()
    try world.save(Self.base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    let texts = [
      ("mira", ["one": "Mira’s", "three": "THREE"]), ("tom", ["seven": "SEVEN"]),
      ("ida", ["one": "Ida’s", "five": "FIVE"]),
    ]
    for (name, changes) in texts {
      try world.save(
        changes.reduce(Self.base) { $0.replacing("\($1.key)\n", with: "\($1.value)\n") },
        as: "a.md", on: name)
    }
    try world.exchange("mira", "tom", "ida")
    return world
  }

  @Test("A question names those who have its values, and no other")
  func question() async throws {
    let world = try world()
    let conflict = try #require(
      try await Conflict.of(world.url("mira", "a.md"), store: VersionStore(world.store("mira"))))
    let proposal = try await conflict.proposal()
    let clash = try #require(proposal.clashes.first)
    #expect(proposal.clashes.count == 1)
    #expect(Set((clash.ours + [clash.theirs]).map(\.author)) == ["mira", "ida"])
  }

  @Test("The report names who changed each line, once")
  func report() async throws {
    let world = try world()
    let outcome = try await world.resolver(.merge(else: .latest), on: "mira")
      .resolve(world.url("mira", "a.md"))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let words = resolution.decisions.map(\.explanation)
    for name in ["mira", "tom", "ida"] {
      #expect(words.count { $0.contains("Only \(name) (") } == 1, "\(words)")
    }
    #expect(!words.contains { $0.contains(" and ") && $0.contains("Only") }, "\(words)")
  }

  @Test(
    "The latest decides what is open, and all else is combined", arguments: ["mira", "tom", "ida"])
  func latest(device: String) async throws {
    let world = try world()
    _ = try await world.resolver(.merge(else: .latest), on: device)
      .resolve(world.url(device, "a.md"))
    #expect(try world.read("a.md", on: device) == "Ida’s\ntwo\nTHREE\nfour\nFIVE\nsix\nSEVEN\n")
    #expect(try world.history("a.md", on: device).unresolvedConflicts.isEmpty)
  }

  @Test("An answer of the latest is not reused as if a person had given it")
  func notRemembered() async throws {
    let world = try World()
    try world.disagree(base: "one\n", mira: "Mira’s\n", tom: "Tom’s\n")
    let document = world.url("mira", "a.md")
    _ = try await world.resolver(.merge(else: .latest), on: "mira").resolve(document)
    #expect(try world.read("a.md", on: "mira") == "Tom’s\n")
    try world.store("mira").undo(document)
    let outcome = try await world.resolver(.merge, on: "mira").resolve(document)
    guard case .unresolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("A deletion is no latest side")
  func deletion() async throws {
    let world = try World()
    try world.save("one\ntwo\n", as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.save("one\nTWO\n", as: "a.md", on: "mira")
    world.clock.advance(bySeconds: 60)
    try world.store("tom").delete(world.url("tom", "a.md"))
    try world.exchange("mira", "tom")
    _ = try await world.resolver(.merge(else: .latest), on: "mira")
      .resolve(world.url("mira", "a.md"))
    #expect(try world.read("a.md", on: "mira") == "one\nTWO\n")
  }
}
