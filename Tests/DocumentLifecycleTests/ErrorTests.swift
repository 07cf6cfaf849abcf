import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Calls of a document that fail, are canceled, or reach a different file than the named one.
@Suite("Errors of a document")
@MainActor
struct ErrorTests {
  @Test("Creating where something is reports it as saving does, and writes nothing")
  func createTaken() async throws {
    let desk = try Desk("a tent")
    let note = desk.note()
    let error = await #expect(throws: FileError.self) { try await note.create() }
    #expect(error?.code == .exists)
    #expect(error?.path == desk.url.path)
    #expect(note.errors.count == 1)
    #expect(note.lastError != nil)
    #expect(!note.isOpen)
    #expect(try desk.text == "a tent")
  }

  @Test("Of two calls that open, one does, and the other leaves no error behind")
  func openTwice() async throws {
    let desk = try Desk("a tent")
    let note = desk.note()
    let tasks = (0..<2).map { _ in Task { @MainActor in try await note.open() } }
    var codes: [DocumentError.Code] = []
    for task in tasks {
      do { try await task.value } catch let error as DocumentError { codes.append(error.code) }
    }
    #expect(codes == [.open])
    #expect(note.isOpen)
    #expect(note.lastError == nil)
    #expect(note.errors.isEmpty)
  }

  @Test("A symbolic link opens the document that it leads to, which is saved in its place")
  func link() async throws {
    let desk = try Desk("a tent")
    let link = desk.scratch["Link.md"]
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: desk.url)
    let note = Note(fileURL: link, environment: desk.environment)
    try await note.open()
    #expect(note.fileURL.lastPathComponent == "Note.md")
    note.type("a map")
    try await note.save()
    try await note.close()
    #expect(try desk.text == "a map")
    let values = try link.resourceValues(forKeys: [.isSymbolicLinkKey])
    #expect(values.isSymbolicLink == true)
  }

  @Test("Cancelling the task that opens leaves the document closed, and it opens afterwards")
  func cancelled() async throws {
    let desk = try Desk(String(repeating: "a tent\n", count: 100_000))
    let note = desk.note()
    let task = Task { @MainActor in try await note.open() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!note.isOpen)
    try await note.open()
    #expect(note.text.hasPrefix("a tent\n"))
  }

  @Test("Cancelling the task that reverts or duplicates leaves everything as it is")
  func cancelledCopies() async throws {
    let desk = try Desk(String(repeating: "a tent\n", count: 100_000))
    let note = desk.note()
    try await note.open()
    try await note.save()
    let first = try #require(try await desk.versions.first)
    note.type("a map")
    try await note.save()
    let count = try await desk.versions.count
    for call in ["revert", "duplicate", "url"] {
      let task = Task { @MainActor in
        switch call {
        case "revert": try await note.revert(to: first)
        case "duplicate": _ = try await note.duplicate()
        default: _ = try await first.url
        }
      }
      task.cancel()
      await #expect(throws: CancellationError.self, "\(call)") { try await task.value }
    }
    #expect(note.state == [])
    #expect(note.text == "a map")
    #expect(try desk.text == "a map")
    #expect(try await desk.versions.count == count)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.scratch["desk"].path)
    #expect(names.sorted() == [".docversions", "Note.md"])
    try await note.revert(to: first)
    #expect(note.text.hasPrefix("a tent\n"))
    let copy = try #require(try await first.url)
    #expect(try String(contentsOf: copy, encoding: .utf8) == note.text)
  }

  @Test("Cancelling the task that saves keeps the changes, which are saved later")
  func cancelledSave() async throws {
    let desk = try Desk("a tent")
    let note = desk.note()
    try await note.open()
    note.type("a map")
    let task = Task { @MainActor in try await note.save() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(note.hasUnsavedChanges)
    #expect(try desk.text == "a tent")
    try await note.save()
    #expect(try desk.text == "a map")
  }
}
