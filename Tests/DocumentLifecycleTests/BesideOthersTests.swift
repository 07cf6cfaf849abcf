import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Another program writes, removes or moves the file of a document that is being edited: nothing is lost, and the next
/// merge has the right base.
@Suite("An open document beside other programs")
@MainActor
struct BesideOthersTests {
  private func open(_ desk: Desk, isCoordinated: Bool = true) async throws -> Note {
    var environment = desk.environment
    environment.isCoordinated = isCoordinated
    let note = Note(fileURL: desk.url, environment: environment)
    try await note.open()
    return note
  }

  /// Types, and lets the document write the file, without a version.
  private func autosave(_ text: String, in note: Note) async {
    note.type(text)
    note.undoManager?.endEvent()
    #expect(await note.autosave())
  }

  // MARK: Autosaved, then written elsewhere

  @Test("An edit of what was autosaved is shown, without a conflict")
  func editAfterAutosave() async throws {
    let desk = try Desk("")
    let note = try await open(desk)
    try await note.save()
    await autosave("one\ntwo\nthree\n", in: note)
    try desk.write("one\nTWO\nthree\n")
    #expect(try await comesTrue { note.text == "one\nTWO\nthree\n" })
    #expect(!note.hasUnsavedChanges)
    try await note.close()
    #expect(try await note.conflict() == nil)
    #expect(try desk.text == "one\nTWO\nthree\n")
    #expect(try await desk.texts() == ["one\nTWO\nthree\n", "one\ntwo\nthree\n", ""])
    #expect(try await desk.versions.map(\.isDiscardable) == [false, true, false])
  }

  @Test("What was autosaved is the base of the next merge")
  func mergeAfterAutosave() async throws {
    let desk = try Desk("")
    let note = try await open(desk)
    try await note.save()
    await autosave("alpha\n\nbeta\n\ngamma\n", in: note)
    note.type("ALPHA\n\nbeta\n\ngamma\n")
    note.undoManager?.endEvent()
    try desk.write("alpha\n\nbeta\n\nGAMMA\n")
    await note.check()
    try await note.save()
    #expect(note.state == .inConflict)
    _ = try await note.resolve(.merge)
    #expect(note.text == "ALPHA\n\nbeta\n\nGAMMA\n")
  }

  @Test("A coordinated program had what was autosaved, even where its text shows nothing of that")
  func coordinatedAfterAutosave() async throws {
    let desk = try Desk("before\n")
    let note = try await open(desk)
    try await note.save()
    await autosave("before\nmine\n", in: note)
    try await FileCoordinator().coordinate(writingItemAt: desk.url) {
      try Data("before\n".utf8).write(to: $0)
    }
    #expect(try await comesTrue { note.text == "before\n" })
    try await note.close()
    #expect(try await note.conflict() == nil)
    #expect(try await desk.texts() == ["before\n", "before\nmine\n", "before\n"])
  }

  @Test("Saving an unedited document keeps what was autosaved and then replaced")
  func savedAfterReplacement() async throws {
    let desk = try Desk("1\n")
    var environment = desk.environment
    environment.observesFiles = false
    let note = Note(fileURL: desk.url, environment: environment)
    try await note.open()
    try await note.save()
    await autosave("1\nmine\n", in: note)
    try desk.write("theirs\n1\n")
    try await note.save()
    #expect(try await Set(desk.texts()) == ["1\n", "1\nmine\n", "theirs\n1\n"])
    // The document still shows its own text, so what follows is not an edit of theirs.
    note.type("1\nmine\nmore\n")
    note.undoManager?.endEvent()
    try await note.save()
    #expect(note.state == .inConflict)
    _ = try await note.resolve(.merge)
    #expect(note.text == "theirs\n1\nmine\nmore\n")
  }

