import DocumentTestSupport
import DocumentVersions
import Foundation

/// A program for tests that follows the lines of its input, as an app or a tool, and reports each step.
///
/// ```
/// present PATH [silent|silent-at-save|silent-at-deletion|refusing|saving]   registers a presenter
/// open PATH            opens a document
/// type TEXT            edits it
/// read PATH            reads it, coordinated
/// hold read|write PATH FILE    is at it until FILE is there
/// write PATH TEXT      writes it, coordinated
/// delete PATH          deletes it, coordinated
/// move PATH TARGET     moves it, coordinated
/// count PATH NUMBER    adds one to the number in it, so many times
/// purpose NAME         later accesses have this purpose
/// patience MS          how long later accesses wait
/// takeover             later accesses go on without presenters that are silent
/// wait FILE            waits for FILE
/// ```
@main
struct CoordinationProgram {
  static func main() async {
    let session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      do {
        try await session.perform(words)
      } catch let error as CoordinationError {
        report(
          "error: \(error.code.rawValue) \(error.process.map { "\($0)" } ?? "-") \(error.message)")
      } catch {
        report("error: \(error)")
      }
    }
  }
}

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

@MainActor
private final class Session {
  private var presenters: [Presenter] = []
  private var note: Note?
  private var patience = Duration.seconds(120)
  private var takesOver = false
  private var purpose: String?

  private var coordinator: FileCoordinator {
    FileCoordinator(purposeIdentifier: purpose, patience: patience, takesOver: takesOver)
  }

  func perform(_ words: [String]) async throws {
    guard let command = words.first else { return }
    let url = words.count > 1 ? URL(filePath: words[1]) : URL(filePath: "/")
    switch command {
    case "present":
      let presenter = Presenter(url, words.count > 2 ? words[2] : "")
      try await FileCoordinator.addFilePresenter(presenter)
      presenters.append(presenter)
      report("presents")
    case "open":
      let note = Note(
        fileURL: url,
        environment: DocumentEnvironment(
          store: VersionStore(identity: Identity(author: "Mira", device: "mira-laptop")),
          autosave: AutosavePolicy(idleTime: .seconds(600), longestDelay: .seconds(600))))
      try await note.open()
      self.note = note
      report("opened \(note.text)")
    case "type":
      note?.type(words.dropFirst().joined(separator: " "))
      report("typed")
    case "text": report("text \(note?.text ?? "")")
    case "await":
      guard let note else { return }
      let wanted = words.dropFirst().joined(separator: " ")
      _ = try await comesTrue { note.text == wanted }
      report("shows \(note.text)")
    case "read":
      let text = try await coordinator.coordinate(readingItemAt: url) {
        try String(contentsOf: $0, encoding: .utf8)
      }
      report("read \(text)")
    case "write":
      let text = words.dropFirst(2).joined(separator: " ")
      try await coordinator.coordinate(writingItemAt: url) { try Data(text.utf8).write(to: $0) }
      report("written")
    case "delete":
      try await coordinator.coordinate(writingItemAt: url, options: .forDeleting) {
        try FileManager.default.removeItem(at: $0)
      }
      report("deleted")
    case "move":
      let coordinator = coordinator
      try await coordinator.coordinate(
        writingItemAt: url, options: .forMoving, writingItemAt: URL(filePath: words[2]),
        options: .forReplacing
      ) { from, target in
        try FileManager.default.moveItem(at: from, to: target)
        try coordinator.item(at: from, didMoveTo: target)
      }
      report("moved")
    case "hold": try await hold(words)
    case "count": try await count(url, Int(words[2]) ?? 0)
    case "patience": patience = .milliseconds(Int(words[1]) ?? 0)
    case "takeover": takesOver = true
    case "purpose": purpose = words[1]
    case "wait":
      _ = await eventually { FileManager.default.fileExists(atPath: words[1]) }
      report("went on")
    default: report("error: no command \(command)")
    }
  }

  private func hold(_ words: [String]) async throws {
    let url = URL(filePath: words[2])
    let stay = { @Sendable (_: URL) async in
      report("inside")
      _ = await eventually { FileManager.default.fileExists(atPath: words[3]) }
    }
    if words[1] == "read" {
      try await coordinator.coordinate(readingItemAt: url, byAccessor: stay)
    } else {
      try await coordinator.coordinate(writingItemAt: url, byAccessor: stay)
    }
    report("left")
  }

  /// Adds one repeatedly; an update that another program doesn't see is lost.
  private func count(_ url: URL, _ number: Int) async throws {
    var longest = Duration.zero
    for _ in 0..<number {
      let start = ContinuousClock.now
      let waited = try await coordinator.coordinate(writingItemAt: url) { url in
        let waited = ContinuousClock.now - start
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data("\((Int(text) ?? 0) + 1)".utf8).write(to: url)
        return waited
      }
      longest = max(longest, waited)
    }
    report("counted, waited at most \(Int(longest / .milliseconds(1))) ms")
  }
}

private final class Presenter: FilePresenter {
  let url: URL
  private let manner: String

  init(_ url: URL, _ manner: String) {
    self.url = url
    self.manner = manner
  }

  var presentedItemURL: URL? { url }

  func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? {
    await answer("relinquish to reader")
  }

  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    await answer("relinquish to writer")
  }

  private func answer(_ message: String) async -> Reacquirer? {
    report(message)
    if manner == "silent" { await forever() }
    return { report("reacquire") }
  }

  private func forever() async { _ = await eventually(within: .seconds(3_600)) { false } }

  func savePresentedItemChanges() async throws {
    report("save")
    if manner == "silent-at-save" { await forever() }
    if manner == "refusing" { throw CocoaError(.fileWriteOutOfSpace) }
    if manner == "saving" {
      let coordinator = FileCoordinator(filePresenter: self)
      try await coordinator.coordinate(writingItemAt: url) { url in
        try Data("saved when asked".utf8).write(to: url)
      }
    }
  }

  func accommodatePresentedItemDeletion() async throws {
    report("make way")
    if manner == "silent-at-deletion" { await forever() }
    if manner == "refusing" { throw CocoaError(.fileWriteOutOfSpace) }
  }

  func accommodatePresentedSubitemDeletion(at url: URL) async throws {
    report("make way for \(url.lastPathComponent)")
  }
  func presentedItemDidMove(to url: URL) async { report("moved to \(url.lastPathComponent)") }
  func presentedItemDidChange() async { report("changed") }
  func presentedSubitemDidAppear(at url: URL) async { report("appeared \(url.lastPathComponent)") }
  func presentedSubitemDidChange(at url: URL) async { report("changed \(url.lastPathComponent)") }
  func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    report("moved \(former.lastPathComponent) to \(url.lastPathComponent)")
  }
}

private final class Note: Document {
  private(set) var text = ""

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
}
