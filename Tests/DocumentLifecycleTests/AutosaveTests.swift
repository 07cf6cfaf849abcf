import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Saving by itself")
@MainActor
struct AutosaveTests {
  private func open(_ desk: Desk) async throws -> Note {
    let note = desk.note()
    try await note.open()
    return note
  }

  /// Types, and waits until the document waits for a pause.
  private func type(_ text: String, in note: Note, _ desk: Desk) async throws {
    note.type(text)
    note.undoManager?.endEvent()
    #expect(try await comesTrue { desk.clock.waiting == 1 })
  }

  @Test("After a pause the file is written, and no version is made")
  func idle() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await type("2", in: note, desk)
    desk.clock.advance(.seconds(1.9))
    #expect(note.hasUnsavedChanges)
    desk.clock.advance(.seconds(0.2))
    #expect(try await comesTrue { !note.hasUnsavedChanges })
    #expect(try desk.text == "2")
    // The file's contents without a version have become one.
    #expect(try await desk.texts() == ["1"])
    #expect(try await desk.store.state(of: desk.url) == .edited)
  }

  @Test("While a person types without a pause, the file is written every fifteen seconds")
  func latest() async throws {
    let desk = try Desk("0")
    let note = try await open(desk)
    for tick in 1...60 {
      note.type("\(tick)")
      note.undoManager?.endEvent()
      #expect(try await comesTrue { desk.clock.waiting == 1 })
      desk.clock.advance(.seconds(1))
      let isDue = tick % 15 == 0
      #expect(try await comesTrue { note.hasUnsavedChanges != isDue })
    }
    #expect(note.calls.count { $0 == "contents" } == 4)
  }

  @Test("Closing makes one version, which may be thrown away, of what was autosaved")
  func closing() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await type("2", in: note, desk)
    desk.clock.advance(.seconds(3))
    #expect(try await comesTrue { !note.hasUnsavedChanges })
    try await note.close()
    let versions = try await desk.versions
    #expect(try await desk.texts() == ["2", "1"])
    #expect(versions.map(\.isDiscardable) == [false, true])
    let again = try await open(desk)
    try await again.save()
    #expect(try await desk.versions.count == 2)
  }

  @Test("Ten minutes of editing are a version, which may be thrown away")
  func interval() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await type("2", in: note, desk)
    desk.clock.advance(.seconds(601))
    #expect(try await comesTrue { !note.hasUnsavedChanges })
    #expect(try await comesTrue { try await desk.texts() == ["2", "1"] })
    note.type("3")
    try await note.save()
    // The current version can't be thrown away; once another follows, it can.
    #expect(try await desk.versions.map(\.isDiscardable) == [false, true, true])
  }

  @Test("Undoing everything stops the autosave")
  func undone() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await type("2", in: note, desk)
    note.undoManager?.undo()
    #expect(try await comesTrue { desk.clock.waiting == 0 })
    #expect(!note.calls.contains("contents"))
  }

  @Test("An autosave that fails keeps the changes, says so, and is tried again")
  func failing() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.failure = CocoaError(.fileWriteOutOfSpace)
    try await type("2", in: note, desk)
    desk.clock.advance(.seconds(3))
    #expect(try await comesTrue { note.state.contains(.savingError) })
    #expect(note.hasUnsavedChanges)
    note.failure = nil
    #expect(try await comesTrue { desk.clock.waiting == 1 })
    desk.clock.advance(.seconds(3))
    #expect(try await comesTrue { !note.hasUnsavedChanges })
    #expect(try desk.text == "2")
    #expect(try await comesTrue { note.state == [] })
  }
}
