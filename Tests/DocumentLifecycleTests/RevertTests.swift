import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Reverting after others changed the document")
@MainActor
struct RevertTests {
  /// The kinds of writes by another program.
  enum Write: CaseIterable, Sendable { case version, file, unseen }

  @Test(
    "Reverting goes back to what was loaded or saved last, and never takes back what others wrote",
    arguments: Write.allCases, [false, true])
  func afterOthers(write: Write, isTyped: Bool) async throws {
    let desk = try Desk("line 1\nline 2\n")
    var environment = desk.environment
    environment.observesFiles = write != .unseen
    let note = Note(fileURL: desk.url, environment: environment)
    try await note.open()
    note.type("line 1 saved\nline 2\n")
    try await note.save()
    try desk.write("line 1 saved\nline 2\ntheirs\n")
    if write == .version { try await desk.store.save(desk.url) }
    if write != .unseen { #expect(try await comesTrue { note.text.contains("theirs") }) }
    let expected = try desk.text
    if isTyped, write != .unseen {
      note.type("typed\n" + note.text)
      note.undoManager?.endEvent()
      #expect(await note.autosave())
    }
    for _ in 1...2 {
      try await note.revert()
      #expect(note.text == expected)
      #expect(try desk.text == expected)
      #expect(note.state == [])
    }
    try await note.close()
    #expect(try desk.text == expected)
    #expect(
      try await desk.texts().contains { $0.hasPrefix("typed") } == (isTyped && write != .unseen))
  }

  @Test("Edits that the document found when it was opened stay when it is reverted")
  func editedBefore() async throws {
    let desk = try Desk("1")
    try await desk.store.save(desk.url)
    try desk.write("2")
    let note = desk.note()
    try await note.open()
    note.type("3")
    try await note.revert()
    #expect(note.text == "2")
    try await note.move(to: desk.scratch["desk/Plan.md"])
    note.type("4")
    try await note.revert()
    #expect(note.text == "2")
  }

  /// The steps that follow after a losing version was put in place.
  enum Order: CaseIterable, Sendable { case revertFirst, removeFirst, markFirst }

  @Test(
    "Each order of Apple’s steps to resolve a conflict ends with the version that the person picked",
    arguments: Order.allCases, [false, true])
  func picked(order: Order, presents: Bool) async throws {
    let desk = try Desk("line 1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    let first = try #require(try await desk.versions.first)
    note.type("mine\n")
    try await note.save()
    let copy = desk.scratch["copy.md"]
    try Data("theirs\n".utf8).write(to: copy)
    _ = try await desk.store.perform { [url = desk.url] in
      try $0.importCopy(copy, into: url, base: first)
    }
    let (url, store) = (desk.url, desk.store)
    let losers = try #require(try await FileVersion.unresolvedConflicts(of: url, store: store))
    let pick = try #require(losers.first)
    let wanted = String(decoding: try await pick.contents(), as: UTF8.self)

    let coordinator = FileCoordinator(filePresenter: presents ? note : nil)
    try await coordinator.coordinate(writingItemAt: url) { place in
      _ = try await pick.replaceItem(at: place)
      if order == .markFirst { for version in losers { try await version.markResolved() } }
    }
    if order != .removeFirst { try await note.revert() }
    try await coordinator.coordinate(writingItemAt: url) { place in
      try await FileVersion.removeOthers(of: place, store: store)
      if order != .markFirst { for version in losers { try await version.markResolved() } }
    }
    if order == .removeFirst { try await note.revert() }

    #expect(try await comesTrue { note.state == [] })
    #expect(note.text == wanted)
    #expect(try desk.text == wanted)
    #expect(try await FileVersion.unresolvedConflicts(of: url, store: store)?.isEmpty == true)
    #expect(note.errors.isEmpty)
    try await note.close()
    #expect(try desk.text == wanted)
  }
}
