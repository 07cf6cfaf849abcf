import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// A document saves what a person makes of the contents that it shows, however little of them stays.
@Suite("What an open document saves follows what it showed")
@MainActor
struct OwnBaseTests {
  /// The operations that write another version over the document.
  enum Operation: CaseIterable, Sendable { case exchange, restore, revert }

  private static let former = "one\ntwo\nthree\n"
  private static let arrived = "one\ntwo by Ann\nthree\nfrom Ann\n"

  /// Opens a document that then shows another version than before.
  private func note(_ desk: Desk, after operation: Operation) async throws -> Note {
    let (url, store) = (desk.url, desk.store)
    let (first, second) =
      operation == .exchange ? (Self.former, "") : (Self.arrived, Self.former)
    try desk.write(first)
    let version = try await store.save(url).version
    if operation == .exchange {
      let ann = VersionStore(identity: Identity(author: "Ann", device: "Ann’s laptop"))
      let (home, away) = (desk.scratch["desk"], desk.scratch["ann"])
      try FileManager.default.createDirectory(at: away, withIntermediateDirectories: true)
      func exchange() async throws {
        try await store.exchange(home, through: desk.scratch["shared"])
        try await ann.exchange(away, through: desk.scratch["shared"])
      }
      try await exchange()
      let note = desk.note()
      try await note.open()
      let place = away.appending(path: url.lastPathComponent)
      try Data(Self.arrived.utf8).write(to: place)
      try await ann.save(place)
      try await ann.exchange(away, through: desk.scratch["shared"])
      try await exchange()
      return note
    }
    try desk.write(second)
    try await store.save(url)
    let note = desk.note()
    try await note.open()
    if operation == .revert {
      try await note.revert(to: version)
    } else {
      try await store.restore(version)
    }
    return note
  }

  @Test(
    "What a person removes of an arrival is removed, without a conflict",
    arguments: Operation.allCases,
    [
      "one\ntwo\nthree\n", "one\ntwo\nthree\nmine\n", "one\ntwo by Ann\nthree\n", "one\nANN\n", "",
      "all new\n",
    ])
  func removed(operation: Operation, text: String) async throws {
    for isAutosaved in [false, true] {
      let desk = try Desk()
      let note = try await note(desk, after: operation)
      #expect(try await comesTrue { note.text == Self.arrived })
      let shown = try #require(try await desk.versions.first)
      note.type(text)
      note.undoManager?.endEvent()
      if isAutosaved {
        #expect(await note.autosave())
        try await note.close()
      } else {
        try await note.save()
      }
      let saved = try #require(try await desk.versions.first)
      #expect(saved.parents == [shown.id])
      #expect(try await note.conflict() == nil)
      #expect(try desk.text == text)
    }
  }

  @Test("What another program wrote back meanwhile is still beside the arrival")
  func stale() async throws {
    let desk = try Desk()
    let note = try await note(desk, after: .restore)
    #expect(try await comesTrue { note.text == Self.arrived })
    try desk.write(Self.former + "stale\n")
    #expect(try await comesTrue { note.text.contains("stale") })
    note.type(note.text + "typed\n")
    try await note.save()
    #expect(note.state == .inConflict)
    var sides: [String] = []
    for version in try #require(try await note.conflict()).versions {
      sides.append(String(decoding: try await version.contents(), as: UTF8.self))
    }
    #expect(Set(sides) == [Self.arrived, note.text])
  }
}
