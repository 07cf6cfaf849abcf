import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Documents that an app has open in a folder that is watched, by another process or by its own.
@MainActor
@Suite("Watching folders beside open documents")
struct WatchOpenDocumentTests {
  private let program: Program
  private var url: URL { program.folder["n.md"] }

  init() throws {
    program = try Program()
  }

  private final class Note: Document {
    private(set) var text = ""

    func type(_ new: String) {
      text = new
      updateChangeCount(.done)
    }

    override func contents(forType type: String) throws -> DocumentContents {
      .data(Data(text.utf8))
    }

    override func load(
      _ contents: DocumentContents, ofType type: String, because reason: LoadReason
    ) throws {
      if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
    }
  }

  private var store: VersionStore {
    VersionStore(identity: Identity(author: program.author, device: program.device))
  }

  private func note(autosavingAfter time: Duration) -> Note {
    Note(
      fileURL: url,
      environment: DocumentEnvironment(
        store: store, autosave: AutosavePolicy(idleTime: time, longestDelay: time * 4)))
  }

  /// Watches the folder while something is done.
  private func watching(here: Bool, _ body: () async throws -> Void) async throws {
    if here {
      var watcher = FolderWatcher(store: store)
      watcher.policy.pause = .seconds(1)
      let events = watcher.events(of: program.folder.url)
      let task = Task { for try await _ in events {} }
      try await body()
      task.cancel()
      do { try await task.value } catch is CancellationError {}
    } else {
      let watcher = try Watcher(program)
      #expect(try watcher.waits(for: "Keeping"))
      try await body()
      #expect(try watcher.stop() == 0)
    }
  }

  /// The texts of all versions, newest first.
  private func texts() throws -> [String] {
    try program.versions(of: "n.md").map { try program.run("show", "n.md", $0).output }
  }

  @Test("What a document autosaves becomes one version each time", arguments: [true, false])
  func autosaves(here: Bool) async throws {
    try program.write("one\n", to: "n.md")
    try program.run("save", "n.md")
    try await watching(here: here) {
      let note = note(autosavingAfter: .milliseconds(30))
      try await note.open()
      for text in ["two\n", "three\n", "four\n"] {
        note.type(text)
        #expect(
          try await eventually(every: .milliseconds(50)) {
            try !note.hasUnsavedChanges && texts().first == text
          })
      }
      try await note.save()
      try await note.close()
    }
    #expect(try texts() == ["four\n", "three\n", "two\n", "one\n"])
    #expect(try program.read("n.md") == "four\n")
    #expect(try program.run("conflicts", "--exit-code").exitCode == 0)
  }

  @Test(
    "What arrives while a document has unsaved text replaces nothing, and is not lost",
    arguments: [true, false])
  func arrival(here: Bool) async throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    try program.write("one\ntwo\nthree\nfour\nfive\n", to: "n.md")
    try program.run("save", "n.md")
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    let note = note(autosavingAfter: .seconds(3600))
    try await note.open()
    note.type("one by Mira\ntwo\nthree\nfour\nfive\n")
    try tom.write("one\ntwo\nthree\nfour\nfive by Tom\n", to: "n.md")
    try tom.run("save", "n.md")
    #expect(try tom.run("sync").exitCode == 0)
    try await watching(here: here) {
      // It is exchanged at the start, and after this.
      try program.write("x\n", to: "other.md")
      #expect(
        try await eventually(every: .milliseconds(50)) {
          try texts().contains { $0.contains("five by Tom") }
            && program.json("status")["new"] as? [String] == []
        })
      #expect(note.text.contains("one by Mira"))
      try await note.save()
      try await note.close()
    }
    let all = try texts()
    #expect(all.contains { $0.contains("one by Mira") }, "\(all)")
    #expect(Set(all).count == all.count, "\(all)")
    #expect(try program.read("n.md").contains("one by Mira"))
    let isOpen = try program.run("conflicts", "--exit-code").exitCode == 1
    #expect(try isOpen || program.read("n.md").contains("five by Tom"), "\(all)")
  }
}
