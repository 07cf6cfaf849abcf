import DocumentVersions
import Foundation
import Synchronization

/// The calls of a document in order, as a text to compare with the description of the sequence.
final class CallLog: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The calls since the last time.
  func take() -> String {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.joined(separator: "\n")
    }
  }

  var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

/// A document that records each call with the state at that moment, and the kind of thread on which its file
/// is accessed.
@MainActor
final class TracedNote: Document {
  let log = CallLog()
  private(set) var text = ""
  private var stateLog: Task<[String], Never>?

  override var fileFormat: (any DocumentFileFormat)? { TracedFormat(log: log, document: fileURL) }

  /// Changes the text, so that it can be undone.
  func type(_ new: String) {
    let old = text
    undoManager?.registerUndo(withTarget: self) { $0.type(old) }
    text = new
  }

  /// Runs a closure, and records lines before and after it, and the states of the document.
  func record(_ name: String, _ body: () async throws -> Void) async rethrows {
    note(name)
    try await body()
    note("\(name) is over")
  }

  func note(_ call: String) { log.add("\(call): \(state.words)") }

  /// Records all states until the document is closed.
  func recordStates() {
    let states = states
    stateLog = Task {
      var seen: [String] = []
      for await state in states {
        seen.append(state.words)
        if state == .closed, seen.count > 1, seen.contains(where: { !$0.hasPrefix("closed") }) {
          break
        }
      }
      return seen
    }
  }

  /// The states that the document was in until it was closed.
  var recordedStates: [String] { get async { await stateLog?.value ?? [] } }

  override func contents(forType type: String) throws -> DocumentContents {
    note("contents")
    return .data(Data(text.utf8))
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    note("load \(reason)")
    if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
  }

  override func fileAttributes(for operation: SaveOperation) throws -> DocumentFileAttributes {
    note("file attributes")
    return try super.fileAttributes(for: operation)
  }

  override func save(to url: URL, for operation: SaveOperation) async throws {
    note("save for \(operation)")
    try await super.save(to: url, for: operation)
  }

  override func autosave() async -> Bool {
    note("autosave")
    return await super.autosave()
  }

  override func disableEditing() { note("disable editing") }
  override func enableEditing() { note("enable editing") }
  override func handle(_ error: any Error) { note("handle an error") }
}

/// A format that reads and writes a text unchanged, and records that.
private struct TracedFormat: DocumentFileFormat {
  let log: CallLog
  let document: URL

  private var thread: String { Thread.isMainThread ? "the main thread" : "a file thread" }

  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents {
    log.add("  read on \(thread)")
    return try DocumentContents(contentsOf: url)
  }

  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws {
    let isElsewhere = url != document && url.lastPathComponent == document.lastPathComponent
    let place = isElsewhere ? "beside the document" : "over the document"
    let original = try originalContentsURL.map {
      "which still holds “\(try String(contentsOf: $0, encoding: .utf8))”"
    }
    log.add("  write on \(thread), \(place), \(original ?? "which is not there yet")")
    try contents.write(to: url)
  }
}

extension DocumentState {
  /// The state's names, "normal" for none.
  var words: String {
    let names: [(DocumentState, String)] = [
      (.closed, "closed"), (.inConflict, "in conflict"), (.savingError, "saving error"),
      (.editingDisabled, "editing disabled"), (.progressAvailable, "progress"),
    ]
    let found = names.filter { contains($0.0) }.map(\.1)
    return found.isEmpty ? "normal" : found.joined(separator: " + ")
  }
}
