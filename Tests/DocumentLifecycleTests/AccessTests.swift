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
}
