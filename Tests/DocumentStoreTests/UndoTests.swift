import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Taking back the last operation on one device.
struct UndoTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  @discardableResult
  private func undo(_ name: String = "a.md") throws -> UndoOutcome {
    desk.clock.advance(bySeconds: 60)
    return try desk.store.undo(desk[name])
  }

  private func text(_ version: FileVersion) throws -> String {
    String(decoding: try version.contents(), as: UTF8.self)
  }

  // MARK: Restored, deleted, renamed

  @Test("An undone restore shows the contents from before, as a new version")
  func restore() throws {
    let first = try desk.save("one", as: "a.md")
    let second = try desk.save("two", as: "a.md")
    let restored = try desk.store.restore(first).version
    let outcome = try undo()
    #expect(outcome.undone == restored)
    #expect(outcome.version.kind == .undo)
    #expect(outcome.version.parents == [restored.id])
    #expect(outcome.version.modificationDate == second.modificationDate)
    #expect(try desk.read("a.md") == "two")
    #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
    #expect(try desk.texts("a.md") == ["two", "one", "two", "one"])
    try desk.expectSound()
  }

  @Test("Edits that were not saved become a version before a restore is undone")
  func unsavedEdits() throws {
    let first = try desk.save("one", as: "a.md")
    try desk.save("two", as: "a.md")
    let restored = try desk.store.restore(first).version
    try desk.write("edited", to: "a.md")
    let outcome = try undo()
    let kept = try #require(outcome.keptEdits)
    #expect(try text(kept) == "edited")
    #expect(kept.parents == [restored.id])
    #expect(outcome.version.parents == [kept.id])
    #expect(outcome.conflicts.isEmpty)
    #expect(try desk.read("a.md") == "two")
  }

  @Test(
    "What an operation puts on disk is in charge, also beside edits that it kept in the same moment",
    arguments: ["undo", "restore", "delete"], 0..<4)
  func sameMoment(operation: String, round: Int) throws {
    let first = try desk.save("one \(round)\n", as: "a.md")
    let second = try desk.save("one \(round)\ntwo\n", as: "a.md")
    try desk.store.restore(first)
    // What the restore took away is still missing: the edit does not follow it.
    try desk.write("one \(round)\nedited\n", to: "a.md")
    switch operation {
    case "undo": _ = try desk.store.undo(desk["a.md"])
    case "restore": _ = try desk.store.restore(second)
    default: _ = try desk.store.delete(desk["a.md"])
    }
    let current = try #require(try desk.history("a.md").current)
    if operation == "delete" {
      let kept = try desk.history("a.md").versions.filter { !$0.isDeletion }.map(text)
      #expect(kept.contains("one \(round)\nedited\n"))
    } else {
      #expect(try desk.read("a.md") == "one \(round)\ntwo\n")
      #expect(try text(current) == "one \(round)\ntwo\n")
      #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
    }
    try desk.expectSound()
  }

  @Test("An undo that ended after it had kept edits goes on where it was")
  func interruptedAfterKeeping() throws {
    let first = try desk.save("one", as: "a.md")
    try desk.save("two", as: "a.md")
    let restored = try desk.store.restore(first).version
    try desk.write("edited", to: "a.md")
    try desk.store.environment.withWriter(of: DocumentLocation(of: desk["a.md"])) { writer in
      _ = try writer.keepEdits(
        writer.reader.document.copy(),
        toUndo: writer.reader.record(restored.persistentIdentifier.objectID))
    }
    let outcome = try undo()
    #expect(outcome.undone == restored)
    #expect(try outcome.keptEdits.map(text) == "edited")
    #expect(outcome.version.parents == [try #require(outcome.keptEdits).id])
    #expect(outcome.conflicts.isEmpty)
    #expect(try desk.read("a.md") == "two")
    expectVersionError(.nothingToUndo) { try undo() }
  }

  @Test("An undone deletion brings the document back")
  func deletion() throws {
    try desk.save("one", as: "a.md")
    let deletion = try desk.store.delete(desk["a.md"])
    let outcome = try undo()
    #expect(outcome.undone == deletion)
    #expect(try desk.read("a.md") == "one")
    #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
    try desk.expectSound()
  }

  @Test("A deletion is undone in the middle of a conflict, where another version is current")
  func deletionInConflict() throws {
    try desk.conflict(base: "base", other: "mine", current: "other", as: "a.md")
    let deletion = try desk.store.delete(desk["a.md"])
    #expect(!deletion.isCurrent)
    let outcome = try undo()
    #expect(outcome.undone == deletion)
    #expect(try desk.read("a.md") == "other")
    #expect(outcome.conflicts.count == 1)
  }

  @Test("An undone renaming gives the former name back")
  func renaming() throws {
    try desk.save("one", as: "a.md")
    desk.clock.advance(bySeconds: 60)
    let renamed = try desk.store.rename(desk["a.md"], to: "b.md")
    #expect(renamed.kind == .rename)
    let outcome = try undo("b.md")
    #expect(outcome.document.lastPathComponent == "a.md")
    #expect(try desk.read("a.md") == "one")
    #expect(!FileManager.default.fileExists(atPath: desk["b.md"].path))
    #expect(try desk.history("a.md").current?.localizedName == "a.md")
    #expect(try desk.store.save(desk["a.md"]).isNew == false)
    try desk.expectSound()
  }

  // MARK: Resolved

  @Test("Undoing a resolution makes its versions a conflict again, with the same one current")
  func markedResolved() throws {
    let (_, other, current) = try desk.conflict(
      base: "base", other: "mine", current: "other", as: "a.md")
    let resolved = try desk.store.markResolved([other], of: desk["a.md"])
    let outcome = try undo()
    #expect(outcome.undone == resolved)
    #expect(try text(outcome.version) == text(current))
    #expect(outcome.version.parents == [resolved.id])
    #expect(try outcome.conflicts.map(text) == ["mine"])
    #expect(try desk.read("a.md") == "other")
    #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
    let history = try desk.history("a.md")
    #expect(history.shown == history.current)
    #expect(try history.conflictBase.map(text) == "base")
    try desk.expectSound()
  }

  @Test("Unsaved edits stay in the document when a conflict opens again")
  func editsOnAResolution() throws {
    let (_, other, _) = try desk.conflict(
      base: "base", other: "mine", current: "other", as: "a.md")
    try desk.store.markResolved([other], of: desk["a.md"])
    try desk.write("edited", to: "a.md")
    #expect(try undo().conflicts.count == 1)
    #expect(try desk.read("a.md") == "edited")
    try desk.store.save(desk["a.md"])
    #expect(try desk.history("a.md").unresolvedConflicts.count == 2)
  }

  @Test(
    "Undoing the removal of all others brings back the conflict that it settled, and the contents")
  func removedOthersInConflict() throws {
    try desk.conflict(base: "base", other: "mine", current: "other", as: "a.md")
    try desk.store.removeOthers(of: desk["a.md"])
    #expect(try desk.texts("a.md") == ["other"])
    let outcome = try undo()
    #expect(outcome.broughtBack.count == 3)
    #expect(outcome.conflicts.count == 1)
    #expect(
      try desk.texts("a.md") == ["other", "mine", "other", "other", "mine", "base"])
    try desk.expectSound()
  }

  @Test("A crash between the sides of a reopened conflict is made good by undoing once more")
  func crashBetweenSides() throws {
    let (_, other, _) = try desk.conflict(
      base: "base", other: "mine", current: "other", as: "a.md")
    try desk.store.markResolved([other], of: desk["a.md"])
    let before = try undo()
    // The second reference was not written, nor the line of the ledger that follows.
    let id = try #require(before.conflicts.first).persistentIdentifier
    let store = try DocumentLocation(of: desk["a.md"]).store
    try FileManager.default.removeItem(atPath: "\(store)/refs/heads/\(id)")
    let ledger = try String(contentsOfFile: "\(store)/ledger", encoding: .utf8)
    let lines = ledger.split(separator: "\n").dropLast().map { "\($0)\n" }.joined()
    try lines.write(toFile: "\(store)/ledger", atomically: true, encoding: .utf8)
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
    let outcome = try undo()
    #expect(outcome.version == before.version)
    #expect(try outcome.conflicts.map(text) == ["mine"])
    expectVersionError(.nothingToUndo) { try undo() }
  }

  // MARK: Removed

  @Test("Undoing a removal puts the versions back as they were")
  func removal() throws {
    for text in ["one", "two", "three"] { try desk.save(text, as: "a.md") }
    let before = try desk.history("a.md").versions
    try before[1].remove()
    #expect(try desk.texts("a.md") == ["three", "one"])
    let outcome = try undo()
    #expect(outcome.undone == nil)
    #expect(outcome.broughtBack == [before[1]])
    #expect(try desk.history("a.md").versions == before)
    #expect(try desk.texts("a.md") == ["three", "two", "one"])
    try desk.expectSound()
  }

  @Test("Removals are undone one after the other, latest first")
  func removalsInTurn() throws {
    for text in ["one", "two", "three", "four"] { try desk.save(text, as: "a.md") }
    let versions = try desk.history("a.md").versions
    try versions[3].remove()
    try desk.store.removeOthers(of: desk["a.md"])
    #expect(try desk.texts("a.md") == ["four"])
    try undo()
    #expect(try desk.texts("a.md") == ["four", "three", "two"])
    try undo()
    #expect(try desk.texts("a.md") == ["four", "three", "two", "one"])
    expectVersionError(.nothingToUndo) { try undo() }
  }

  @Test("Pins and versions added since a removal stay when it is undone")
  func sinceRemoval() throws {
    for text in ["one", "two", "three"] { try desk.save(text, as: "a.md") }
    let versions = try desk.history("a.md").versions
    let attached = try FileVersion.add(
      to: desk["a.md"], contentsOf: desk.write("draft", to: "draft.md"), store: desk.store)
    try versions[1].remove()
    try attached.remove()
    try versions[2].setPinned(true)
    try undo()
    #expect(try Set(desk.texts("a.md")) == ["three", "draft", "one"])
    try undo()
    #expect(try Set(desk.texts("a.md")) == ["three", "draft", "two", "one"])
    #expect(try desk.history("a.md").versions.filter(\.isPinned) == [versions[2]])
  }

  // MARK: Refused

  @Test("A save is not undone, and the refusal says what to do instead")
  func save() throws {
    let first = try desk.save("one", as: "a.md")
    try desk.save("two", as: "a.md")
    let error = #expect(throws: VersionError.self) { try undo() }
    #expect(error?.code == .nothingToUndo)
    #expect(error?.recovery == .restore(version: first.id.description))
    #expect(try desk.read("a.md") == "two")
  }

  @Test("An operation that a save has followed is not undone any more")
  func savedSince() throws {
    let (_, other, _) = try desk.conflict(
      base: "base", other: "mine", current: "other", as: "a.md")
    try desk.store.markResolved([other], of: desk["a.md"])
    try desk.save("more", as: "a.md")
    expectVersionError(.nothingToUndo) { try undo() }
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
  }

  @Test("Undoing a second time is refused: nothing is done again")
  func twice() throws {
    let first = try desk.save("one", as: "a.md")
    try desk.save("two", as: "a.md")
    try desk.store.restore(first)
    try undo()
    expectVersionError(.nothingToUndo) { try undo() }
  }

  @Test("A resolution whose sides are gone for good can't be undone")
  func goneForGood() throws {
    let (_, other, _) = try desk.conflict(
      base: "base", other: "mine", current: "other", as: "a.md")
    try desk.store.markResolved([other], of: desk["a.md"])
    try other.remove()
    let store = try DocumentLocation(of: desk["a.md"]).store
    try FileManager.default.removeItem(atPath: "\(store)/refs/trash")
    expectVersionError(.contentsNotLocal) { try undo() }
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
  }

  @Test("A join is not undone, and a rename of the joined document is")
  func join() throws {
    try desk.save("one", as: "x.md")
    try desk.save("two", as: "sub/y.md")
    _ = try desk.store.join(desk["x.md"], with: desk["sub/y.md"])
    let joined = try #require(try desk.history("x.md").versions.first { $0.kind == .rename })
    let files = try desk.read("x.md")
    let error = #expect(throws: VersionError.self) { try undo("x.md") }
    #expect(error?.code == .nothingToUndo)
    let message = try #require(error?.message)
    #expect(message.contains("joining “sub/y.md” with it"), "\(message)")
    #expect(error?.hint?.contains(joined.persistentIdentifier.short) == true)
    #expect(try desk.read("x.md") == files)
    #expect(!FileManager.default.fileExists(atPath: desk["sub/y.md"].path))
    desk.clock.advance(bySeconds: 60)
    _ = try desk.store.rename(desk["x.md"], to: "z.md")
    #expect(try undo("z.md").document.lastPathComponent == "x.md")
    #expect(try desk.history("x.md").unresolvedConflicts.count == 1)
    try desk.expectSound()
  }

  @Test("A dry run reports the operation to undo, and changes nothing")
  func dryRun() throws {
    let first = try desk.save("one", as: "a.md")
    try desk.save("two", as: "a.md")
    let restored = try desk.store.restore(first).version
    var store = desk.store
    store.isDryRun = true
    #expect(try store.undo(desk["a.md"]).undone == restored)
    #expect(try desk.history("a.md").current == restored)
    #expect(try desk.read("a.md") == "one")
  }
}