  @Test("What was typed while the document was reverted is not written over the reverted version")
  func typedWhileReverting() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    let first = try #require(try await desk.versions.first)
    note.type("2")
    try await note.save()
    let reverting = Task { try await note.revert(to: first) }
    #expect(try await comesTrue { note.state.contains(.editingDisabled) })
    note.type("3")
    note.undoManager?.endEvent()
    let saving = Task { try await note.save() }
    try await reverting.value
    _ = try await saving.value
    #expect(note.text == "1")
    #expect(try desk.text == note.text)
  }

  // MARK: What was loaded

  @Test("What was loaded is the base of what is typed next")
  func loadedIsBase() async throws {
    let desk = try Desk("first\n")
    let note = try await open(desk)
    try await note.save()
    try desk.write("alpha\n\nbeta\n\ngamma\n")
    #expect(try await comesTrue { note.text.hasPrefix("alpha") })
    note.type("ALPHA\n\nbeta\n\ngamma\n")
    note.undoManager?.endEvent()
    try desk.write("alpha\n\nbeta\n\nGAMMA\n")
    try await note.save()
    _ = try await note.resolve(.merge(else: .latest))
    #expect(note.text == "ALPHA\n\nbeta\n\nGAMMA\n")
  }

  // MARK: Removed

  @Test(
    "What was not saved is a version where the file is removed", arguments: [false, true], [1, 2])
  func removed(isAutosaved: Bool, versions: Int) async throws {
    let desk = try Desk("1")
    let note = try await open(desk, isCoordinated: false)
    if versions == 2 { try await note.save() }
    if isAutosaved {
      await autosave("autosaved", in: note)
    } else {
      note.type("typed")
      note.undoManager?.endEvent()
    }
    try FileManager.default.removeItem(at: desk.url)
    await note.check()
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(try await desk.texts() == [isAutosaved ? "autosaved" : "typed", "1"])
    #expect(try await comesTrue { (note.errors.last as? DocumentError)?.code == .removed })
    #expect(note.errors.count == 1)
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    try await desk.store.restore(try #require(try await desk.versions.first))
    #expect(try desk.text == (isAutosaved ? "autosaved" : "typed"))
  }

  @Test(
    "A coordinated removal reports what was not saved", arguments: [nil, false, true] as [Bool?])
  func removedInAccess(isAutosaved: Bool?) async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    if isAutosaved == true { await autosave("2", in: note) }
    if isAutosaved == false { note.type("2") }
    try await FileCoordinator().coordinate(writingItemAt: desk.url, options: .forDeleting) {
      try FileManager.default.removeItem(at: $0)
    }
    #expect(try await comesTrue { !note.isOpen })
    let codes = note.errors.map { ($0 as? DocumentError)?.code }
    #expect(codes == (isAutosaved == nil ? [] : [.removed]))
    #expect(try await desk.texts() == (isAutosaved == nil ? ["1"] : ["2", "1"]))
  }

  @Test("What was not saved is a version where the file is removed and made anew")
  func madeAnew() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    await autosave("autosaved", in: note)
    note.type("typed")
    note.undoManager?.endEvent()
    try FileManager.default.removeItem(at: desk.url)
    try desk.write("new")
    await note.check()
    try await note.close()
    #expect(Set(try await desk.texts()) == ["1", "autosaved", "typed", "new"])
  }

  // MARK: Saving again

  @Test("A save that fails is tried again, after pauses that become longer")
  func savingAgain() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    note.failure = CocoaError(.fileWriteOutOfSpace)
    await #expect(throws: CocoaError.self) { try await note.save() }
    #expect(note.failedSaveCount == 1)
    var times: [Int] = []
    for second in 1...60 where note.failedSaveCount < 5 {
      let count = note.failedSaveCount
      #expect(try await comesTrue { desk.clock.waiting == 1 })
      desk.clock.advance(.seconds(1))
      await note.settle()
      if note.failedSaveCount > count { times.append(second) }
    }
    #expect(times == [2, 6, 14, 30])
    #expect(note.errors.count == 5)
    note.failure = nil
    desk.clock.advance(.seconds(32))
    #expect(try await comesTrue { note.state == [] && note.failedSaveCount == 0 })
    #expect(try desk.text == "2")
  }

  // MARK: Moving

  @Test("Moving to its own place is no change")
  func moveToItself() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    note.undoManager?.endEvent()
    try await note.move(to: desk.url)
    #expect(note.hasUnsavedChanges)
    #expect(try await desk.texts().count <= 1)
  }

  @Test("Moving to a place that is taken disturbs no document there")
  func moveToTakenPlace() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    let other = desk.scratch["desk/Plan.md"]
    try Data("plan".utf8).write(to: other)
    let plan = Note(fileURL: other, environment: desk.environment)
    try await plan.open()
    try await plan.save()
    note.type("2")
    note.undoManager?.endEvent()
    let error = await #expect(throws: FileError.self) { try await note.move(to: other) }
    #expect(error?.code == .exists)
    #expect(plan.isOpen)
    #expect(note.hasUnsavedChanges)
    #expect(note.fileURL == desk.url)
    #expect(try Data(contentsOf: other) == Data("plan".utf8))
  }

  @Test("A document shows what others write in a folder that takes the place of its own")
  func replacedFolder() async throws {
    let desk = try Desk()
    let files = FileManager.default
    let folder = desk.scratch["desk/in"]
    func fill(_ folder: URL, with text: String) throws {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: folder.appending(path: "Note.md"), options: .atomic)
    }
    try fill(folder, with: "1\n")
    let note = Note(fileURL: folder.appending(path: "Note.md"), environment: desk.environment)
    try await note.open()
    try fill(desk.scratch["new"], with: "2\n")
    try files.moveItem(at: folder, to: desk.scratch["away"])
    try files.moveItem(at: desk.scratch["new"], to: folder)
    #expect(try await comesTrue { note.text == "2\n" })
    for text in ["3\n", "4\n"] {
      try fill(folder, with: text)
      #expect(try await comesTrue { note.text == text })
    }
    #expect(note.errors.isEmpty)
  }

  @Test(
    "A document goes with its file if another one takes its name, saved before that or not",
    arguments: [false, true], [false, true])
  func exchanged(isTyped: Bool, isSaved: Bool) async throws {
    let desk = try Desk("1\n")
    let other = desk.scratch["desk/Other.md"]
    try Data("other\n".utf8).write(to: other)
    try await desk.store.save(other)
    let note = try await open(desk)
    try await note.save()
    if isTyped { note.type("1\nmine\n") }
    let aside = desk.scratch["desk/aside"]
    for (item, place) in [(desk.url, aside), (other, desk.url), (aside, other)] {
      #expect(rename(item.path, place.path) == 0)
    }
    if isSaved {
      for outcome in await desk.store.saveEach([desk.url, other]) { _ = try outcome.get() }
    }
    #expect(try await comesTrue { note.fileURL.lastPathComponent == "Other.md" })
    if !isTyped { note.type("1\nmine\n") }
    try await note.save()
    #expect(try desk.text == "other\n")
    #expect(try String(decoding: Data(contentsOf: other), as: UTF8.self) == "1\nmine\n")
    #expect(try await desk.versions.allSatisfy { $0.parents.count <= 1 })
    #expect(try await desk.store.history(of: other).unresolvedConflicts.isEmpty)
    #expect(note.errors.isEmpty)
  }

  @Test("A document goes with its file if a new one takes its name", arguments: [false, true])
  func succeeded(isTyped: Bool) async throws {
    let desk = try Desk("47\n", name: "week.md")
    let note = try await open(desk)
    try await note.save()
    if isTyped { note.type("47\nmine\n") }
    let place = desk.scratch["desk/week-47.md"]
    #expect(rename(desk.url.path, place.path) == 0)
    try Data("48\n".utf8).write(to: desk.url)
    #expect(try await comesTrue { note.fileURL.lastPathComponent == "week-47.md" })
    if !isTyped { note.type("47\nmine\n") }
    try await note.save()
    #expect(try desk.text == "48\n")
    #expect(try String(decoding: Data(contentsOf: place), as: UTF8.self) == "47\nmine\n")
    #expect(note.errors.isEmpty)
  }
}
