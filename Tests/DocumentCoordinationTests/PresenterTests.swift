import Dispatch
import DocumentProgress
import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// Presenters beside programs that don't coordinate, and accesses of code that waits or is isolated.
@Suite("Presenters")
@MainActor
struct PresenterTests {
  private let scratch: ScratchFolder
  private let note: URL

  init() throws {
    scratch = try ScratchFolder()
    note = try scratch.write("a tent", to: "desk/Note.md")
  }

  private func present(_ url: URL) async throws -> ViewModel {
    let model = ViewModel(url)
    try await FileCoordinator.addFilePresenter(model)
    return model
  }

  /// Expects messages, one of which may come twice, because a file that is written in place changes twice.
  private func expect(_ messages: [String], of model: ViewModel) async throws {
    func heard() -> [String] {
      model.messages.reduce(into: []) { heard, message in
        if heard.last != message || message.hasPrefix("moved") { heard.append(message) }
      }
    }
    _ = try await comesTrue { heard() == messages }
    #expect(heard() == messages)
  }

  /// Renames an item as `mv` does.
  private func move(_ former: URL, to new: URL) { #expect(rename(former.path, new.path) == 0) }

  // MARK: What others do without coordinating

  @Test(
    "A presenter of a package hears of what changes in it, with a slash in its URL and without",
    arguments: [true, false])
  func package(hasSlash: Bool) async throws {
    try scratch.write("a map", to: "desk/Trip.imagenotes/map.txt")
    let url = URL(
      filePath: scratch["desk/Trip.imagenotes"].path,
      directoryHint: hasSlash ? .isDirectory : .notDirectory)
    let model = try await present(url)
    try scratch.write("a new map", to: "desk/Trip.imagenotes/map.txt")
    try await expect(["changed map.txt"], of: model)
    try FileManager.default.createDirectory(
      at: url.appending(path: "photos"), withIntermediateDirectories: false)
    try await expect(["changed map.txt", "appeared photos"], of: model)
    // It appears whole: of one that is written in place, its change could be a message of its own.
    try scratch.write("a lake", to: "lake.png")
    move(scratch["lake.png"], to: scratch["desk/Trip.imagenotes/photos/1.png"])
    try await expect(["changed map.txt", "appeared photos", "appeared 1.png"], of: model)
    await FileCoordinator.removeFilePresenter(model)
  }

  @Test("A presenter follows a plain rename, and is asked and notified at the new place")
  func renamed() async throws {
    let model = try await present(note)
    let plan = scratch["desk/Plan.md"]
    move(note, to: plan)
    try await expect(["moved to Plan.md"], of: model)
    try Data("a stove".utf8).write(to: plan)
    try await expect(["moved to Plan.md", "changed"], of: model)
    try await FileCoordinator(patience: .seconds(900)).coordinate(writingItemAt: plan) {
      try Data("a cup".utf8).write(to: $0)
    }
    try await expect(["moved to Plan.md", "changed", "relinquish", "changed"], of: model)
    await FileCoordinator.removeFilePresenter(model)
  }

  @Test("An item that an editor puts aside for a moment was not renamed")
  func putAside() async throws {
    let model = try await present(note)
    move(note, to: scratch["desk/Note.md~"])
    try Data("a stove".utf8).write(to: note)
    try await expect(["changed"], of: model)
    await FileCoordinator.removeFilePresenter(model)
  }

  @Test("A document with versions that was moved to another folder is followed")
  func movedElsewhere() async throws {
    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    try await store.save(note)
    let model = try await present(note)
    try FileManager.default.createDirectory(
      at: scratch["desk/old"], withIntermediateDirectories: false)
    move(note, to: scratch["desk/old/Note.md"])
    _ = try await comesTrue { model.url == scratch["desk/old/Note.md"] }
    #expect(model.url?.path == scratch["desk/old/Note.md"].path)
    await FileCoordinator.removeFilePresenter(model)
  }

  // MARK: Where accessors run

  @Test("An accessor runs off the main actor, unless it is declared to run there")
  func isolation() async throws {
    let coordinator = FileCoordinator()
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    let isMain = { @Sendable () -> Bool in DispatchQueue.getSpecific(key: mark) == true }
    #expect(isMain())
    let isMainByDefault = try await coordinator.coordinate(writingItemAt: note) { _ in isMain() }
    #expect(!isMainByDefault)
    let isMainWhereAsked = try await coordinator.coordinate(writingItemAt: note) {
      @MainActor _ in isMain()
    }
    #expect(isMainWhereAsked)
  }

  @Test("An access that waits is one as any other: presenters are asked, and errors come back")
  func waiting() async throws {
    let model = try await present(note)
    let plan = scratch["desk/Plan.md"]
    let note = note
    let text = try await onThread {
      let coordinator = FileCoordinator(patience: .seconds(900))
      return try coordinator.coordinateAndWait(with: [
        .writingIntent(with: note, options: .forMoving),
        .writingIntent(with: plan, options: .forReplacing),
      ]) {
        let text = try String(contentsOf: note, encoding: .utf8)
        try FileManager.default.moveItem(at: note, to: plan)
        try coordinator.item(at: note, didMoveTo: plan)
        return text
      }
    }
    #expect(text == "a tent")
    try await expect(["relinquish", "moved to Plan.md"], of: model)
    await FileCoordinator.removeFilePresenter(model)
    await #expect(throws: CocoaError.self) {
      try await onThread {
        try FileCoordinator().coordinateAndWait(readingItemAt: plan) { _ in
          throw CocoaError(.fileReadCorruptFile)
        }
      }
    }
    let code = try await onThread { () -> CoordinationError.Code? in
      do {
        try FileCoordinator().coordinateAndWait(writingItemAt: plan) { _ in
          try FileCoordinator(patience: .milliseconds(50)).coordinateAndWait(readingItemAt: plan) {
            _ in
          }
        }
        return nil
      } catch let error as CoordinationError {
        return error.code
      }
    }
    #expect(code == .wouldDeadlock)
  }

  // MARK: Progress

  @Test("Foundation’s progress shows a save, and cancels it")
  func progress() async throws {
    let shown = Progress(totalUnitCount: -1)
    var store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    store.progress = OperationProgress(reportingTo: shown)
    try Data(repeating: 7, count: 300_000).write(to: note)
    try await store.save(note)
    #expect(shown.totalUnitCount >= 300_000)
    #expect(shown.completedUnitCount == shown.totalUnitCount)
    shown.cancel()
    try Data(repeating: 8, count: 300_000).write(to: note)
    await #expect(throws: CancellationError.self) { try await store.save(note) }
  }
}

/// The model of an app's view, a class on the main actor without isolation annotations.
@MainActor
private final class ViewModel: FilePresenter {
  private(set) var url: URL?
  private(set) var messages: [String] = []

  init(_ url: URL) { self.url = url }

  var presentedItemURL: URL? { url }

  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    messages.append("relinquish")
    return nil
  }
  func presentedItemDidChange() async { messages.append("changed") }
  func presentedItemDidMove(to url: URL) async {
    self.url = url
    messages.append("moved to \(url.lastPathComponent)")
  }
  func presentedSubitemDidAppear(at url: URL) async {
    messages.append("appeared \(url.lastPathComponent)")
  }
  func presentedSubitemDidChange(at url: URL) async {
    messages.append("changed \(url.lastPathComponent)")
  }
}

/// Runs blocking work on a separate thread.
private func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
