import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Unexpected files, and changes at the wrong moment: the document has the documented state, throws typed
/// errors and loses nothing, and every call returns.
@Suite("Documents in trouble")
@MainActor
struct BadInputTests {
  private func open(_ desk: Desk) async throws -> Note {
    let note = desk.note()
    try await note.open()
    return note
  }

  @Test("A file that may not be read is refused", .enabled(if: geteuid() != 0))
  func unreadable() async throws {
    let desk = try Desk("1")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: desk.url.path)
    let note = desk.note()
    let error = await #expect(throws: FileError.self) { try await note.open() }
    #expect(error?.code == .notPermitted)
    #expect(note.state == .closed)
  }

  @Test("A file that is larger than what can be held is refused before it is read")
  func tooLarge() async throws {
    let desk = try Desk("")
    #expect(truncate(desk.url.path, 20 << 30) == 0)
    let note = desk.note()
    let error = await #expect(throws: FileError.self) { try await note.open() }
    #expect(error?.code == .tooLarge)
    #expect(note.state == .closed)
  }

  @Test("A place whose folder is missing, or is a file, is refused", arguments: [true, false])
  func noFolder(isFile: Bool) async throws {
    let desk = try Desk()
    let folder = desk.scratch["desk/Notes"]
    if isFile { try Data().write(to: folder) }
    let note = Note(
      fileURL: folder.appending(path: "Note.md"), environment: desk.environment)
    await #expect(throws: FileError.self) { try await note.open() }
    await #expect(throws: FileError.self) { try await note.create() }
    #expect(note.state == .closed)
  }

  @Test("Saving as a document where there can’t be one leaves the open one as it was")
  func saveAs() async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    try Data("other".utf8).write(to: desk.scratch["desk/Other.md"])
    for name in ["Missing/Note.md", "Other.md"] {
      let place = desk.scratch["desk/\(name)"]
      let error = await #expect(throws: FileError.self) {
        try await note.save(to: place, for: .creating)
      }
      #expect(error?.code == (name == "Other.md" ? .exists : .notFound))
      #expect(note.state == [] && note.fileURL == desk.url)
    }
    note.type("2")
    try await note.save()
    #expect(note.state == [])
    #expect(try desk.text == "2")
  }

  @Test("A file of no known type is bytes")
  func unknownType() async throws {
    let desk = try Desk("1", name: "Note.qqqq")
    let note = try await open(desk)
    #expect(note.fileType == "public.data")
    note.type("2")
    try await note.close()
    #expect(try desk.text == "2")
  }

  @Test(
    "Where showing what was changed elsewhere fails, the document shows what it had, and says so")
  func failingReload() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    note.failure = CocoaError(.fileReadCorruptFile)
    try desk.write("broken")
    #expect(try await comesTrue { note.lastError != nil })
    #expect(note.text == "1")
    #expect(note.isOpen)
    note.failure = nil
    try desk.write("2")
    #expect(try await comesTrue { note.text == "2" })
    try await note.close()
    #expect(try desk.text == "2")
  }

  @Test("Where reverting fails, what was typed is a version")
  func failingRevert() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    note.type("2")
    try await note.save()
    note.type("3")
    let first = try #require(try await desk.versions.last)
    note.failWhileLoading = CocoaError(.fileReadCorruptFile)
    await #expect(throws: CocoaError.self) { try await note.revert(to: first) }
    note.failWhileLoading = nil
    #expect(note.isOpen)
    // The file is that version already, and may be being loaded by now.
    #expect(
      try await comesTrue {
        note.state.isDisjoint(with: [.editingDisabled, .progressAvailable])
      })
    #expect(try await desk.texts().contains("3"))
    try await note.close()
    #expect(try await desk.texts().contains("3"))
  }

  @Test("Closing twice at the same time closes once")
  func closingTwice() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    let calls = (1...3).map { _ in Task { @MainActor in try await note.close() } }
    for call in calls { try await call.value }
    #expect(note.state == .closed)
    #expect(try desk.text == "2")
    #expect(try await desk.texts() == ["2", "1"])
  }

  @Test("A close that cannot save leaves the document open, with its changes")
  func failingClose() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    note.failure = CocoaError(.fileWriteOutOfSpace)
    await #expect(throws: CocoaError.self) { try await note.close() }
    #expect(note.state == .savingError)
    #expect(note.hasUnsavedChanges)
    note.failure = nil
    try await note.close()
    #expect(note.state == .closed)
    #expect(try desk.text == "2")
  }

  @Test(
    "Saving while the document is reverted, closed or moved loses nothing, and all calls return")
  func savingMeanwhile() async throws {
    var random = SeededGenerator(seed: 3)
    for round in 1...12 {
      let desk = try Desk("start")
      let note = try await open(desk)
      try await note.save()
      note.type("typed \(round)")
      let other = desk.scratch["desk/Plan.md"]
      let first = Task { @MainActor in
        switch round % 3 {
        case 0: try await note.revert()
        case 1: try await note.move(to: other)
        default: try await note.close()
        }
      }
      for _ in 0..<Int.random(in: 0..<8, using: &random) { await Task.yield() }
      do {
        try await note.save()
      } catch let error as DocumentError {
        // It was closed first, and saved by that.
        #expect(error.code == .closed)
      }
      try await first.value
      if note.isOpen { try await note.close() }
      var texts: [String] = []
      for version in try await desk.store.history(of: note.fileURL).versions {
        texts.append(String(decoding: try await version.contents(), as: UTF8.self))
      }
      #expect(texts.contains("typed \(round)"))
      #expect(note.state == .closed)
    }
  }

  @Test(
    "A package that is replaced by a file, and a file by a package, is no reason to lose anything")
  func otherKind() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    note.type("2")
    note.undoManager?.endEvent()
    try FileManager.default.removeItem(at: desk.url)
    try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: false)
    try Data("member".utf8).write(to: desk.url.appending(path: "member.txt"))
    await note.check()
    #expect(note.text == "2")
    #expect(note.isOpen)
    do {
      try await note.save()
      // It took the place of the folder, which is a version.
      let versions = try await desk.versions
      #expect(versions.contains { $0.isPackage })
      #expect(try desk.text == "2")
    } catch {
      #expect(note.state.contains(.savingError))
      #expect(note.hasUnsavedChanges)
      #expect(
        FileManager.default.fileExists(atPath: desk.url.appending(path: "member.txt").path))
    }
  }

  @Test("An app that forgets a document without closing it loses nothing, and nothing of it stays")
  func forgotten() async throws {
    let desk = try Desk("1")
    weak var forgotten: Note?
    do {
      let note = try await open(desk)
      note.type("2")
      note.undoManager?.endEvent()
      #expect(await note.autosave())
      note.type("3")
      forgotten = note
    }
    #expect(try await comesTrue { desk.clock.waiting == 1 })
    #expect(forgotten != nil)
    desk.clock.advance(.seconds(2))
    #expect(try await comesTrue { forgotten == nil })
    #expect(try await comesTrue { desk.clock.waiting == 0 })
    #expect(try desk.text == "3")
    let again = try await open(desk)
    #expect(again.text == "3")
    #expect(!again.hasUnsavedChanges)
    try await again.close()
  }
}
