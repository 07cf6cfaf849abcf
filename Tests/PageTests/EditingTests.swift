import DocumentTestSupport
import DocumentVersions
import Foundation
import NIOHTTP1
import Testing

@testable import DocumentPage

/// Requests of an editor.
@MainActor
@Suite("Page: editing")
struct EditingTests {
  @Test(
    "An edit changes its place and no other byte",
    arguments: [
      ("a\r\nb\r\nc\r\n", 2, 1, "x\ny", "a\r\nx\r\ny\r\nc\r\n"),
      ("a\nb\r\nc\r", 4, 1, "z", "a\nb\r\nz\r"),
      ("\u{FEFF}a\n", 1, 1, "b", "\u{FEFF}b\n"),
      ("👍🏽 ok", 0, 4, "👎", "👎 ok"),
      ("", 0, 0, "new\n", "new\n"),
      ("e\u{301}\u{0}", 1, 0, "!", "e!\u{301}\u{0}"),
    ])
  func places(
    text: String, start: Int, removed: Int, inserted: String, expected: String
  ) async throws {
    let world = try await PageWorld(["notes/Note.txt": text])
    let shown = await world.get("/api/text", ["document": "Note.txt"])
    let answer = try await world.post(
      "/api/edit",
      [
        "document": "Note.txt", "revision": try #require(shown["revision"] as? Int),
        "start": start, "removed": removed, "inserted": inserted,
      ])
    #expect(answer.status == .ok, "\(answer.text)")
    try await world.end()
    #expect(try Array(world.files.read("notes/Note.txt").utf8) == Array(expected.utf8))
  }

  @Test("An edit of an older text is refused, and merged where both fit")
  func older() async throws {
    let world = try await PageWorld(["notes/Note.txt": "one\n\ntwo\n\nthree\n"])
    let shown = await world.get("/api/text", ["document": "Note.txt"])
    let revision = try #require(shown["revision"] as? Int)
    let edit: [String: Any] = [
      "document": "Note.txt", "revision": revision, "start": 0, "removed": 3, "inserted": "ONE",
    ]
    #expect(try await world.post("/api/edit", edit).status == .ok)
    #expect(try await world.post("/api/edit", edit).status == .preconditionFailed)
    let base = "one\n\ntwo\n\nthree\n"
    let fitting = try await world.post(
      "/api/merge", ["document": "Note.txt", "base": base, "mine": "one\n\ntwo\n\nTHREE\n"])
    #expect(fitting["merged"] as? String == "ONE\n\ntwo\n\nTHREE\n")
    #expect((fitting["questions"] as? [String])?.isEmpty == true)
    let clashing = try await world.post(
      "/api/merge", ["document": "Note.txt", "base": base, "mine": "uno\n\ntwo\n\nthree\n"])
    #expect(clashing["merged"] as? String == "uno\n\ntwo\n\nthree\n")
    #expect(clashing["theirs"] as? String == "ONE\n\ntwo\n\nthree\n")
    #expect((clashing["questions"] as? [String])?.count == 1)
    try await world.end()
  }

  @Test("A place that the text has not is refused", arguments: [(-1, 0), (0, 9), (5, 0), (0, -1)])
  func noPlace(start: Int, removed: Int) async throws {
    let world = try await PageWorld(["notes/Note.txt": "one\n"])
    let shown = await world.get("/api/text", ["document": "Note.txt"])
    let answer = try await world.post(
      "/api/edit",
      [
        "document": "Note.txt", "revision": try #require(shown["revision"] as? Int),
        "start": start, "removed": removed, "inserted": "x",
      ])
    #expect(answer.status == .badRequest)
    try await world.end()
    #expect(try world.files.read("notes/Note.txt") == "one\n")
  }

  @Test("What is only looked at gets no version, and bytes that are no text are not edited")
  func looking() async throws {
    let world = try await PageWorld(["notes/Note.txt": "one\n"])
    let bytes = Data([0xFF, 0xFE, 0x00, 0x61])
    try bytes.write(to: world.files["notes/Bytes.txt"])
    #expect(try await comesTrue { world.folder.item("Bytes.txt") != nil })
    let shown = await world.get("/api/text", ["document": "Bytes.txt"])
    #expect(shown["isText"] as? Bool == false)
    let answer = try await world.post(
      "/api/edit",
      [
        "document": "Bytes.txt", "revision": try #require(shown["revision"] as? Int), "start": 0,
        "removed": 0, "inserted": "x",
      ])
    #expect(answer.status == .locked)
    _ = await world.get("/api/text", ["document": "Note.txt"])
    try await world.end()
    #expect(try Data(contentsOf: world.files["notes/Bytes.txt"]) == bytes)
    let store = VersionStore()
    #expect(try await store.state(of: world.files["notes/Note.txt"]) == .unsaved)
  }

  @Test("A document is deleted and comes back, also one that had no version")
  func deletion() async throws {
    let world = try await PageWorld(["notes/Note.txt": "one\n"])
    #expect(try await world.post("/api/delete", ["document": "Note.txt"]).status == .noContent)
    #expect(try await comesTrue { world.folder.item("Note.txt") == nil })
    let back = try await world.post("/api/undelete", ["document": "Note.txt"])
    #expect(back["document"] as? String == "Note.txt", "\(back.text)")
    #expect(try world.files.read("notes/Note.txt") == "one\n")
    try await world.end()
  }

