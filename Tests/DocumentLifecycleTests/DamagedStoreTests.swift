import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Versions are an addition: a damaged store fails only the versions, not the reading and writing of the file.
@Suite("A document with a damaged store")
@MainActor
struct DamagedStoreTests {
  enum Damage: String, CaseIterable, Sendable { case references, pack, noFolder }

  /// A desk with a closed document, whose store is then damaged.
  ///
  /// - Parameter isEdited: whether another program has written the file since.
  private func desk(_ damage: Damage, isEdited: Bool = true) async throws -> Desk {
    let desk = try Desk("1")
    let note = desk.note()
    try await note.open()
    try await note.save()
    try await note.close()
    if isEdited { try desk.write("edited elsewhere") }
    let stores = desk.scratch["desk/.docversions"]
    let aside = desk.scratch["aside"]
    try FileManager.default.copyItem(at: stores, to: aside)
    guard damage != .noFolder else {
      try FileManager.default.removeItem(at: stores)
      try Data("x".utf8).write(to: stores)
      return desk
    }
    let store = stores.appending(path: "documents/Note.md.git")
    for name in try FileManager.default.subpathsOfDirectory(atPath: store.path) {
      let isDamaged =
        damage == .pack ? name.hasSuffix(".pack") : name.hasPrefix("refs/") || name == "ledger"
      let file = store.appending(path: name)
      guard isDamaged, try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
      else { continue }
      try FileManager.default.removeItem(at: file)
      try Data("damaged".utf8).write(to: file)
    }
    return desk
  }

  private func code(_ error: (any Error)?) -> VersionError.Code? { (error as? VersionError)?.code }

  @Test(
    "Its file is opened, autosaved and closed, and the state says why there are no versions",
    arguments: Damage.allCases, [false, true])
  func written(_ damage: Damage, isEdited: Bool) async throws {
    let desk = try await desk(damage, isEdited: isEdited)
    let note = desk.note()
    try await note.open()
    let loaded = isEdited ? "edited elsewhere" : "1"
    #expect(note.text == loaded)
    note.type("2")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    #expect(try desk.text == "2")
    #expect(!note.hasUnsavedChanges)
    #expect(note.state.contains(.savingError))
    #expect(code(note.lastError) == .damaged)
    #expect(note.errors.count == 1)
    // What was loaded isn't in any version that can be read.
    let copy = desk.scratch["desk/Note copy.md"]
    #expect(try String(contentsOf: copy, encoding: .utf8) == loaded)
    note.type("3")
    note.undoManager?.endEvent()
    let error = await #expect(throws: VersionError.self) { try await note.save() }
    #expect(error?.code == .damaged)
    #expect(try desk.text == "3")
    note.type("4")
    try await note.close()
    #expect(!note.isOpen)
    #expect(try desk.text == "4")
    #expect(!FileManager.default.fileExists(atPath: desk.scratch["desk/Note copy 2.md"].path))
  }

  @Test("A document that is only viewed says so, and stays as it is", arguments: Damage.allCases)
  func viewed(_ damage: Damage) async throws {
    let desk = try await desk(damage)
    let note = desk.note()
    try await note.open()
    if damage != .pack { #expect(code(note.lastError) == .damaged) }
    await note.check()
    #expect(note.errors.count <= 1)
    try await note.close()
    #expect(try desk.text == "edited elsewhere")
    #expect(!FileManager.default.fileExists(atPath: desk.scratch["desk/Note copy.md"].path))
  }

  @Test("Autosaved text that another program replaces is kept in a copy")
  func replaced() async throws {
    let desk = try await desk(.references)
    let note = desk.note()
    try await note.open()
    note.type("mine")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    try desk.write("theirs")
    await note.check()
    #expect(try await comesTrue { note.text == "theirs" })
    let copy = desk.scratch["desk/Note copy 2.md"]
    #expect(try String(contentsOf: copy, encoding: .utf8) == "mine")
  }

  /// The texts in the folder: of the document, and of copies beside it.
  private func files(of desk: Desk) throws -> Set<String> {
    let folder = desk.scratch["desk"]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Set(
      names.filter { $0.hasSuffix(".md") }.map {
        try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
      })
  }

  @Test(
    "Text typed beside a file that another program replaces is saved, and the file is in a copy",
    arguments: [Damage.references, .noFolder], [false, true])
  func typedBeside(_ damage: Damage, isAutosaved: Bool) async throws {
    let desk = try await desk(damage)
    let note = desk.note()
    try await note.open()
    note.type("mine")
    note.undoManager?.endEvent()
    if isAutosaved {
      #expect(await note.autosave())
      note.type("mine too")
      note.undoManager?.endEvent()
    }
    try desk.write("theirs")
    let error = await #expect(throws: VersionError.self) { try await note.save() }
    #expect(error?.code == .damaged)
    #expect(!note.hasUnsavedChanges)
    #expect(try desk.text == note.text)
    let texts = ["edited elsewhere", "mine"] + (isAutosaved ? ["mine too"] : [])
    #expect(try files(of: desk) == Set(texts + ["theirs"]))
    note.type("last")
    try await note.close()
    #expect(try files(of: desk) == Set(texts.dropLast() + ["theirs", "last"]))
  }

  @Test("Typed text is kept in a copy if the document is removed by another program")
  func removed() async throws {
    let desk = try await desk(.references)
    let note = desk.note()
    try await note.open()
    note.type("mine")
    note.undoManager?.endEvent()
    try FileManager.default.removeItem(at: desk.url)
    await note.check()
    #expect(
      try await comesTrue {
        desk.clock.advance(.seconds(1))
        return !note.isOpen
      })
    #expect(try files(of: desk).isSuperset(of: ["mine"]))
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
  }

  @Test("It isn’t deleted while its edits can’t become a version")
  func deleted() async throws {
    let desk = try await desk(.references)
    let note = desk.note()
    try await note.open()
    note.type("2")
    note.undoManager?.endEvent()
    await #expect(throws: (any Error).self) {
      try await FileCoordinator().coordinate(writingItemAt: desk.url, options: .forDeleting) {
        try FileManager.default.removeItem(at: $0)
      }
    }
    #expect(note.isOpen)
    #expect(try desk.text == "2")
  }

  @Test("Once the store is repaired, the next save makes a version", arguments: Damage.allCases)
  func repaired(_ damage: Damage) async throws {
    let desk = try await desk(damage)
    let note = desk.note()
    try await note.open()
    note.type("2")
    note.undoManager?.endEvent()
    #expect(await note.autosave())
    let stores = desk.scratch["desk/.docversions"]
    try FileManager.default.removeItem(at: stores)
    try FileManager.default.copyItem(at: desk.scratch["aside"], to: stores)
    try await note.save()
    #expect(note.state == [])
    #expect(note.lastError == nil)
    #expect(try await desk.texts() == ["2", "1"])
    try await note.close()
  }
}
