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

  /// The operations that end with other contents, or with none.
  enum Ending: CaseIterable, Sendable { case revert, close, delete, makeWay }

  @Test(
    "What is typed while an operation waits becomes a version before it",
    arguments: Ending.allCases, [false, true])
  func typedMeanwhile(ending: Ending, isOtherProgram: Bool) async throws {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    try await note.save()
    let (inside, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let (go, goOn) = AsyncStream.makeStream(of: Void.self)
    let semaphore = DispatchSemaphore(value: 0)
    let holding = Task {
      if isOtherProgram {
        try await FileCoordinator().coordinate(readingItemAt: desk.url) { _ in
          hasBegun.yield()
          for await _ in go { break }
        }
      } else {
        try await note.withFileAccess { _ in
          hasBegun.yield()
          semaphore.wait()
        }
      }
    }
    for await _ in inside { break }
    let ended = Task {
      switch ending {
      case .revert: try await note.revert()
      case .close: try await note.close()
      case .delete: try await note.delete()
      case .makeWay: try await note.accommodatePresentedItemDeletion()
      }
    }
    if isOtherProgram, [.revert, .delete].contains(ending) {
      #expect(try await comesTrue { try await AccessTests.isLocked(desk.url) })
    } else {
      for _ in 1...100 { await Task.yield() }
    }
    if note.isOpen {
      note.type("typed")
      note.undoManager?.endEvent()
    }
    let isTyped = note.hasUnsavedChanges
    goOn.yield()
    semaphore.signal()
    try await holding.value
    try await ended.value
    #expect(try await desk.texts().contains("typed") == isTyped)
    #expect(isTyped || isOtherProgram)
    let file = FileManager.default.contents(atPath: desk.url.path)
    let kept = String(decoding: file ?? Data(), as: UTF8.self)
    switch ending {
    case .revert:
      #expect(note.text == "1" && kept == "1" && !note.hasUnsavedChanges)
      #expect(note.state == [])
    case .close, .makeWay: #expect(!note.isOpen && kept == (isTyped ? "typed" : "1"))
    case .delete: #expect(!note.isOpen && file == nil)
    }
    let conflicts = try await FileVersion.unresolvedConflicts(of: desk.url, store: desk.store)
    #expect(conflicts?.isEmpty != false)
  }
}
