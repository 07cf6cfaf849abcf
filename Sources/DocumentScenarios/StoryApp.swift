internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// The app in which a person has documents open.
///
/// Its autosave clock stands still unless the story lets time pass.
@MainActor
final class StoryApp {
  private let clock = ManualClock()
  private let disk = StoryDisk()
  private let time: Mutex<Date>
  private let identity: Identity
  private var documents: [StoryDocument] = []

  nonisolated init(identity: Identity, time: Date) {
    self.identity = identity
    self.time = Mutex(time)
  }

  /// Sets the time of new versions.
  nonisolated func setTime(_ new: Date) { time.withLock { $0 = new } }

  /// True if the app does nothing until it continues.
  nonisolated var isStopped: Bool { disk.isAppStopped.withLock { $0 } }

  /// Returns the open document at a location.
  func document(at url: URL) -> StoryDocument? {
    documents.first { $0.isOpen && $0.fileURL.standardizedFileURL == url.standardizedFileURL }
  }

  private func opened(_ url: URL) throws -> StoryDocument {
    guard let document = document(at: url) else {
      throw Mismatch("“\(url.lastPathComponent)” is not open", code: "closed")
    }
    return document
  }

  /// Lets each open document check its file.
  func follow() async {
    // A stopped app checks nothing.
    guard !isStopped else { return }
    for document in documents where document.isOpen {
      await document.check()
      await document.settle()
    }
  }

  /// Performs a deed in the app.
  ///
  /// - Parameters:
  ///   - deed: any deed.
  ///   - device: the device on which the app runs.
  /// - Returns: false for a deed that is performed outside the app, for example on a document that isn't
  ///   open.
  func perform(_ deed: ScenarioStep.Deed, on device: Device) async throws -> Bool {
    switch deed {
    case .open(let document): try await open(device.url(document))
    case .create(let document): try await create(at: device.url(document))
    case .createNumbered(let name): try await createNumbered(device.url(name))
    case .type(let file, let document):
      try opened(device.url(document)).type(device.contents(file))
    case .undoTyping(let document):
      let document = try opened(device.url(document))
      guard document.undoManager?.canUndo == true else { throw Self.nothingToUndo }
      document.undoManager?.undo()
    case .redoTyping(let document):
      let document = try opened(device.url(document))
      guard document.undoManager?.canRedo == true else { throw Self.nothingToUndo }
      document.undoManager?.redo()
    case .revert(let document): try await opened(device.url(document)).revert()
    case .close(let document): try await opened(device.url(document)).close()
    case .wait(let seconds): await pass(.seconds(seconds))
    case .crash: await crash()
    case .fillDisk(let isFull): disk.isFull = isFull
    case .stopAnswering(let isStopped): disk.isAppStopped.withLock { $0 = isStopped }
    default: return try await performIfOpen(deed, on: device)
    }
    return true
  }

  /// Performs a deed that would be performed outside the app if the document weren't open.
  private func performIfOpen(_ deed: ScenarioStep.Deed, on device: Device) async throws -> Bool {
    switch deed {
    case .save(let name, contents: nil, base: nil, let note):
      guard let document = document(at: try device.url(name)) else { return false }
      try await document.save(note: note)
    case .resolve(let name, let strategy):
      guard let document = document(at: try device.url(name)) else { return false }
      let strategy = try await device.resolution(strategy, of: name)
      try Device.check(try await document.resolve(strategy), of: name)
    case .restore(let name, let file):
      guard let document = document(at: try device.url(name)) else { return false }
      try await document.revert(to: await device.chosenVersion(of: name, from: file))
    case .delete(let name):
      guard let document = document(at: try device.url(name)) else { return false }
      try await document.delete()
    case .rename(let name, let new):
      guard let document = document(at: try device.url(name)) else { return false }
      try await document.move(to: try device.url(new))
    default: return false
    }
    return true
  }

  private static let nothingToUndo = Mismatch("there is nothing to undo", code: "nothing-to-undo")

  // MARK: Opening

  private func make(_ url: URL) -> StoryDocument {
    let store = VersionStore(identity: identity) { [self] in time.withLock { $0 } }
    var environment = DocumentEnvironment(store: store, clock: clock.clock)
    // Documents check their files after each step instead, so that a story always goes the same way.
    environment.observesFiles = false
    return StoryDocument(url, environment, on: disk)
  }

  private func open(_ url: URL) async throws {
    let document = document(at: url) ?? make(url)
    try await document.open()
    documents.append(document)
  }

  private func create(at url: URL) async throws {
    let document = make(url)
    try await document.create()
    documents.append(document)
  }

  /// Creates "Note 1.md" for "Note.md", or with the first number that is free.
  private func createNumbered(_ url: URL) async throws {
    try await create(
      at: DocumentName.unused(
        in: url.deletingLastPathComponent(),
        prefix: url.deletingPathExtension().lastPathComponent, pathExtension: url.pathExtension))
  }

  // MARK: Time

  private func pass(_ duration: Duration) async {
    // The time passes in steps, so that a document that must save after some time does so then.
    var rest = duration
    while rest > .zero {
      let isBusy = clock.waiting > 0 || documents.contains { $0.isOpen && $0.hasUnsavedChanges }
      let step = isBusy ? min(rest, .seconds(1)) : rest
      clock.advance(step)
      rest -= step
      for document in documents where document.isOpen { await document.settle() }
    }
  }

  /// Ends the app; unwritten changes are lost.
  private func crash() async {
    for document in documents {
      await document.settle()
      await document.didClose()
    }
    documents = []
  }
}
