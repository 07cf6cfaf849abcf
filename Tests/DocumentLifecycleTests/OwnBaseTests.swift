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

  /// The operations of another program that make a version of the file.
  enum Saver: CaseIterable, Sendable { case save, restore }

  @Test(
    "What was only autosaved over an arrival is an edit of it for every program",
    arguments: Operation.allCases, Saver.allCases)
  func autosaved(operation: Operation, saver: Saver) async throws {
    for text in ["one\ntwo\nthree\n", "one\ntwo\nthree\nmine\n", "one\nANN\n", "all new\n"] {
      let desk = try Desk()
      let note = try await note(desk, after: operation)
      #expect(try await comesTrue { note.text == Self.arrived })
      let shown = try #require(try await desk.versions.first)
      for typed in ["typed\n", text] {
        note.type(typed)
        note.undoManager?.endEvent()
        #expect(await note.autosave())
      }
      #expect(try await desk.versions.first == shown)
      switch saver {
      case .save: try await desk.store.save(desk.url)
      case .restore: try await desk.store.restore(shown)
      }
      let texts = try await desk.texts()
      let index = try #require(texts.firstIndex(of: text))
      #expect(try await desk.versions[index].parents == [shown.id])
      #expect(index == (saver == .save ? 0 : 1))
      #expect(try await note.conflict() == nil)
      try await note.close()
      #expect(try await desk.texts() == texts)
      #expect(try desk.text == texts[0])
    }
  }

  @Test(
    "What another program writes back over it is beside the arrival", arguments: Operation.allCases)
  func staleAfterAutosave(operation: Operation) async throws {
    let desk = try Desk()
    let note = try await note(desk, after: operation)
    #expect(try await comesTrue { note.text == Self.arrived })
    let shown = try #require(try await desk.versions.first)
    note.type(Self.arrived + "mine\n")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    // In place, so that the file is still the one that the document wrote.
    try Data((Self.former + "stale\n").utf8).write(to: desk.url)
    let outcome = try await desk.store.save(desk.url)
    #expect(outcome.version.parents != [shown.id])
    let known = try await desk.versions
    #expect(known.contains(shown))
    try await note.close()
    let kept = Set(try await desk.texts())
    #expect(kept.isSuperset(of: [Self.arrived, Self.arrived + "mine\n", Self.former + "stale\n"]))
    #expect(try await note.conflict() != nil)
  }
}
