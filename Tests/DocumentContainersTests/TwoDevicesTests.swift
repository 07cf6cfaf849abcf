import DocumentSync
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Two devices that adopt the same copies")
struct TwoDevicesTests {
  private func write(_ text: String, to name: String, in world: World) throws {
    for device in ["mira", "tom"] {
      let file = try world.device(device).write(text, to: name)
      // The tool carries the time along.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file.path)
    }
  }

  private func adopt(_ rule: AdoptionRule, on name: String, in world: World) async throws
    -> [FileVersion]
  {
    world.clock.advance(bySeconds: 60)
    return try await world.device(name).adopt(rule).flatMap { document in
      #expect(document.failure == nil)
      return document.copies.compactMap(\.version)
    }
  }

  @Test("come to the same versions, which join without a conflict", arguments: [false, true])
  func joining(hasHistory: Bool) async throws {
    let world = try World()
    if hasHistory {
      try world.save("first line\n", as: "a.md", on: "mira")
      try world.save("first line\nsecond line\n", as: "a.md", on: "mira")
      try world.exchange("mira", "tom")
    }
    try write("first line\nsecond line\nfrom the document\n", to: "a.md", in: world)
    try write("from the copy\nfirst line\nsecond line\n", to: syncthingCopy(of: "a"), in: world)
    try write("third\n", to: "a (Mira's conflicted copy 2026-11-22).md", in: world)
    if !hasHistory {
      try write("first line\nsecond line\n", to: ".stversions/a~20261120-101112.md", in: world)
    }
    let mira = try await adopt(.merge, on: "mira", in: world)
    let tom = try await adopt(.merge, on: "tom", in: world)
    #expect(mira.map(\.id) == tom.map(\.id))
    #expect(mira.count == 1)
    #expect(mira.allSatisfy { $0.author == "unknown" && $0.savingDevice == "UWZBLXH" })
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.history("a.md", on: device).unresolvedConflicts.isEmpty)
      #expect(
        try world.read("a.md", on: device)
          == "from the copy\nfirst line\nsecond line\nfrom the document\n")
      let names = try world.device(device).names()
      #expect(names.filter { $0.hasPrefix("a") && $0.hasSuffix(".md") }.count == 2)
    }
    try world.expectSound("mira", "tom")
  }

  @Test("join without a conflict also where only one of them finds the base")
  func oneBase() async throws {
    let world = try World()
    try write("first line\nsecond line\nfrom the document\n", to: "a.md", in: world)
    try write("from the copy\nfirst line\nsecond line\n", to: syncthingCopy(of: "a"), in: world)
    try world.device("mira").write(
      "first line\nsecond line\n", to: ".stversions/a~20261120-101112.md")
    _ = try await adopt(.merge, on: "mira", in: world)
    let tom = try await adopt(.resolve(.ask { _ in .skip }), on: "tom", in: world)
    #expect(tom.count == 1)
    #expect(try world.history("a.md", on: "tom").unresolvedConflicts.count == 1)
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.history("a.md", on: device).unresolvedConflicts.isEmpty)
      #expect(try world.read("a.md", on: device).hasPrefix("from the copy\n"))
    }
  }

  @Test("keep one document each, with the same id")
  func identifiers() async throws {
    let world = try World()
    try write("one\n", to: "a.md", in: world)
    try write("two\n", to: syncthingCopy(of: "a"), in: world)
    for device in ["mira", "tom"] {
      _ = try await adopt(.resolve(.keepCurrent), on: device, in: world)
    }
    let ids = try ["mira", "tom"].map { try world.history("a.md", on: $0).documentIdentifier }
    #expect(ids[0] == ids[1])
    try world.exchange("mira", "tom")
    #expect(try world.device("tom").names() == ["a.md"])
    #expect(try world.history("a.md", on: "tom").unresolvedConflicts.isEmpty)
  }
}

extension ResolutionStrategy {
  fileprivate static let keepCurrent = ResolutionStrategy(name: "keep") {
    .keep($0.current, because: "it was named")
  }
}
