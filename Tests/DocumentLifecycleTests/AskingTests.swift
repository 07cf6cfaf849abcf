import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

@Suite("An open document while a person decides its conflict")
@MainActor
struct AskingTests {
  /// Makes two versions that change the same line, beside each other.
  private func conflict(_ desk: Desk) async throws -> Note {
    let note = desk.note()
    try await note.open()
    try await note.save()
    let first = try #require(try await desk.versions.first)
    note.type("mine\nline 2\n")
    try await note.save()
    let copy = desk.scratch["copy.md"]
    try Data("theirs\nline 2\n".utf8).write(to: copy)
    _ = try await desk.store.perform { [url = desk.url] in
      try $0.importCopy(copy, into: url, base: first)
    }
    #expect(try await comesTrue { note.state == .inConflict })
    return note
  }

  @Test("While a person decides, the document can be edited, and other programs can access it")
  func asking() async throws {
    let desk = try Desk("line 1\nline 2\n")
    let note = try await conflict(desk)
    let asked = Mutex(0)
    let outcome = try await note.resolve(
      .merge(
        else: .ask { @MainActor question in
          #expect(note.state == .inConflict)
          let isFirst = asked.withLock { count in
            count += 1
            return count == 1
          }
          if isFirst {
            note.type("mine\nline 2\ntyped\n")
            note.undoManager?.endEvent()
            desk.clock.advance(.seconds(2))
            #expect(try await comesTrue { try desk.text.hasSuffix("typed\n") })
            try await FileCoordinator().coordinate(writingItemAt: desk.url) { _ in }
            try await FileCoordinator().coordinate(readingItemAt: desk.url) { _ in }
          }
          let answers = question.proposal.clashes.map { ($0.id, MergeAnswer.theirs) }
          return .answer(Dictionary(uniqueKeysWithValues: answers))
        }))
    guard case .resolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    // The first answer was to other versions.
    #expect(asked.withLock { $0 } == 2)
    #expect(note.state == [])
    #expect(note.text.hasSuffix("line 2\ntyped\n"))
    #expect(try desk.text == note.text)
    #expect(note.errors.isEmpty && !note.hasUnsavedChanges)
  }

  @Test("A document that is closed, or whose conflict is resolved, while a person decides stays so")
  func closedMeanwhile() async throws {
    let desk = try Desk("line 1\nline 2\n")
    let note = try await conflict(desk)
    let chosen = try #require(try await note.conflict()).versions[1].id
    let store = desk.store
    let outcome = try await note.resolve(
      .ask { _ in
        _ = try await ConflictResolver(.latest, store: store).resolve(desk.url)
        return .keep(chosen)
      })
    guard case .noConflict = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(note.state == [])

    let other = try Desk("line 1\nline 2\n")
    let closing = try await conflict(other)
    let text = try other.text
    await #expect(throws: DocumentError.self) {
      try await closing.resolve(
        .ask { @MainActor question in
          try await closing.close()
          return .keep(question.conflict.versions[1].id)
        })
    }
    #expect(closing.state == .closed)
    #expect(try other.text == text)
  }
}
