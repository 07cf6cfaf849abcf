import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Changes in undo groups that are still open")
@MainActor
struct OpenGroupTests {
  /// What an app does with the undo manager in the same turn as a change.
  enum Step: CaseIterable, Sendable {
    case removeAll, removeTarget, removeManager, replaceManager

    @MainActor func perform(on note: Note) {
      switch self {
      case .removeAll: note.undoManager?.removeAllActions()
      case .removeTarget: note.undoManager?.removeAllActions(withTarget: note)
      case .removeManager: note.undoManager = nil
      case .replaceManager: note.undoManager = DocumentUndoManager()
      }
    }
  }

  @Test("A change counts even if it can no longer be undone", arguments: Step.allCases)
  func cannotBeUndone(step: Step) async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.type("2")
    step.perform(on: note)
    #expect(note.hasUnsavedChanges)
    try await note.close()
    #expect(try desk.text == "2")
    #expect(try await desk.texts().contains("2"))
  }

  /// The operations that need all changes.
  enum Operation: CaseIterable, Sendable { case save, close, forOthers, revert }

  @Test(
    "A group that the app has opened takes part in each operation", arguments: Operation.allCases)
  func explicit(operation: Operation) async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.undoManager?.groupsByEvent = false
    note.undoManager?.beginUndoGrouping()
    note.type("2")
    #expect(note.hasUnsavedChanges)
    switch operation {
    case .save: #expect(try await note.save() != nil)
    case .close: try await note.close()
    case .forOthers: try await note.savePresentedItemChanges()
    case .revert: try await note.revert()
    }
    #expect(try desk.text == (operation == .revert ? "1" : "2"))
    if operation != .forOthers { #expect(try await desk.texts().contains("2")) }
    // The end that the app still calls has no effect.
    note.undoManager?.endUndoGrouping()
    #expect(!note.hasUnsavedChanges)
  }

  @Test("A setter that counts changes itself counts an undo once")
  func countedTwice() async throws {
    let desk = try Desk("1")
    let note = CountingNote(fileURL: desk.url, environment: desk.environment)
    try await note.open()
    note.type("2")
    try await note.save()
    note.undoManager?.undo()
    #expect(note.text == "1" && note.hasUnsavedChanges)
    try await note.close()
    #expect(try desk.text == "1")
  }

  /// A note that counts each change of its text, beside registering how to undo it.
  @MainActor
  private final class CountingNote: Document {
    var text = "" { didSet { if text != oldValue { updateChangeCount(.done) } } }

    func type(_ new: String) {
      let old = text
      undoManager?.registerUndo(withTarget: self) { $0.type(old) }
      text = new
    }

    override func contents(forType type: String) throws -> DocumentContents {
      .data(Data(text.utf8))
    }

    override func load(
      _ contents: DocumentContents, ofType type: String, because reason: LoadReason
    ) throws {
      if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
    }
  }

  @Test("Editing stays disabled until the last of several reverts has ended")
  func twoReverts() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.type("2")
    let reverts = (1...2).map { _ in Task { try await note.revert() } }
    for revert in reverts { try await revert.value }
    #expect(note.state == [])
    #expect(note.calls.filter { ["disable", "enable"].contains($0) } == ["disable", "enable"])
    #expect(try await desk.texts().contains("2"))
    #expect(note.text == "1")
  }
}
