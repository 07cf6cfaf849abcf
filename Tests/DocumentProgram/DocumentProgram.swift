import Dispatch
import DocumentTestSupport
import DocumentVersions
import Foundation

/// A program for tests that works on a document as an app does, in its own event loop.
///
/// `DocumentProgram LOOP STORY FILE`. The loop is `run-loop`, `dispatch` or `idle`. The last one stands for
/// another library's loop, which doesn't serve the main queue itself and gives it a turn in an idle handler.
/// The story is `edit`, `autosave`, `look`, `locked` or `many`.
@main
struct DocumentProgram {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let loop = arguments.first, let path = arguments.last else {
      exit(2)
    }
    let story = arguments[arguments.startIndex + 1]
    Task { @MainActor in
      do {
        let session = Session(URL(filePath: path))
        switch story {
        case "edit": try await session.edit()
        case "autosave": try await session.autosave()
        case "look": try await session.look()
        case "elsewhere": try await session.saveElsewhere()
        case "locked": try await session.editInLockedFolder()
        case "many": try await session.openMany(500)
        default: exit(2)
        }
        exit(0)
      } catch {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
      }
    }
    switch loop {
    case "run-loop": while true { RunLoop.main.run() }
    case "dispatch": dispatchMain()
    default: runForeignLoop()
    }
  }

  /// Waits only for its own events, as GTK's loop does.
  private static func runForeignLoop() -> Never {
    while true {
      poll(nil, 0, 1)
      // This is the idle handler.
      RunLoop.main.run(until: Date())
    }
  }
}

/// A person who works on a note.
@MainActor
private final class Session {
  private let note: Note
  private let url: URL

  init(_ url: URL) {
    self.url = url
    let policy = AutosavePolicy(idleTime: .milliseconds(30), longestDelay: .milliseconds(200))
    note = Note(
      fileURL: url,
      environment: DocumentEnvironment(
        store: VersionStore(identity: Identity(author: "Mira", device: "mira-laptop")),
        autosave: policy))
  }

  /// Opens, types, lets the note autosave, saves, follows another program's change, saves and closes.
  func edit() async throws {
    try await note.open()
    print("opened: \(note.text)")
    note.type("a map")
    try await wait { !self.note.hasUnsavedChanges && self.note.state == [] }
    print("autosaved: \(try String(contentsOf: url, encoding: .utf8))")
    // Saved contents may be replaced in memory.
    try await note.save()
    let url = url
    Thread.detachNewThread {
      do {
        try Data("a stove".utf8).write(to: url, options: .atomic)
      } catch {
        print("not written: \(error)")
      }
    }
    try await wait { self.note.text == "a stove" }
    print("noticed: \(note.text)")
    note.type("a cup")
    try await note.save()
    let versions = try await note.environment.store.history(of: url).versions
    print("saved: \(versions.contains { $0.isCurrent })")
    try await note.close()
    print("closed: \(note.state == .closed)")
  }

  /// Types, and waits until the note has autosaved, or has failed to three times.
  func autosave() async throws {
    try await note.open()
    note.type("a map")
    // A save ends a moment after there are no unsaved changes any more; an earlier error stays until then.
    try await wait {
      !self.note.hasUnsavedChanges && !self.note.state.contains(.savingError)
        || self.note.failures >= 3
    }
    let hasError = note.state.contains(.savingError)
    print("failures: \(note.failures)")
    print("unsaved: \(note.hasUnsavedChanges)")
    print("error: \(hasError)")
    print("text: \(note.text)")
  }

  /// Opens, and tries to edit.
  func look() async throws {
    try await note.open()
    print("opened: \(note.text)")
    print("read-only: \(note.state.contains([.readOnly, .editingDisabled]))")
    note.type("a map")
    print("unsaved: \(note.hasUnsavedChanges)")
    do { try await note.save() } catch let error as DocumentError {
      print("\(error.code.rawValue)")
    }
    try await note.close()
  }

  /// Saves to another folder, and edits there.
  func saveElsewhere() async throws {
    try await note.open()
    print("read-only: \(note.state.contains([.readOnly, .editingDisabled]))")
    let folder = url.deletingLastPathComponent().deletingLastPathComponent()
    try await note.save(to: folder.appending(path: "Copy.md"), for: .creating)
    print("normal: \(note.state == [])")
    note.type("a map")
    try await note.close()
  }

  /// Types while the folder can't be written, until it can be written again.
  func editInLockedFolder() async throws {
    try await note.open()
    try await note.save()
    let folder = url.deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    note.type("a map")
    try await wait { self.note.failures >= 2 }
    print("unsaved: \(note.hasUnsavedChanges)")
    print("error: \(note.lastError.map { "\($0)" } ?? "none")")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    try await wait { !self.note.hasUnsavedChanges }
    print("saved: \(try String(contentsOf: url, encoding: .utf8))")
    try await note.close()
  }

  /// Creates, opens and closes many documents in the folder of this one.
  func openMany(_ count: Int) async throws {
    let folder = url.deletingLastPathComponent()
    let (environment, clock) = (note.environment, ContinuousClock())
    var notes: [Note] = []
    var times: [Duration] = []
    // The shared parts of all documents are in memory by then.
    try await note.create()
    let before = residentKilobytes()
    for number in 0..<count {
      let note = Note(
        fileURL: folder.appending(path: "\(number).md"), environment: environment)
      times.append(try await clock.measure { try await note.create() })
      notes.append(note)
    }
    let open = residentKilobytes()
    try Data("a stove".utf8).write(to: notes[7].fileURL, options: .atomic)
    let noticed = try await clock.measure { try await wait { notes[7].text == "a stove" } }
    for note in notes { try await note.close() }
    var opened: [Duration] = []
    for note in notes { opened.append(try await clock.measure { try await note.open() }) }
    for note in notes { try await note.close() }
    notes = []
    func middle(_ times: ArraySlice<Duration>) -> Double {
      times.sorted()[times.count / 2] / .milliseconds(1)
    }
    for (name, times) in [("created", times), ("opened", opened)] {
      print("\(name): \(middle(times.prefix(50))) ms, the last \(middle(times.suffix(50))) ms")
    }
    print("noticed after: \(noticed / .milliseconds(1)) ms")
    print("memory: \(before) kB, open \(open) kB, closed \(residentKilobytes()) kB")
  }

  private func residentKilobytes() -> Int {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }

  private func wait(_ condition: () -> Bool) async throws {
    guard try await comesTrue(condition) else { throw CancellationError() }
  }
}

private final class Note: Document {
  private(set) var text = ""
  private(set) var failures = 0

  func type(_ new: String) {
    text = new
    updateChangeCount(.done)
  }

  override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
  }

  override func handle(_ error: any Error) { failures += 1 }
}
