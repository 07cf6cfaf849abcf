import DocumentFiles
import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Renamed in a conflict")
struct RenamedInConflictTests {
  private let office: Office

  init() throws {
    office = try Office()
    try office.disagree(
      base: "one\ntwo\nthree\n", mira: "ONE\ntwo\nthree\n", tom: "one\ntwo\nTHREE\n")
  }

  private func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(at: office.url("mira", name), to: office.url("mira", other))
  }

  @Test(
    "The name that somebody gave the document stays, also where it is told by the former one",
    arguments: ["b.md", "a.md"])
  func keepsName(told: String) async throws {
    try rename("a.md", to: "b.md")
    let outcome = try await office.resolver(.merge, on: "mira").resolve(office.url("mira", told))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("not resolved: \(outcome)")
      return
    }
    #expect(resolution.version.path == "b.md")
    #expect(try office.read("b.md", on: "mira") == "ONE\ntwo\nTHREE\n")
    #expect(!FileManager.default.fileExists(atPath: office.url("mira", "a.md").path))
    try office.exchange("mira", "tom")
    #expect(try office.read("b.md", on: "tom") == "ONE\ntwo\nTHREE\n")
    try office.expectSound("mira", "tom")
  }

  @Test("What is undone leaves the document the name that it was given since")
  func undone() async throws {
    _ = try await office.resolver(.merge, on: "mira").resolve(office.url("mira", "a.md"))
    try rename("a.md", to: "b.md")
    let outcome = try office.store("mira").undo(office.url("mira", "b.md"))
    #expect(outcome.document.lastPathComponent == "b.md")
    #expect(outcome.conflicts.count == 1)
    #expect(try office.read("b.md", on: "mira") == "one\ntwo\nTHREE\n")
    #expect(!FileManager.default.fileExists(atPath: office.url("mira", "a.md").path))
  }

  @Test(
    "A document that is moved away while somebody answers is not made anew",
    arguments: [true, false])
  func movedMeanwhile(isEdited: Bool) async throws {
    let (former, place) = (office.url("mira", "a.md"), office.url("mira", "notes/b.md"))
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let strategy = ResolutionStrategy.ask { question in
      try FileManager.default.moveItem(at: former, to: place)
      if isEdited { try Data("edited".utf8).write(to: place) }
      return .keep(question.versions[1].id)
    }
    let error = await #expect(throws: FileError.self) {
      try await office.resolver(strategy, on: "mira").resolve(former)
    }
    #expect(error?.code == .changing)
    #expect(!FileManager.default.fileExists(atPath: former.path))
    #expect(try office.history("notes/b.md", on: "mira").unresolvedConflicts.count == 1)
    #expect(
      try office.read("notes/b.md", on: "mira") == (isEdited ? "edited" : "one\ntwo\nTHREE\n"))
  }
}
