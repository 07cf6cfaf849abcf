import DocumentTestSupport
import DocumentVersions
import Foundation

/// A document with a text, which records the calls that it gets.
@MainActor
final class Note: Document {
  private(set) var text = ""
  private(set) var calls: [String] = []
  private(set) var errors: [any Error] = []
  /// The error that the next call of one of the two methods throws.
  var failure: (any Error)?
  /// The error that the next load throws.
  var failWhileLoading: (any Error)?
  /// Called once, before the document saves for another program.
  var onRequest: (@MainActor () async throws -> Void)?

  /// Changes the text as typing does, so that it can be undone.
  func type(_ new: String) {
    let old = text
    undoManager?.registerUndo(withTarget: self) { $0.type(old) }
    undoManager?.setActionName("Text Change")
    text = new
  }

  override func contents(forType type: String) throws -> DocumentContents {
    calls.append("contents")
    if let failure { throw failure }
    return .data(Data(text.utf8))
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    calls.append("load \(reason)")
    if let failure = failure ?? failWhileLoading { throw failure }
    guard case .data(let data) = contents else { throw CocoaError(.fileReadCorruptFile) }
    text = String(decoding: data, as: UTF8.self)
    if text.hasPrefix("format 2\n") { isReadOnly = true }
  }

  override func savePresentedItemChanges() async throws {
    let work = onRequest
    onRequest = nil
    try await work?()
    try await super.savePresentedItemChanges()
  }

  override func disableEditing() { calls.append("disable") }
  override func enableEditing() { calls.append("enable") }
  override func handle(_ error: any Error) { errors.append(error) }
}

/// A folder with a document of a person, and a clock for autosaving.
@MainActor
struct Desk {
  let scratch: ScratchFolder
  let clock = ManualClock()
  let url: URL
  var store: VersionStore

  init(_ text: String? = nil, name: String = "Note.md", person: String = "Mira") throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(at: scratch["desk"], withIntermediateDirectories: true)
    url = scratch["desk/\(name)"]
    store = VersionStore(identity: Identity(author: person, device: "\(person)’s laptop"))
    if let text { try write(text) }
  }

  /// The environment of documents that wait for others however long that takes, because all tests share the main actor.
  var environment: DocumentEnvironment {
    var environment = DocumentEnvironment(store: store, clock: clock.clock)
    environment.patience = .generous
    return environment
  }

  func note() -> Note { Note(fileURL: url, environment: environment) }

  /// Writes the file as another program does.
  func write(_ text: String) throws { try Data(text.utf8).write(to: url, options: .atomic) }

  var text: String { get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) } }

  var versions: [FileVersion] {
    get async throws {
      do {
        return try await store.history(of: url).versions
      } catch let error as VersionError where error.code == .noVersions {
        return []
      }
    }
  }

  func texts() async throws -> [String] {
    var texts: [String] = []
    for version in try await versions where version.fileCount > 0 {
      texts.append(String(decoding: try await version.contents(), as: UTF8.self))
    }
    return texts
  }
}
