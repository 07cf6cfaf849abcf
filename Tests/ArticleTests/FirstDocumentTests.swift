import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The code of the article “Your first document class”, compiled and run.
@Suite("Your first document class")
@MainActor
struct FirstDocumentTests {
  final class Note: Document {
    var text = "" { didSet { if text != oldValue { updateChangeCount(.done) } } }

    override func contents(forType type: String) throws -> DocumentContents {
      .data(Data(text.utf8))
    }

    override func load(
      _ contents: DocumentContents, ofType type: String, because reason: LoadReason
    ) throws {
      if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
    }
  }

  final class UndoableNote: Document {
    private(set) var text = ""

    override func contents(forType type: String) throws -> DocumentContents {
      .data(Data(text.utf8))
    }

    override func load(
      _ contents: DocumentContents, ofType type: String, because reason: LoadReason
    ) throws {
      if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
    }

    func setText(_ new: String) {
      let old = text
      undoManager?.registerUndo(withTarget: self) { $0.setText(old) }
      undoManager?.setActionName("Text Change")
      text = new
    }
  }

  @Test("The article’s code runs")
  func article() async throws {
    let scratch = try ScratchFolder()
    let folder = scratch.url

    let place = try DocumentName.unused(in: folder, prefix: "Note", pathExtension: "md")
    let note = Note(fileURL: place)
    try await note.create()

    note.text = "Tent\n"
    try await note.save(note: "first list")
    try await note.close()

    try await note.open()

    if note.state.contains(.inConflict) {
      try await note.resolve(.merge(else: .latest))
    }
    #expect(note.text == "Tent\n")
    #expect(!note.hasUnsavedChanges)
    try await note.close()

    let undoable = UndoableNote(fileURL: place)
    try await undoable.open()
    undoable.setText("Tent\nStove\n")
    undoable.undoManager?.endEvent()
    #expect(undoable.hasUnsavedChanges)
    undoable.undoManager?.undo()
    #expect(!undoable.hasUnsavedChanges)
    #expect(undoable.text == "Tent\n")
  }
}
