internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// A document that windows show: it is opened for the first one, and closed some time after the last one.
@MainActor
final class OpenDocument {
  /// The phase of an open document's life.
  enum Phase: String, Encodable {
    case opening, open
    /// The document can't be shown; the message gives the reason.
    case refused
    /// The document was deleted, here or elsewhere.
    case closed
  }

  let document: TextDocument
  private(set) var phase = Phase.opening
  private(set) var message: String?
  /// The progress of its download, from 0 to 1; nil while it isn't being downloaded.
  private(set) var downloaded: Double?
  /// The number of windows that show it.
  var windows = 0
  private let onChange: @MainActor () -> Void
  private var opening: Task<Void, Never>?
  private var downloading: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// Begins to open a document.
  ///
  /// - Parameters:
  ///   - isDownloaded: false for a document that is only listed; opening downloads it.
  ///   - onChange: called after each change that the windows show.
  init(
    _ url: URL, in store: VersionStore, isDownloaded: Bool = true,
    onChange: @escaping @MainActor () -> Void
  ) {
    var store = store
    let (progress, changes) = OperationProgress.following()
    if !isDownloaded { store.progress = progress }
    document = TextDocument(fileURL: url, environment: DocumentEnvironment(store: store))
    self.onChange = onChange
    document.onChange = onChange
    guard !isDownloaded else { return }
    downloaded = 0
    downloading = Task { [weak self] in
      for await fraction in changes { self?.advance(to: fraction) }
    }
  }

  private func advance(to fraction: Double) {
    // The progress goes in steps of a hundredth, so that a long download doesn't wake the windows for each
    // packet.
    guard let before = downloaded, abs(fraction - before) >= 0.01 else { return }
    downloaded = fraction
    onChange()
  }

  /// Returns the document once it is open.
  ///
  /// - Throws: ``PageError`` if it can't be opened, or is closed.
  func opened() async throws -> TextDocument {
    begin()
    await opening?.value
    switch phase {
    case .open: return document
    case .closed: throw PageError(.gone, "The document was deleted or moved away.")
    case .opening, .refused:
      throw PageError(.conflict, message ?? "The document could not be opened.")
    }
  }

  /// Opens the document, unless that has already begun.
  func begin() {
    guard opening == nil else { return }
    opening = Task { [weak self] in await self?.open() }
  }

  private func open() async {
    defer { onChange() }
    do {
      defer {
        downloading?.cancel()
        downloaded = nil
      }
      try await document.open()
      phase = .open
      following = Task { [weak self, states = document.states] in
        for await state in states { self?.follow(state) }
      }
    } catch {
      phase = .refused
      message = PageError(error).message
    }
  }

  private func follow(_ state: DocumentState) {
    phase = state.contains(.closed) ? .closed : .open
    onChange()
  }

  /// Closes the document; its edits become a version.
  func close() async throws {
    await opening?.value
    following?.cancel()
    try await document.close()
    phase = .closed
  }
}

extension OperationProgress {
  /// Returns a progress, and the stream of its fractions.
  fileprivate static func following() -> (OperationProgress, AsyncStream<Double>) {
    let (changes, change) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    return (OperationProgress { change.yield($0.fractionCompleted) }, changes)
  }
}
