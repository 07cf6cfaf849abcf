import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Each operation of a document, followed by each operation of another program on its file.
@Suite("Pairs of what a document and another program do")
@MainActor
struct PairTests {
  /// The last thing that the document did.
  enum Stage: String, CaseIterable, Sendable {
    case created, opened, autosaved, saved, reverted, resolved, moved
  }

  /// The other program's deed.
  enum Deed: String, CaseIterable, Sendable {
    case writtenInPlace, replaced, appended, removed, moved, permissionsTaken

    /// True if there is a new text afterward.
    var writes: Bool { [.writtenInPlace, .replaced, .appended].contains(self) }
  }

  /// The document at that moment.
  enum Condition: String, CaseIterable, Sendable { case clean, dirty, saving }

  struct Pair: Sendable, CustomTestStringConvertible {
    let stage: Stage
    let deed: Deed
    let isCoordinated: Bool

    var testDescription: String {
      "\(stage.rawValue), then \(deed.rawValue)\(isCoordinated ? " by a coordinated program" : "")"
    }

    /// The pairs that a run tests: each stage with each deed once, with the next condition each time.
    ///
    /// If `DOCVERSIONS_FAULTS` is "full", it tests all pairs with every condition, coordinated or not.
    static let played: [(Pair, Condition)] = {
      var number = 0
      return Stage.allCases.flatMap { stage in
        Deed.allCases.flatMap { deed in
          let variants = [false, true].flatMap { isCoordinated in
            Condition.allCases.map {
              (Pair(stage: stage, deed: deed, isCoordinated: isCoordinated), $0)
            }
          }
          defer { number += 1 }
          // Moved on by one after each stage: 6 deeds, 6 variants.
          return TestMode.isFull ? variants : [variants[(number + number / 6) % variants.count]]
        }
      }
    }()
  }

  @Test("Whatever another program does then, no text is lost", arguments: Pair.played)
  func pair(_ pair: Pair, _ condition: Condition) async throws {
    try await play(pair, condition)
  }

  private func play(_ pair: Pair, _ condition: Condition) async throws {
    let desk = try Desk()
    let note = try await reach(pair.stage, on: desk)
    let before = note.text
    let mine = before + "mine\n"
    if condition != .clean {
      note.type(mine)
      note.undoManager?.endEvent()
    }
    let saving = condition == .saving ? Task { try await note.save() } : nil
    if saving != nil { await Task.yield() }

    let url = note.fileURL
    let theirs = try await perform(pair.deed, on: url, isCoordinated: pair.isCoordinated)
    // If the file is gone, saving fails, and the contents are kept on closing.
    do { _ = try await saving?.value } catch {}
    await note.check()
    if pair.deed == .removed {
      #expect(
        try await comesTrue(every: .milliseconds(20)) {
          desk.clock.advance(.seconds(1))
          return !note.isOpen
        })
    }
    if condition == .clean, let theirs {
      let isShown = try await comesTrue(every: .milliseconds(20)) { note.text == theirs }
      #expect(isShown, "\(note.text)")
    }
    if pair.deed == .permissionsTaken {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
    }
    try await note.close()
    #expect(note.state == .closed)

    let place = note.fileURL
    let isThere = FileManager.default.fileExists(atPath: place.path)
    #expect(isThere == (pair.deed != .removed), "\(condition)")
    var texts = isThere ? [try String(contentsOf: place, encoding: .utf8)] : []
    if condition == .clean, let theirs { #expect(texts == [theirs]) }
    do {
      for version in try await desk.store.history(of: place).versions where version.fileCount > 0 {
        texts.append(String(decoding: try await version.contents(), as: UTF8.self))
      }
    } catch  where pair.stage == .opened && condition == .clean {
      // A document that was only looked at has no versions.
    }
    if let theirs { #expect(texts.contains(theirs), "\(condition): \(texts)") }
    if condition != .clean {
      // The text appended to the saved one may be in the version that the save makes.
      let isKept = texts.contains { pair.deed == .appended ? $0.hasPrefix(mine) : $0 == mine }
      #expect(isKept, "\(condition): \(texts)")
    }
    if pair.stage != .opened {
      #expect(texts.contains { $0.contains(before) }, "\(condition): \(texts)")
      if condition == .clean, isThere { #expect(try await note.conflict() == nil) }
    }
  }

  private static let text = "line 1\nline 2\nline 3\n"

  /// Returns an open document that has just performed an operation.
  private func reach(_ stage: Stage, on desk: Desk) async throws -> Note {
    let note = desk.note()
    if stage == .created {
      note.type(Self.text)
      try await note.create()
      return note
    }
    try desk.write(stage == .opened ? Self.text : "line 1\n")
    try await note.open()
    guard stage != .opened else { return note }
    try await note.save()
    note.type(Self.text)
    note.undoManager?.endEvent()
    if stage == .autosaved {
      #expect(await note.autosave())
      return note
    }
    try await note.save()
    switch stage {
    case .reverted: try await note.revert(to: desk.versions.last)
    case .resolved:
      let copy = desk.scratch["copy.md"]
      try Data("line 1\nother\n".utf8).write(to: copy)
      let first = try #require(try await desk.versions.last)
      _ = try await desk.store.perform { [url = desk.url] in
        try $0.importCopy(copy, into: url, base: first)
      }
      _ = try await note.resolve(.merge(else: .latest))
    case .moved: try await note.move(to: desk.scratch["desk/Moved.md"])
    default: break
    }
    return note
  }

  /// Performs the deed of another program.
  ///
  /// - Returns: the text that it wrote.
  private func perform(_ deed: Deed, on url: URL, isCoordinated: Bool) async throws -> String? {
    guard isCoordinated else { return try Self.perform(deed, on: url) { _ in } }
    let options: FileCoordinator.WritingOptions =
      switch deed {
      case .removed: .forDeleting
      case .moved: .forMoving
      default: .forMerging
      }
    let coordinator = FileCoordinator(patience: .generous)
    return try await coordinator.coordinate(writingItemAt: url, options: options) { place in
      try Self.perform(deed, on: place) { try coordinator.item(at: place, didMoveTo: $0) }
    }
  }

  private nonisolated static func perform(
    _ deed: Deed, on url: URL, moved: (URL) throws -> Void
  ) throws -> String? {
    func changed() throws -> String { "theirs\n" + (try String(contentsOf: url, encoding: .utf8)) }
    switch deed {
    case .writtenInPlace:
      let text = try changed()
      let file = try FileHandle(forWritingTo: url)
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
      return text
    case .replaced:
      let text = try changed()
      try Data(text.utf8).write(to: url, options: .atomic)
      return text
    case .appended:
      let file = try FileHandle(forWritingTo: url)
      try file.seekToEnd()
      try file.write(contentsOf: Data("theirs\n".utf8))
      try file.close()
      return try String(contentsOf: url, encoding: .utf8)
    case .removed: try FileManager.default.removeItem(at: url)
    case .moved:
      let target = url.deletingLastPathComponent().appending(path: "Elsewhere.md")
      try FileManager.default.moveItem(at: url, to: target)
      try moved(target)
    case .permissionsTaken:
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    }
    return nil
  }
}
