import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// The sequences of calls on which an app's programmer relies.
///
/// Each line is a call with the state of the document at that moment; indented lines are accesses to the file.
@Suite("Sequences of calls")
@MainActor
struct TraceTests {
  private func note(_ desk: Desk) -> TracedNote {
    TracedNote(fileURL: desk.url, environment: desk.environment)
  }

  /// An open document with a version, and an empty log.
  private func opened(_ desk: Desk) async throws -> TracedNote {
    let note = note(desk)
    try await note.open()
    try await note.save()
    _ = note.log.take()
    return note
  }

  @Test("UL1: opening")
  func open() async throws {
    let desk = try Desk("1")
    let note = note(desk)
    note.recordStates()
    #expect(note.fileModificationDate == nil)
    try await note.record("open") { try await note.open() }
    #expect(note.fileModificationDate != nil)
    #expect(
      note.log.take() == """
        open: closed
          read on a file thread
        load opened: closed + progress
        open is over: normal
        """)
    try await note.close()
    #expect(
      await note.recordedStates == [
        "closed", "closed + progress", "closed", "normal", "editing disabled", "closed",
      ])
  }

  @Test("UL1: opening a document in conflict")
  func openInConflict() async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    try await makeConflict(desk)
    let note = note(desk)
    try await note.record("open") { try await note.open() }
    #expect(
      note.log.take() == """
        open: closed
          read on a file thread
        load opened: closed + progress
        open is over: in conflict
        """)
  }

  @Test("UL2: an edit, its undo, its redo, and the autosave when the person pauses")
  func edit() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    note.type("2")
    note.undoManager?.endEvent()
    #expect(note.hasUnsavedChanges)
    note.undoManager?.undo()
    #expect(!note.hasUnsavedChanges)
    note.undoManager?.redo()
    #expect(note.hasUnsavedChanges)
    #expect(note.log.text.isEmpty)
    #expect(try await comesTrue { desk.clock.waiting == 1 })
    desk.clock.advance(.seconds(2))
    #expect(try await comesTrue { !note.hasUnsavedChanges && note.state == [] })
    #expect(
      note.log.take() == """
        autosave: normal
        save for autosaving: normal
        contents: normal
        file attributes: normal
          write on a file thread, beside the document, which still holds “1”
        """)
  }

  @Test("UL3: saving over the document")
  func save() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    let before = try #require(note.fileModificationDate)
    #expect(try waitForLaterTimes(in: desk.scratch["desk"]))
    note.type("2")
    try await note.record("save") { try await note.save(note: "packed") }
    #expect(
      note.log.take() == """
        save: normal
        save for version(note: Optional("packed")): normal
        contents: normal
        file attributes: normal
          write on a file thread, beside the document, which still holds “1”
        save is over: normal
        """)
    #expect(try desk.text == "2")
    #expect(try #require(note.fileModificationDate) > before)
    #expect(!note.hasUnsavedChanges)
  }

  @Test("UL4: creating")
  func create() async throws {
    let desk = try Desk()
    let note = note(desk)
    try await note.record("create") { try await note.create() }
    #expect(
      note.log.take() == """
        create: closed
        save for creating: closed
        contents: closed
        file attributes: closed
          write on a file thread, beside the document, which is not there yet
        create is over: normal
        """)
    #expect(try await desk.versions.count == 1)
  }

  @Test("UL5: reverting")
  func revert() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    note.type("2")
    try await note.record("revert") { try await note.revert() }
    #expect(
      note.log.take() == """
        revert: normal
        disable editing: editing disabled
        save for discardableVersion: editing disabled
        contents: editing disabled
        file attributes: editing disabled
          write on a file thread, beside the document, which still holds “1”
          read on a file thread
        load reverted: editing disabled + progress
        enable editing: normal
        revert is over: normal
        """)
    #expect(note.text == "1")
    #expect(note.undoManager?.canUndo == false)
  }

  @Test("UL6: closing with changes, and without")
  func close() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    note.type("2")
    try await note.record("close") { try await note.close() }
    #expect(
      note.log.take() == """
        close: normal
        disable editing: editing disabled
        save for discardableVersion: editing disabled
        contents: editing disabled
        file attributes: editing disabled
          write on a file thread, beside the document, which still holds “1”
        enable editing: closed
        close is over: closed
        """)
    try await note.open()
    _ = note.log.take()
    try await note.record("close") { try await note.close() }
    #expect(
      note.log.take() == """
        close: normal
        disable editing: editing disabled
        enable editing: closed
        close is over: closed
        """)
  }

  @Test("UL8: another process writes the document")
  func changedElsewhere() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    let other = try Command.run("sh", ["-c", "printf 2 > \"$0\"", desk.url.path])
    #expect(other.exitCode == 0)
    #expect(try await comesTrue { note.text == "2" && note.state == [] })
    // The shell empties the file first, and that may have been noticed as well.
    let trace = note.log.take()
    let once = """
      disable editing: editing disabled
        read on a file thread
      load changedElsewhere: editing disabled + progress
      enable editing: normal
      """
    #expect(trace == once || trace == once + "\n" + once)
    #expect(!note.hasUnsavedChanges)
  }

  @Test("UL9: another process renames the document; nothing is loaded")
  func renamed() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    let place = desk.scratch["desk/Plan.md"]
    let other = try Command.run("mv", [desk.url.path, place.path])
    #expect(other.exitCode == 0)
    #expect(try await comesTrue { note.fileURL.lastPathComponent == "Plan.md" })
    #expect(note.log.take() == "")
    #expect(note.text == "1")
  }

  @Test("UL10: another process deletes the document; it is closed, and not saved")
  func deleted() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    let other = try Command.run("rm", [desk.url.path])
    #expect(other.exitCode == 0)
    await note.check()
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    note.note("deleted")
    #expect(note.log.take() == "deleted: closed")
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    #expect(try await desk.texts() == ["1"])
  }

  @Test("UL10: another process deletes the document under an edit; that is kept elsewhere")
  func deletedUnderAnEdit() async throws {
    let desk = try Desk("1")
    let note = try await opened(desk)
    note.type("2")
    note.undoManager?.endEvent()
    let other = try Command.run("rm", [desk.url.path])
    #expect(other.exitCode == 0)
    await note.check()
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(try await comesTrue { note.log.text.contains("handle") })
    #expect(note.log.text.hasSuffix("handle an error: closed"))
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    #expect(try await desk.texts() == ["2", "1"])
  }

  @Test("UL11: a conflict arrives, and is resolved on another device")
  func conflict() async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    let note = try await opened(desk)
    note.recordStates()
    note.type("mine\nline 2\nline 3\n")
    try await note.save()
    _ = note.log.take()
    try await importTheirs(desk)
    #expect(try await comesTrue { note.state == .inConflict })
    note.note("the conflict is there")
    _ = try await ConflictResolver(.merge, store: desk.store).resolve(desk.url)
    #expect(
      try await comesTrue { note.state == [] && note.text == "mine\nline 2\ntheirs\n" })
    note.note("the conflict is gone")
    // The file and the conflict change one after the other, and either may be noticed first.
    func trace(_ conflict: String) -> String {
      """
      the conflict is there: in conflict
      disable editing: \(conflict)editing disabled
        read on a file thread
      load changedElsewhere: \(conflict)editing disabled + progress
      enable editing: \(conflict.isEmpty ? "normal" : "in conflict")
      the conflict is gone: normal
      """
    }
    #expect([trace(""), trace("in conflict + ")].contains(note.log.take()))
    try await note.close()
    let states = await note.recordedStates
    #expect(states.filter { $0 == "in conflict" }.count >= 1)
    #expect(states.last == "closed")
  }

  /// A version of another device beside the present one, as an exchange brings it.
  private func importTheirs(_ desk: Desk) async throws {
    let first = try #require(try await desk.versions.last)
    let other = desk.scratch["other.md"]
    try Data("line 1\nline 2\ntheirs\n".utf8).write(to: other)
    _ = try await desk.store.perform { [url = desk.url] in
      try $0.importCopy(other, into: url, base: first)
    }
  }

  private func makeConflict(_ desk: Desk) async throws {
    try await desk.store.save(desk.url)
    try desk.write("mine\nline 2\nline 3\n")
    try await desk.store.save(desk.url)
    try await importTheirs(desk)
  }
}