  @Test("New documents take the first unused number; renaming and duplicating keep the text")
  func names() async throws {
    let world = try await PageWorld(["notes/Note 1.md": "", "notes/Note 3.md": ""])
    let made = try await world.post("/api/new", ["text": "hello\n"])
    #expect(made["document"] as? String == "Note 2.md")
    let renamed = try await world.post(
      "/api/rename", ["document": "Note 2.md", "name": "Greeting"])
    #expect(renamed["document"] as? String == "Greeting.md", "\(renamed.text)")
    let taken = try await world.post(
      "/api/rename", ["document": "Greeting.md", "name": "Note 1.md"])
    #expect(taken.status == .conflict)
    // This document was never saved on this device.
    let plain = try await world.post("/api/rename", ["document": "Note 3.md", "name": "Third"])
    #expect(plain["document"] as? String == "Third.md", "\(plain.text)")
    let copy = try await world.post("/api/duplicate", ["document": "Greeting.md"])
    let path = try #require(copy["document"] as? String)
    #expect(try world.files.read("notes/\(path)") == "hello\n")
    #expect(try world.files.read("notes/Greeting.md") == "hello\n")
    try await world.end()
  }

  @Test("Changes are undone and redone by their names, also over line ends of two characters")
  func undoing() async throws {
    let world = try await PageWorld(["notes/Note.txt": "a\r\nb\r\n"])
    var shown = await world.get("/api/text", ["document": "Note.txt"])
    for (start, removed, inserted, name) in [(2, 1, "x\ny", "Paste"), (0, 2, "", "Deletion")] {
      let edit: [String: Any] = [
        "document": "Note.txt", "revision": try #require(shown["revision"] as? Int),
        "start": start, "removed": removed, "inserted": inserted, "name": name,
      ]
      shown = try await world.post("/api/edit", edit)
    }
    let open = try world.folder.document("Note.txt")
    func names() -> [String?] {
      let facts = DocumentFacts(open, in: world.folder)
      return [facts.undo, facts.redo]
    }
    #expect(open.document.text == "x\ny\n")
    #expect(names() == ["Deletion", nil])
    func revert(_ how: String) async throws -> PageResponse {
      let answer = try await world.post(
        "/api/\(how)", ["document": "Note.txt", "revision": open.document.revision])
      #expect(answer.status == .ok, "\(answer.text)")
      return answer
    }
    _ = try await revert("undo")
    #expect(open.document.text == "a\nx\ny\n")
    #expect(names() == ["Paste", "Deletion"])
    _ = try await revert("undo")
    #expect(open.document.text == "a\nb\n")
    #expect(names() == [nil, "Paste"])
    _ = try await revert("redo")
    let stale = try await world.post("/api/undo", ["document": "Note.txt", "revision": -1])
    #expect(stale.status == .preconditionFailed)
    #expect(open.document.hasUnsavedChanges)
    try await world.end()
    #expect(try world.files.read("notes/Note.txt") == "a\r\nx\r\ny\r\n")
  }

  @Test("A document moves to a folder, which is made for it, and goes along open or not")
  func moving() async throws {
    let world = try await PageWorld(["notes/One.txt": "one\n", "notes/Two.txt": "two\n"])
    _ = await world.get("/api/text", ["document": "One.txt"])
    for name in ["One.txt", "Two.txt"] {
      let moved = try await world.post("/api/move", ["document": name, "folder": "Trips/2026"])
      #expect(moved["document"] as? String == "Trips/2026/\(name)", "\(moved.text)")
    }
    #expect(try world.files.read("notes/Trips/2026/One.txt") == "one\n")
    try world.files.write("other\n", to: "notes/One.txt")
    #expect(try await comesTrue { world.folder.item("One.txt") != nil })
    let taken = try await world.post("/api/move", ["document": "Trips/2026/One.txt", "folder": ""])
    #expect(taken.status == .conflict)
    #expect(try world.files.read("notes/One.txt") == "other\n")
    #expect(try world.files.read("notes/Trips/2026/One.txt") == "one\n")
    try await world.end()
  }

  @Test(
    "A document moves nowhere outside the folder, and leaves no empty folder behind",
    arguments: [
      "..", "../x", "a/../../x", "/tmp", ".docversions", "a/.b", "a//b", "link/x", "link",
      "One.txt", "new/\u{0}",
    ])
  func moveElsewhere(folder: String) async throws {
    let world = try await PageWorld(
      ["notes/One.txt": "one\n", "outside/file": ""], links: ["notes/link": "../outside"])
    let answer = try await world.post("/api/move", ["document": "One.txt", "folder": folder])
    #expect([.badRequest, .forbidden, .conflict].contains(answer.status), "\(answer.text)")
    #expect(try world.files.read("notes/One.txt") == "one\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: world.files["notes"].path)
        .filter { !$0.hasPrefix(".") }.sorted() == ["One.txt", "link"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: world.files["outside"].path) == ["file"])
    try await world.end()
  }

  @Test("A long text is shown by parts, and its editing refused with a sentence")
  func large() async throws {
    let line = String(repeating: "x", count: 1023) + "\n"
    let world = try await PageWorld(
      ["notes/Long.txt": String(repeating: line, count: 9 << 10)])
    let refused = await world.get("/api/text", ["document": "Long.txt"])
    #expect(refused.status == .payloadTooLarge)
    #expect(refused.text.contains("8 MB"))
    let part = await world.get("/api/part", ["document": "Long.txt", "from": "9400000"])
    #expect(part["size"] as? Int == 9 << 20)
    #expect(part["length"] as? Int == (9 << 20) - 9_400_000)
    try await world.end()
  }
}
