internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// The folder that the pages show: its documents, the open ones among them, and the windows.
@MainActor
final class PageFolder {
  /// The folder, without links in its path.
  let root: URL
  let store: VersionStore
  /// The documents, in the order of their paths.
  private(set) var items: [DocumentMetadata] = []
  /// The failure that ended the search; nil if there was none.
  private(set) var failure: String?
  /// False until the documents are known.
  private(set) var isListed = false
  /// A number that grows with each change of the list.
  private(set) var listRevision = 0
  private var paths: [String: DocumentMetadata] = [:]
  private var documents: [OpenDocument] = []
  private var conflictAnswers: [String: ConflictAnswers] = [:]
  private var windows: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastWindow = 0
  /// The time when there last was a window.
  private var lastSeen = ContinuousClock.now

  /// - Parameter folder: the folder, which must exist.
  init(_ folder: URL, store: VersionStore) {
    root = folder.resolvingSymlinksInPath()
    self.store = store
  }

  // MARK: The list

  /// Follows the folder until the task is canceled.
  func follow() async {
    // The condition matches every document, and makes the query read the edit states.
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

  /// Returns a path relative to the folder.
  func path(of path: String) -> String {
    let root = root.path
    guard path.hasPrefix(root + "/") else { return path }
    let rest = path.dropFirst(root.count + 1)
    return String(rest.last == "/" ? rest.dropLast() : rest)
  }

  /// Returns the location of a listed document; a page can name no other.
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

  /// Returns the listed properties of a document.
  func item(_ path: String) -> DocumentMetadata? { paths[path] }

  /// Saves the edits of a document as a version, because a document without versions has none to move along
  /// or to restore.
  func keepEdits(of place: URL) async throws {
    if try await store.state(of: place) != .unchanged { try await store.save(place) }
  }

  // MARK: Open documents

  /// Returns the document at a path, if a window shows it.
  func shown(_ path: String) -> OpenDocument? {
    documents.first { self.path(of: $0.document.fileURL.path) == path && $0.phase != .closed }
  }

  /// Returns the document at a path, and opens it if necessary.
  func document(_ path: String) throws -> OpenDocument {
    if let shown = shown(path) {
      guard shown.phase == .refused else { return shown }
      // Opening is tried again.
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

  /// Returns a person's answers about the conflict of the document at a path.
  func answers(about path: String) -> ConflictAnswers {
    let answers = conflictAnswers[path] ?? ConflictAnswers()
    conflictAnswers[path] = answers
    return answers
  }

  /// The size in bytes of the longest text that can be edited.
  nonisolated static let largestText = 8 << 20

  private func leave(_ document: OpenDocument) {
    document.windows -= 1
    // A page that is reloaded comes back at once.
    Task {
      try await Task.sleep(for: .seconds(3))
      guard document.windows == 0 else { return }
      // A document that couldn't be saved stays open, and is tried again.
      if document.phase == .open { try await document.close() }
      documents.removeAll { $0 === document && $0.windows == 0 }
    }
  }

  /// Closes all documents; their edits become versions.
  ///
  /// - Throws: the error of the first document that couldn't be saved, after the others were saved.
  func closeAll() async throws {
    var failure: (any Error)?
    for document in documents where document.phase == .open {
      do { try await document.close() } catch { failure = failure ?? error }
    }
    documents = []
    if let failure { throw failure }
  }

  // MARK: Windows

  /// Returns the events for a new window.
  ///
  /// - Parameters:
  ///   - document: the document that it shows; nil for only the list.
  ///   - news: returns the text of the news since its last call; empty if there are none.
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

  /// Sends every window its news.
  func wake() {
    for wake in windows.values { wake.yield() }
  }

  /// Ends all windows.
  func endWindows() {
    for wake in windows.values { wake.finish() }
  }

  /// Keeps windows alive until the last one has been closed for a while.
  ///
  /// - Parameters:
  ///   - first: the time to wait for the first window.
  ///   - patience: the time to wait for the next one.
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
