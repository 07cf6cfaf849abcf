import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("What others do to an open document")
@MainActor
struct OthersTests {
  private func open(_ desk: Desk) async throws -> Note {
    let note = desk.note()
    try await note.open()
    return note
  }

  @Test("A clean document shows what another program writes")
  func changedWhileClean() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try desk.write("2")
    #expect(try await comesTrue { note.text == "2" })
    #expect(note.calls.contains("load changedElsewhere"))
    #expect(!note.hasUnsavedChanges)
    #expect(note.undoManager?.canUndo == false)
  }

  @Test(
    "What another program writes under unsaved changes is a version, and the save a conflict beside it"
  )
  func changedWhileDirty() async throws {
    let desk = try Desk("line 1\n")
    let note = try await open(desk)
    try await note.save()
    note.type("line 1\nmine\n")
    try desk.write("theirs\nline 1\n")
    await note.check()
    #expect(note.text == "line 1\nmine\n")
    try await note.save()
    #expect(note.state == .inConflict)
    #expect(try desk.text == "line 1\nmine\n")
    let outcome = try await note.resolve(.merge)
    guard case .resolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(note.state == [])
    #expect(note.text == "theirs\nline 1\nmine\n")
    #expect(try desk.text == note.text)
    #expect(note.calls.contains("load resolved"))
  }

  @Test(
    "So it is where the document had no version before, and is replaced right after the first change"
  )
  func changedWithoutVersion() async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    let note = try await open(desk)
    note.type("mine\nline 2\nline 3\n")
    note.undoManager?.endEvent()
    try desk.write("line 1\nline 2\ntheirs\n")
    try await note.save()
    #expect(note.state == .inConflict)
    let texts = try await desk.texts()
    #expect(
      texts.sorted() == [
        "line 1\nline 2\nline 3\n", "line 1\nline 2\ntheirs\n", "mine\nline 2\nline 3\n",
      ])
    _ = try await note.resolve(.merge(else: .latest))
    #expect(note.state == [])
  }

  @Test(
    "What was autosaved is not lost when another program replaces the file before it is a version")
  func changedAfterAutosave() async throws {
    let desk = try Desk("line 1\n")
    let note = try await open(desk)
    try await note.save()
    note.type("line 1\nmine\n")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    try desk.write("theirs\nline 1\n")
    await note.check()
    try await note.close()
    let texts = try await desk.texts()
    #expect(Set(texts) == ["line 1\n", "line 1\nmine\n", "theirs\nline 1\n"])
    #expect(try await FileVersion.unresolvedConflicts(of: desk.url, store: desk.store)?.count == 1)
  }

  @Test(
    "A rename outside is followed, with all versions", arguments: ["Plan.md", "Archive/Note.md"])
  func renamed(name: String) async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    let place = desk.scratch["desk/\(name)"]
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: desk.url, to: place)
    #expect(try await comesTrue { note.fileURL.path.hasSuffix(name) })
    note.type("2")
    try await note.close()
    #expect(try Data(contentsOf: place) == Data("2".utf8))
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    #expect(try await desk.store.history(of: place).versions.count >= 2)
  }

  @Test(
    "A file that was moved and changed is loaded again, or kept beside unsaved changes",
    arguments: [false, true])
  func movedAndChanged(isDirty: Bool) async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    let note = try await open(desk)
    try await note.save()
    if isDirty { note.type("mine\nline 2\nline 3\n") }
    let place = desk.scratch["desk/Plan.md"]
    let handle = try FileHandle(forUpdating: desk.url)
    try FileManager.default.moveItem(at: desk.url, to: place)
    // In the same file, by which the document is known.
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("theirs\n".utf8))
    try handle.close()
    await note.check()
    if isDirty {
      try await note.save()
      #expect(note.state == .inConflict)
      _ = try await note.resolve(.merge)
      #expect(note.text == "mine\nline 2\nline 3\ntheirs\n")
    } else {
      #expect(try await comesTrue { note.text == "line 1\nline 2\nline 3\ntheirs\n" })
    }
    #expect(note.fileURL.lastPathComponent == "Plan.md")
    #expect(try String(contentsOf: place, encoding: .utf8) == note.text)
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
  }

  @Test(
    "A document that is deleted outside closes, and is never written again",
    arguments: [false, true])
  func deleted(isDirty: Bool) async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    if isDirty {
      note.type("2")
      note.undoManager?.endEvent()
    }
    try FileManager.default.removeItem(at: desk.url)
    await note.check()
    #expect(note.isOpen)
    if isDirty { await #expect(throws: FileError.self) { try await note.save() } }
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
  }

  @Test("Another file that gets the number of a removed one is not taken for it")
  func reusedNumber() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    note.undoManager?.endEvent()
    try FileManager.default.removeItem(at: desk.url)
    // Most file systems give the inode number to one of the next files.
    for name in 1...20 { try Data("other".utf8).write(to: desk.scratch["desk/Other \(name).md"]) }
    await note.check()
    #expect(note.fileURL == desk.url)
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(try await desk.texts().contains("2"))
  }

  @Test("An autosaved document is followed into another folder, with its versions")
  func movedToAnotherFolder() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    note.type("2")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    let place = desk.scratch["desk/sub/Note.md"]
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: desk.url, to: place)
    await note.check()
    #expect(note.fileURL.path == place.path)
    try await note.save()
    let history = try await desk.store.history(of: place)
    #expect(history.versions.count == 2)
    #expect(try Data(contentsOf: place) == Data("2".utf8))
  }

  @Test("A document that is deleted is not taken for its copy", arguments: [false, true])
  func deletedBesideItsCopy(isCopyElsewhere: Bool) async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try await note.save()
    var copy = try await note.duplicate()
    if isCopyElsewhere {
      let place = desk.scratch["desk/sub/Other.md"]
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: copy, to: place)
      copy = place
    }
    try FileManager.default.removeItem(at: desk.url)
    note.type("2")
    note.undoManager?.endEvent()
    await note.check()
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(note.fileURL.path == desk.url.path)
    #expect(try Data(contentsOf: copy) == Data("1".utf8))
    #expect(try await desk.texts().contains("2"))
  }

  @Test("A file that an editor removes for a moment is not deleted")
  func replaced() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    try FileManager.default.removeItem(at: desk.url)
    await note.check()
    try desk.write("2")
    #expect(try await comesTrue { note.text == "2" })
    desk.clock.advance(.seconds(5))
    await note.check()
    #expect(note.isOpen)
  }

  @Test("A conflict that arrives sets the state, and one that is resolved elsewhere clears it")
  func arrivingConflict() async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    let note = try await open(desk)
    try await note.save()
    let first = try #require(try await desk.versions.first)
    note.type("mine\nline 2\nline 3\n")
    try await note.save()
    // Beside this object, as an exchange does: another version made from the first.
    let other = desk.scratch["other.md"]
    try Data("line 1\nline 2\ntheirs\n".utf8).write(to: other)
    _ = try await desk.store.perform { [url = desk.url] in
      try $0.importCopy(other, into: url, base: first)
    }
    #expect(try await comesTrue { note.state == .inConflict })
    #expect(try await note.conflict()?.versions.count == 2)
    _ = try await ConflictResolver(.merge, store: desk.store).resolve(desk.url)
    #expect(try await comesTrue { note.state == [] && note.text == "mine\nline 2\ntheirs\n" })
  }

  @Test("A folder in the document’s place is an error, and nothing is lost")
  func folderInstead() async throws {
    let desk = try Desk("1")
    let note = try await open(desk)
    note.type("2")
    note.undoManager?.endEvent()
    try FileManager.default.removeItem(at: desk.url)
    try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: false)
    do {
      try await note.save()
    } catch {
      #expect(note.state.contains(.savingError))
      #expect(note.hasUnsavedChanges)
    }
    #expect(note.text == "2")
    var isFolder = ObjCBool(false)
    #expect(FileManager.default.fileExists(atPath: desk.url.path, isDirectory: &isFolder))
  }

  @Test("A folder that is not a package is neither opened nor replaced", arguments: [false, true])
  func plainFolder(isContainer: Bool) async throws {
    let desk = try Desk(name: "Notes")
    try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: false)
    let member = desk.url.appending(path: "a.md")
    try Data("a".utf8).write(to: member)
    if isContainer { try await desk.store.save(member) }
    let note = desk.note()
    let error = await #expect(throws: FileError.self) { try await note.open() }
    #expect(error?.code == .unsupportedKind)
    #expect(!note.isOpen)
    #expect(try Data(contentsOf: member) == Data("a".utf8))
  }

  @Test("A folder that takes the place of the file is not replaced, whatever its extension")
  func folderOfOthers() async throws {
    for name in ["Note.md", "Note.other"] {
      let desk = try Desk("1", name: name)
      let note = try await open(desk)
      try await note.save()
      try FileManager.default.removeItem(at: desk.url)
      try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: false)
      let member = desk.url.appending(path: "member.txt~")
      try Data("theirs".utf8).write(to: member)
      note.type("2")
      note.undoManager?.endEvent()
      await #expect(throws: FileError.self) { try await note.save() }
      #expect(note.state.contains(.savingError))
      #expect(try Data(contentsOf: member) == Data("theirs".utf8))
    }
  }

  @Test("Two objects on one file see each other’s saves, and none takes back the other’s")
  func twoObjects() async throws {
    let desk = try Desk("line 1\nline 2\nline 3\n")
    let (one, two) = (try await open(desk), try await open(desk))
    one.type("one\nline 2\nline 3\n")
    try await one.save()
    // Where the machine is busy, an object waits for the other one, and checks again a second later.
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return two.text == "one\nline 2\nline 3\n"
      })
    one.type("one more\nline 2\nline 3\n")
    two.type("one\nline 2\ntwo\n")
    try await one.save()
    try await two.save()
    #expect(two.state == .inConflict)
    _ = try await two.resolve(.merge)
    #expect(two.text == "one more\nline 2\ntwo\n")
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return one.text == two.text && one.state == []
      })
    try await one.close()
    try await two.close()
    #expect(try desk.text == "one more\nline 2\ntwo\n")
  }

  @Test("Whenever others write, nothing that is typed is lost")
  func typedMeanwhile() async throws {
    var random = SeededGenerator(seed: 7)
    for _ in 1...20 {
      let desk = try Desk("start\n")
      let note = try await open(desk)
      try await note.save()
      var typed: [String] = []
      var written: [String] = []
      for step in 1...6 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          written.append("theirs \(step)")
          try desk.write(written.joined(separator: "\n") + "\n")
        case 1: _ = try await note.save()
        case 2: for _ in 0..<Int.random(in: 0..<6, using: &random) { await Task.yield() }
        default:
          typed.append("mine \(step)")
          note.type(note.text + "mine \(step)\n")
        }
      }
      try await note.close()
      let all = try await desk.texts().joined()
      for line in typed { #expect(all.contains(line + "\n"), "\(line) of \(typed), \(written)") }
      // The last written contents may be only in the file.
      let last = written.last.map { all.contains($0) }
      #expect(try last != false || desk.text.contains(written[written.count - 1]))
    }
  }
}
