import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Accesses around edits and tasks")
@MainActor
struct AccessTests {
  /// The kinds of access inside which the document is edited.
  enum Kind: CaseIterable, Sendable { case readsIt, writesIt, mergesIt, writesOther, writesBoth }

  @Test(
    "An edit inside an access is autosaved, whether that is due during the access or afterward",
    arguments: Kind.allCases, [false, true])
  func editInside(kind: Kind, isDueInside: Bool) async throws {
    let desk = try Desk("1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    let other = desk.scratch["desk/Other.md"]
    let intents: [FileAccessIntent] =
      switch kind {
      case .readsIt: [.readingIntent(with: desk.url)]
      case .writesIt: [.writingIntent(with: desk.url)]
      case .mergesIt: [.writingIntent(with: desk.url, options: .forMerging)]
      case .writesOther: [.writingIntent(with: other)]
      case .writesBoth: [.writingIntent(with: desk.url), .writingIntent(with: other)]
      }
    try await FileCoordinator().coordinate(with: intents) { @MainActor in
      note.type("1\nmine\n")
      note.undoManager?.endEvent()
      if isDueInside {
        desk.clock.advance(.seconds(2))
        for _ in 1...100 { await Task.yield() }
      }
    }
    desk.clock.advance(.seconds(2))
    #expect(try await comesTrue { try desk.text == "1\nmine\n" })
    #expect(try await comesTrue { note.state == [] && !note.hasUnsavedChanges })
    #expect(note.errors.isEmpty)
  }

  @Test("A task that outlasts the access that started it makes accesses of its own")
  func outlasting() async throws {
    let desk = try Desk("1\n")
    let url = desk.url
    let (signal, goOn) = AsyncStream.makeStream(of: Void.self)
    let coordinator = FileCoordinator()
    let task = try await coordinator.coordinate(writingItemAt: url) { _ in
      Task {
        for await _ in signal { break }
        #expect(throws: CoordinationError.self) {
          try coordinator.item(at: url, didMoveTo: url.appendingPathExtension("old"))
        }
        try await FileCoordinator().coordinate(writingItemAt: url) { _ in }
        try await coordinator.coordinate(writingItemAt: url) { _ in }
      }
    }
    goOn.yield()
    try await task.value
  }

  @Test("A document that waits to be moved saves what is typed for the program that it waits for")
  func movedDuringRequest() async throws {
    let desk = try Desk("1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    // Its lock comes before the document's.
    let place = desk.scratch["desk/A.md"]
    var isMoved = false
    var moving: Task<Void, any Error>?
    note.onRequest = {
      moving = Task {
        try await note.move(to: place)
        isMoved = true
      }
      let isWaiting = try await comesTrue {
        let isLocked = try await Self.isLocked(place)
        return isMoved || isLocked
      }
      #expect(isWaiting)
      note.type("1\n2\n")
      note.undoManager?.endEvent()
    }
    try await FileCoordinator(patience: .generous).coordinate(readingItemAt: desk.url) { _ in }
    try await moving?.value
    #expect(note.fileURL == place)
    #expect(try String(contentsOf: place, encoding: .utf8) == "1\n2\n")
  }

  /// Returns whether an access to an item would wait for another one.
  nonisolated static func isLocked(_ url: URL) async throws -> Bool {
    try await Task.detached {
      do {
        try await FileCoordinator(patience: .zero).coordinate(
          readingItemAt: url, options: .withoutChanges
        ) { _ in }
        return false
      } catch let error as CoordinationError {
        return error.code == .busy
      }
    }.value
  }

  @Test("A document that could not be coordinated says so only until it can be again")
  func uncoordinated() async throws {
    let desk = try Desk("1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    let locks = desk.scratch["desk/.docversions/claims"]
    try FileManager.default.removeItem(at: locks)
    try FileManager.default.createDirectory(at: locks, withIntermediateDirectories: false)
    note.type("2\n")
    try await note.save()
    #expect(note.state == .uncoordinated)
    try FileManager.default.removeItem(at: locks)
    note.type("3\n")
    try await note.save()
    #expect(note.state == [])
    #expect(try desk.text == "3\n")
  }

  @Test("A duplicate has the document’s text, whatever another program is writing at the moment")
  func duplicated() async throws {
    let desk = try Desk("1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    let copy = try await FileCoordinator().coordinate(writingItemAt: desk.url) { @MainActor url in
      try Data("half".utf8).write(to: url)
      return try await note.duplicate()
    }
    #expect(try String(contentsOf: copy, encoding: .utf8) == "1\n")
  }

  @Test("A document that is only asked to save waits for a program that is writing its file")
  func askedDuringWrite() async throws {
    let desk = try Desk("1\n")
    let note = desk.note()
    try await note.open()
    try await note.save()
    note.type("1\nmine\n")
    note.undoManager?.endEvent()
    let url = desk.url
    var asking: Task<Void, any Error>?
    try await FileCoordinator().coordinate(writingItemAt: url) { @MainActor url in
      let text = try String(contentsOf: url, encoding: .utf8)
      asking = Task.detached {
        try await FileCoordinator(patience: .generous).prepare(forReadingItemsAt: [url]) {}
      }
      let isAsked = try await comesTrue { note.state.contains(.progressAvailable) }
      #expect(isAsked)
      let isWritten = try await comesTrue(within: .milliseconds(300)) {
        try String(contentsOf: url, encoding: .utf8) != text
      }
      #expect(!isWritten)
      try Data(("theirs\n" + text).utf8).write(to: url)
    }
    try await asking?.value
    try await note.save()
    #expect(note.state == .inConflict)
    _ = try await note.resolve(.merge)
    #expect(note.text == "theirs\n1\nmine\n")
    try await note.close()
  }
}
