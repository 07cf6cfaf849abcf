import DocumentFiles
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Renamed in a conflict")
struct RenamedInConflictTests {
  private let world: World

  init() throws {
    world = try World()
    try world.disagree(
      base: "one\ntwo\nthree\n", mira: "ONE\ntwo\nthree\n", tom: "one\ntwo\nTHREE\n")
  }

  private func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(at: world.url("mira", name), to: world.url("mira", other))
  }

  @Test(
    "A document keeps its new name, also where the call uses the former one",
    arguments: ["b.md", "a.md"])
  func keepsName(called: String) async throws {
    try rename("a.md", to: "b.md")
    let outcome = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", called))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("not resolved: \(outcome)")
      return
    }
    #expect(resolution.version.path == "b.md")
    #expect(try world.read("b.md", on: "mira") == "ONE\ntwo\nTHREE\n")
    #expect(!FileManager.default.fileExists(atPath: world.url("mira", "a.md").path))
    try world.exchange("mira", "tom")
    #expect(try world.read("b.md", on: "tom") == "ONE\ntwo\nTHREE\n")
    try world.expectSound("mira", "tom")
  }

  @Test(
    "The folder that one side gives it and the name of the other one are merged, as the texts are")
  func movedAndRenamed() async throws {
    try world.save("one\ntwo\nthree\n", as: "Work/c.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.store("mira").rename(world.url("mira", "Work/c.md"), to: "d.md")
    try world.save("ONE\ntwo\nthree\n", as: "Work/d.md", on: "mira")
    let folder = world.url("tom", "Done")
    try FileManager.default.moveItem(at: world.url("tom", "Work"), to: folder)
    try world.save("one\ntwo\nTHREE\n", as: "Done/c.md", on: "tom")
    try world.exchange("mira", "tom")
    let place = try #require(
      try world.store("mira").documentsInConflict(below: world.url("mira", "."))
    )
    .first { $0.lastPathComponent != "a.md" }
    let outcome = try await world.resolver(.merge, on: "mira").resolve(#require(place))
    guard case .resolved = outcome else {
      Issue.record("not resolved: \(outcome)")
      return
    }
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.read("Done/d.md", on: device) == "ONE\ntwo\nTHREE\n")
    }
    try world.expectSound("mira", "tom")
  }

  @Test("What is undone leaves the document the name that it was given since")
  func undone() async throws {
    _ = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", "a.md"))
    try rename("a.md", to: "b.md")
    let outcome = try world.store("mira").undo(world.url("mira", "b.md"))
    #expect(outcome.document.lastPathComponent == "b.md")
    #expect(outcome.conflicts.count == 1)
    #expect(try world.read("b.md", on: "mira") == "one\ntwo\nTHREE\n")
    #expect(!FileManager.default.fileExists(atPath: world.url("mira", "a.md").path))
  }

  @Test(
    "A document that is moved away while a question is open is not made anew",
    arguments: [true, false])
  func movedMeanwhile(isEdited: Bool) async throws {
    let (former, place) = (world.url("mira", "a.md"), world.url("mira", "notes/b.md"))
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let strategy = ResolutionStrategy.ask { question in
      try FileManager.default.moveItem(at: former, to: place)
      if isEdited { try Data("edited".utf8).write(to: place) }
      return .keep(question.conflict.versions[1].id)
    }
    let error = await #expect(throws: FileError.self) {
      try await world.resolver(strategy, on: "mira").resolve(former)
    }
    #expect(error?.code == .changing)
    #expect(!FileManager.default.fileExists(atPath: former.path))
    #expect(try world.history("notes/b.md", on: "mira").unresolvedConflicts.count == 1)
    #expect(
      try world.read("notes/b.md", on: "mira") == (isEdited ? "edited" : "one\ntwo\nTHREE\n"))
  }
}
