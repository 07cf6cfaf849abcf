internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// The folder that the pages show: its documents, those that are open, and the windows.
@MainActor
final class PageFolder {
  /// The folder, without links in its path.
  let root: URL
  let store: VersionStore
  /// The documents, in the order of their paths.
  private(set) var items: [DocumentMetadata] = []
  /// The failure of the search, where it ended.
  private(set) var failure: String?
  /// False until the documents are known.
  private(set) var isListed = false
  /// Grows with each change of the list.
  private(set) var listRevision = 0
  private var paths: [String: DocumentMetadata] = [:]
  private var documents: [OpenDocument] = []
  private var conflictAnswers: [String: ConflictAnswers] = [:]
  private var windows: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastWindow = 0
  /// When there was a window last.
  private var lastSeen = ContinuousClock.now

  /// - Parameter folder: the folder, which is there.
  init(_ folder: URL, store: VersionStore) {
    root = folder.resolvingSymlinksInPath()
    self.store = store
  }

  // MARK: The list

  /// Follows the folder until the task is cancelled.
  func follow() async {
    // The condition holds for every document; it asks whether each was edited.
    let query = DocumentQuery(\.editState == EditState.edited || .all, in: [root])
    do {
      for try await update in query.updates(in: store) {
        query.apply(update, to: &items)
        paths = Dictionary(items.map { (path(of: $0.id), $0) }, uniquingKeysWith: { $1 })
        isListed = true
        listDidChange()
      }
    } catch {
      failure = "\(error)"
      isListed = true
      listDidChange()
    }
  }

  private func listDidChange() {
    listRevision += 1
    wake()
  }

  /// The path below the folder.
  func path(of path: String) -> String {
    let root = root.path
    guard path.hasPrefix(root + "/") else { return path }
    let rest = path.dropFirst(root.count + 1)
    return String(rest.last == "/" ? rest.dropLast() : rest)
  }

  /// The place of a document that the list has: a page can name no other.
  ///
  /// - Throws: ``PageError`` if there is none, and for a link that leads out of the folder.
  func place(of path: String) throws -> URL {
    if let open = shown(path) { return open.document.fileURL }
    guard let item = paths[path] else {
      throw PageError(.notFound, "There is no document “\(path)” in this folder.")
    }
    let target = item.url.resolvingSymlinksInPath().path
    guard target.hasPrefix(root.path + "/") else {
      throw PageError(.forbidden, "“\(path)” is a link that leads out of the folder.")
    }
    return item.url
  }

  /// What the list knows of a document.
  func item(_ path: String) -> DocumentMetadata? { paths[path] }

  /// Makes what was edited a version: a document without versions has none that go along or come back.
  func keepEdits(of place: URL) async throws {
    if try await store.state(of: place) != .unchanged { try await store.save(place) }
  }

  // MARK: Open documents

  /// The document at a path, where a window shows it.
  func shown(_ path: String) -> OpenDocument? {
    documents.first { self.path(of: $0.document.fileURL.path) == path && $0.phase != .closed }
  }

  /// The document at a path, which is opened where it is not.
  func document(_ path: String) throws -> OpenDocument {
    if let shown = shown(path) {
      guard shown.phase == .refused else { return shown }
      // It is tried anew.
      documents.removeAll { $0 === shown }
    }
    let place = try place(of: path)
    guard paths[path]?.isPackage != true else {
      throw PageError(.unsupportedMediaType, "A package has no text.")
    }
    let size = paths[path]?.size ?? 0
    guard size <= Self.largestText else {
      throw PageError(.payloadTooLarge, "A text of more than 8 MB is only shown.")
    }
    let isDownloaded = paths[path]?.downloadingStatus != .notDownloaded
    let new = OpenDocument(place, in: store, isDownloaded: isDownloaded) { [weak self] in
      self?.wake()
    }
    documents.append(new)
    new.begin()
    return new
  }

  /// What a person has answered about the conflict of the document at a path.
  func answers(about path: String) -> ConflictAnswers {
    let answers = conflictAnswers[path] ?? ConflictAnswers()
    conflictAnswers[path] = answers
    return answers
  }

  /// Bytes of the longest text that is edited.
  nonisolated static let largestText = 8 << 20

  private func leave(_ document: OpenDocument) {
    document.windows -= 1
    // A page that is loaded anew comes back at once.
    Task {
      try await Task.sleep(for: .seconds(3))
      guard document.windows == 0 else { return }
      // What could not be saved stays open, and is tried again.
      if document.phase == .open { try await document.close() }
      documents.removeAll { $0 === document && $0.windows == 0 }
    }
  }

  /// Closes all documents; what was edited becomes a version.
  ///
  /// - Throws: the error of the first that could not be saved, after the others were.
  func closeAll() async throws {
    var failure: (any Error)?
    for document in documents where document.phase == .open {
      do { try await document.close() } catch { failure = failure ?? error }
    }
    documents = []
    if let failure { throw failure }
  }

  // MARK: Windows

  /// The events for a new window.
  ///
  /// - Parameters:
  ///   - document: the document that it shows; nil for the list alone.
  ///   - news: makes the text of what is new since it was called last; empty for nothing.
  func addWindow(
    showing document: OpenDocument?, news: @escaping @MainActor @Sendable () -> String
  ) -> EventFeed {
    lastWindow += 1
    let number = lastWindow
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    windows[number] = wake
    document?.windows += 1
    wake.yield()
    return EventFeed(wakes: wakes, news: news) { [weak self] in
      guard let self, let wake = windows.removeValue(forKey: number) else { return }
      lastSeen = .now
      wake.finish()
      if let document { leave(document) }
    }
  }

  /// Sends every window what is new.
  func wake() {
    for wake in windows.values { wake.yield() }
  }

  /// Ends all windows.
  func endWindows() {
    for wake in windows.values { wake.finish() }
  }

  /// Keeps windows alive, and returns when the last one has been closed for a while.
  ///
  /// - Parameters:
  ///   - first: how long the first window is waited for.
  ///   - patience: how long the next one is waited for.
  func waitForLastWindow(first: Duration, patience: Duration) async throws {
    lastSeen = .now
    var sinceBeat = Duration.zero
    let step = Duration.milliseconds(500)
    while true {
      try await Task.sleep(for: step)
      sinceBeat += step
      if sinceBeat >= .seconds(10) {
        sinceBeat = .zero
        wake()
      }
      let limit = lastWindow == 0 ? first : patience
      if windows.isEmpty, .now - lastSeen > limit { return }
    }
  }
}
