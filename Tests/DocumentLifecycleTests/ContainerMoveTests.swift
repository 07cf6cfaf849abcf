import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// An open document is moved to another container, by itself or by another part of the program: its versions go
/// along, and it goes on there.
@Suite("An open document that is moved to another container")
@MainActor
struct ContainerMoveTests {
  /// The state of the document before the move.
  enum Stage: String, CaseIterable, Sendable { case saved, autosaved, dirty, editedBefore }

  /// The way to move the document.
  enum Way: String, CaseIterable, Sendable { case document, version, insideAccess }

  /// Returns an open document with the text "2", after a version with "1".
  private func open(_ stage: Stage, on desk: Desk) async throws -> Note {
    let note = desk.note()
    if stage == .editedBefore {
      try await desk.store.save(desk.url)
      try desk.write("2")
      try await note.open()
      return note
    }
    try await note.open()
    try await note.save()
    note.type("2")
    note.undoManager?.endEvent()
    if stage == .saved { try await note.save() }
    if stage == .autosaved { #expect(await note.autosave()) }
    return note
  }

  /// Returns a place in another container.
  private func place(on desk: Desk) throws -> URL {
    let folder = desk.scratch["other"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "Plan.md")
  }

  private func move(_ note: Note, to place: URL, by way: Way) async throws {
    let (former, store) = (note.fileURL, note.environment.store)
    switch way {
    case .document: try await note.move(to: place)
    case .version: try await FileVersion.move(former, to: place, store: store)
    case .insideAccess:
      try await FileCoordinator().coordinate(
        writingItemAt: former, options: .forMoving, writingItemAt: place, options: .forReplacing
      ) {
        _ = try await FileVersion.move($0, to: $1, store: store)
      }
    }
  }

  private func texts(of place: URL, _ store: VersionStore) async throws -> [String] {
    var texts: [String] = []
    for version in try await store.history(of: place).versions where !version.isDeletion {
      texts.append(String(decoding: try await version.contents(), as: UTF8.self))
    }
    return texts
  }

  @Test(
    "Its versions go along, and what is typed next follows them",
    arguments: Stage.allCases, Way.allCases)
  func moved(_ stage: Stage, _ way: Way) async throws {
    let desk = try Desk("1")
    let note = try await open(stage, on: desk)
    let place = try place(on: desk)
    try await move(note, to: place, by: way)
    // Before the document has followed.
    note.type("3")
    note.undoManager?.endEvent()
    #expect(try await comesTrue { note.fileURL.path.hasSuffix("other/Plan.md") })
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
    #expect(try await desk.store.history(of: desk.url).current?.isDeletion == true)
    try await note.save()
    #expect(note.state == [])
    #expect(note.errors.isEmpty)
    #expect(note.undoManager?.canUndo == true)
    #expect(try String(contentsOf: place, encoding: .utf8) == "3")
    let texts = try await texts(of: place, desk.store)
    // Inside an access of the app, the document isn't asked to save, and goes on with what it has.
    let isKept = way != .insideAccess || stage != .dirty
    #expect(texts == (isKept ? ["3", "2", "2", "1"] : ["3", "1", "1"]))
    try await note.close()
    #expect(try await note.conflict() == nil)
  }

  @Test("Undo moves it back, with all versions")
  func undone() async throws {
    let desk = try Desk("1")
    let note = try await open(.dirty, on: desk)
    let place = try place(on: desk)
    try await note.move(to: place)
    try await note.close()
    try await desk.store.undo(place)
    #expect(try desk.text == "2")
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try await Set(texts(of: desk.url, desk.store)).isSuperset(of: ["1", "2"]))
  }

  @Test(
    "A document that is moved back by undo is saved first, and followed",
    arguments: [false, true])
  func movedBack(isInsideAccess: Bool) async throws {
    let desk = try Desk("1")
    let note = try await open(.saved, on: desk)
    let place = try place(on: desk)
    try await note.move(to: place)
    note.type("3")
    note.undoManager?.endEvent()
    let store = desk.store
    if isInsideAccess {
      let intents: [FileAccessIntent] = [
        .writingIntent(with: place, options: .forMoving),
        .writingIntent(with: desk.url, options: .forReplacing),
      ]
      _ = try await FileCoordinator().coordinate(with: intents) { try await store.undo(place) }
    } else {
      try await store.undo(place)
      #expect(try desk.text == "3")
    }
    #expect(try await comesTrue { note.fileURL.path.hasSuffix("desk/Note.md") })
    try await note.save()
    #expect(note.errors.isEmpty)
    #expect(note.state == [])
    #expect(try desk.text == "3")
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try await texts(of: desk.url, desk.store).first == "3")
    try await note.close()
  }

  @Test(
    "Cancelling the task that moves it leaves it where it is, or moves all of it",
    arguments: [false, true])
  func cancelled(isToOtherContainer: Bool) async throws {
    let desk = try Desk(String(repeating: "a tent\n", count: 10_000))
    let note = desk.note()
    try await note.open()
    try await note.save()
    let target = isToOtherContainer ? try place(on: desk) : desk.scratch["desk/Plan.md"]
    let places = [desk.url, target]
    var cancellations = 0
    for pause in [0, 0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 64] {
      let former = note.fileURL
      let place = try #require(places.first { $0.lastPathComponent != former.lastPathComponent })
      let text = "a map \(pause)"
      note.type(text)
      note.undoManager?.endEvent()
      try await note.save()
      let task = Task { try await note.move(to: place) }
      _ = await eventually(within: .milliseconds(pause)) { false }
      task.cancel()
      do { try await task.value } catch is CancellationError {
        cancellations += 1
        #expect(note.fileURL == former)
      }
      let present = note.fileURL
      #expect(present == former || present == place)
      let absent = try #require(places.first { $0.lastPathComponent != present.lastPathComponent })
      #expect(!FileManager.default.fileExists(atPath: absent.path), "\(pause)")
      #expect(try String(contentsOf: present, encoding: .utf8) == text)
      #expect(note.state == [])
      note.type(text + ", too")
      note.undoManager?.endEvent()
      try await note.save()
      #expect(try await texts(of: present, desk.store).first == text + ", too")
      #expect(try await note.conflict() == nil)
    }
    #expect(note.errors.isEmpty)
    #expect(cancellations >= 2)
    try await note.close()
  }

  @Test("What another program writes during the move is shown")
  func changedMeanwhile() async throws {
    let desk = try Desk("1")
    let note = try await open(.saved, on: desk)
    let place = try place(on: desk)
    try await FileVersion.move(desk.url, to: place, store: desk.store)
    try Data("theirs".utf8).write(to: place, options: .atomic)
    #expect(try await comesTrue { note.text == "theirs" })
    #expect(note.fileURL.path.hasSuffix("other/Plan.md"))
    #expect(!note.hasUnsavedChanges)
  }

  @Test("To another folder of its container, it is moved as a version, which undo reverts")
  func withinContainer() async throws {
    let desk = try Desk("1")
    let note = try await open(.saved, on: desk)
    let folder = desk.scratch["desk/Archive"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let place = folder.appending(path: "Plan.md")
    try await note.move(to: place)
    #expect(note.state == [])
    try await desk.store.undo(place)
    #expect(try await comesTrue { note.fileURL.path.hasSuffix("desk/Note.md") })
    #expect(note.text == "2")
  }
}
