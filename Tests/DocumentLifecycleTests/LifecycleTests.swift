import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("A document’s life")
@MainActor
struct LifecycleTests {
  @Test("Opening shows what is in the file, and a document that is only looked at gets no version")
  func openAndClose() async throws {
    let desk = try Desk("a tent\n")
    let note = desk.note()
    #expect(note.state == .closed)
    try await note.open()
    #expect(note.text == "a tent\n")
    #expect(note.state == [])
    #expect(note.localizedName == "Note")
    #expect(note.fileModificationDate != nil)
    try await note.close()
    #expect(note.state == .closed)
    #expect(note.calls == ["load opened", "disable", "enable"])
    #expect(try await desk.versions.isEmpty)
  }

  @Test("What is changed before opening gives way to what is in the file")
  func changedBeforeOpening() async throws {
    let desk = try Desk("a tent\n")
    let note = desk.note()
    note.type("a map\n")
    note.undoManager?.endEvent()
    try await note.open()
    #expect(note.text == "a tent\n")
    #expect(!note.hasUnsavedChanges)
    #expect(note.undoManager?.canUndo == false)
    try await note.close()
    #expect(try desk.text == "a tent\n")
  }

  @Test(
    "Of two calls that open at the same time one is refused, and nothing that is typed is replaced")
  func openedTwice() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    let second = Task { @MainActor in
      await Task.yield()
      try await note.open()
    }
    try await note.open()
    note.type("2")
    await #expect(throws: DocumentError.self) { try await second.value }
    #expect(note.text == "2")
    #expect(note.calls == ["load opened"])
    try await note.close()
    #expect(try desk.text == "2")
  }

  @Test("A new document is made with its first version, and never in the place of another item")
  func create() async throws {
    let desk = try Desk()
    let note = desk.note()
    try await note.create()
    #expect(note.isOpen)
    #expect(try desk.text == "")
    #expect(try await desk.versions.count == 1)
    try await note.close()
    let other = desk.note()
    await #expect(throws: FileError.self) { try await other.create() }
    #expect(!other.isOpen)
    #expect(try await desk.versions.count == 1)
  }

  @Test("Saving writes the file and makes one version; equal contents make none")
  func save() async throws {
    let desk = try Desk("a tent\n")
    let note = desk.note()
    try await note.open()
    note.type("a tent\na map\n")
    let version = try #require(try await note.save(note: "packed"))
    #expect(version.note == "packed")
    #expect(!note.hasUnsavedChanges)
    #expect(try desk.text == "a tent\na map\n")
    // The file had never been saved as a version: what it held is one, too.
    #expect(try await desk.texts() == ["a tent\na map\n", "a tent\n"])
    try await note.save()
    #expect(try await desk.versions.count == 2)
    try await note.close()
    #expect(try await desk.versions.count == 2)
  }

  @Test("What is typed during a save stays unsaved, and is in the next one")
  func typedMeanwhile() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.type("2")
    let saving = Task { @MainActor in try await note.save() }
    while !note.calls.contains("contents") { await Task.yield() }
    note.type("3")
    _ = try await saving.value
    #expect(note.hasUnsavedChanges)
    try await note.save()
    #expect(!note.hasUnsavedChanges)
    #expect(try desk.text == "3")
    #expect(try await desk.texts() == ["3", "2", "1"])
  }

  @Test("Saves never overtake each other")
  func order() async throws {
    let desk = try Desk("0")
    let note = desk.note()
    try await note.open()
    var saves: [Task<Void, any Error>] = []
    for number in 1...12 {
      note.type("\(number)")
      saves.append(Task { @MainActor in _ = try await note.save() })
      await Task.yield()
    }
    for save in saves { try await save.value }
    #expect(try desk.text == "12")
    #expect(try await desk.texts().first == "12")
  }

  @Test("Undoing all changes makes the document clean again, and redoing makes it unsaved")
  func undo() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    #expect(note.undoManager?.canUndo == false)
    note.type("2")
    note.undoManager?.endEvent()
    #expect(note.hasUnsavedChanges)
    #expect(note.undoManager?.undoMenuItemTitle == "Undo Text Change")
    note.undoManager?.undo()
    #expect(note.text == "1")
    #expect(!note.hasUnsavedChanges)
    note.undoManager?.redo()
    #expect(note.text == "2")
    #expect(note.hasUnsavedChanges)
    // Saved at 2: undoing leads away from what was saved.
    try await note.save()
    note.undoManager?.undo()
    #expect(note.hasUnsavedChanges)
    note.type("3")
    note.undoManager?.endEvent()
    #expect(note.hasUnsavedChanges)
    try await note.close()
    #expect(try desk.text == "3")
  }

  @Test(
    "Reverting brings back what was saved last, keeps what was typed as a version, and empties the undo stack"
  )
  func revert() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.type("2")
    try await note.save()
    note.type("3")
    try await note.revert()
    #expect(note.text == "2")
    #expect(try desk.text == "2")
    #expect(!note.hasUnsavedChanges)
    #expect(note.undoManager?.canUndo == false)
    #expect(try await desk.texts().contains("3"))
    #expect(
      note.calls.filter { $0 != "contents" } == [
        "load opened", "disable", "load reverted", "enable",
      ])
    let first = try #require(try await desk.versions.last)
    try await note.revert(to: first)
    #expect(note.text == "1")
    #expect(note.state == [])
  }

  @Test(
    "An error of loading leaves the document closed; one of writing leaves the changes in memory")
  func errors() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    note.failure = CocoaError(.fileReadCorruptFile)
    await #expect(throws: CocoaError.self) { try await note.open() }
    #expect(note.state == .closed)
    #expect(note.errors.count == 1)
    note.failure = nil
    try await note.open()
    note.type("2")
    note.failure = CocoaError(.fileWriteUnknown)
    await #expect(throws: CocoaError.self) { try await note.save() }
    #expect(note.state == .savingError)
    #expect(note.hasUnsavedChanges)
    #expect(try desk.text == "1")
    note.failure = nil
    try await note.save()
    #expect(note.state == [])
    #expect(try desk.text == "2")
  }

  @Test(
    "What can't be opened is refused with a typed error",
    arguments: ["missing", "link", "fifo", "unreadable format"])
  func unopenable(kind: String) async throws {
    let desk = try Desk()
    let path = desk.url.path
    switch kind {
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "x")
    case "fifo": #expect(mkfifo(path, 0o600) == 0)
    case "unreadable format":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    default: break
    }
    let note = desk.note()
    do {
      try await note.open()
      Issue.record("It was opened.")
    } catch {
      #expect(error is FileError || error is CocoaError)
    }
    #expect(!note.isOpen)
  }

  @Test("Calls in the wrong state are refused, and closing twice is no error")
  func wrongState() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    await #expect(throws: DocumentError.self) { try await note.save() }
    await #expect(throws: DocumentError.self) { try await note.revert() }
    try await note.open()
    await #expect(throws: DocumentError.self) { try await note.open() }
    try await note.close()
    try await note.close()
    await #expect(throws: DocumentError.self) { try await note.save() }
  }

  @Test("A document of a newer format is opened read-only, and is not changed")
  func newerFormat() async throws {
    let desk = try Desk("format 2\nsecret")
    let note = desk.note()
    try await note.open()
    #expect(note.state == .editingDisabled)
    note.type("format 1\n")
    note.undoManager?.endEvent()
    #expect(!note.hasUnsavedChanges)
    await #expect(throws: DocumentError.self) { try await note.save() }
    try await note.close()
    #expect(try desk.text == "format 2\nsecret")
  }

  @Test("States are reported in their order")
  func states() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    var seen: [DocumentState] = []
    let states = note.states
    try await note.open()
    try await note.close()
    for await state in states {
      seen.append(state)
      if seen.contains([]), state == .closed { break }
    }
    #expect(seen.first == .closed)
    #expect(seen.contains([]))
    #expect(seen.contains([.editingDisabled]))
    #expect(seen.last == .closed)
  }

  @Test(
    "Moving, renaming and duplicating: the object follows, and versions go along but with a copy")
  func move() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    note.type("2")
    try await note.save()
    try await note.move(to: desk.scratch["desk/Plan.md"])
    #expect(note.fileURL.lastPathComponent == "Plan.md")
    note.type("3")
    try await note.save()
    #expect(try await desk.store.history(of: note.fileURL).versions.count == 4)
    let copy = try await note.duplicate()
    #expect(copy.lastPathComponent == "Plan copy.md")
    #expect(try Data(contentsOf: copy) == Data("3".utf8))
    await #expect(throws: VersionError.self) { try await desk.store.history(of: copy) }
    try FileManager.default.createDirectory(
      at: desk.scratch["desk/Archive"], withIntermediateDirectories: false)
    try await note.move(to: desk.scratch["desk/Archive/Plan.md"])
    #expect(try await desk.store.history(of: note.fileURL).versions.count >= 4)
    note.type("4")
    try await note.close()
    #expect(try Data(contentsOf: desk.scratch["desk/Archive/Plan.md"]) == Data("4".utf8))
  }

  @Test("Deleting closes the document, and its versions stay")
  func delete() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    try await note.delete()
    #expect(note.state == .closed)
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    let last = try #require(try await desk.versions.first { !$0.isDeletion })
    #expect(try await last.contents() == Data("1".utf8))
  }

  @Test("States and versions are named in logs")
  func descriptions() async throws {
    #expect("\(DocumentState())" == "normal")
    #expect("\([.savingError, .inConflict] as DocumentState)" == "inConflict, savingError")
    let scratch = try ScratchFolder()
    let store = VersionStore(identity: Identity(author: "Mira", device: "laptop"))
    let version = try await store.save(scratch.write("one\n", to: "a.md")).version
    #expect("\(version)" == "\(version.persistentIdentifier) a.md (save, Mira, laptop)")
  }
}
