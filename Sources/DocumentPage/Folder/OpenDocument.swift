internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// A document that at least one window shows: opened for the first, closed some time after the last.
@MainActor
final class OpenDocument {
  /// Where it is in its life.
  enum Phase: String, Encodable {
    case opening, open
    /// It can't be shown; the message says why.
    case refused
    /// It was deleted, here or elsewhere.
    case closed
  }

  let document: TextDocument
  private(set) var phase = Phase.opening
  private(set) var message: String?
  /// The windows that show it.
  var windows = 0
  private let onChange: @MainActor () -> Void
  private var opening: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// Begins to open a document.
  ///
  /// - Parameter onChange: called with each change of what ``state`` says.
  init(_ url: URL, in store: VersionStore, onChange: @escaping @MainActor () -> Void) {
    document = TextDocument(fileURL: url, environment: DocumentEnvironment(store: store))
    self.onChange = onChange
    document.onChange = onChange
  }

  /// The document, once it is open.
  ///
  /// - Throws: ``PageError`` where it can't be opened, or is closed.
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

  /// Opens it, where that was not begun.
  func begin() {
    guard opening == nil else { return }
    opening = Task { [weak self] in await self?.open() }
  }

  private func open() async {
    do {
      try await document.open()
      phase = .open
      following = Task { [weak self, states = document.states] in
        for await state in states { self?.follow(state) }
      }
    } catch {
      phase = .refused
      message = "\(error)"
    }
    onChange()
  }

  private func follow(_ state: DocumentState) {
    phase = state.contains(.closed) ? .closed : .open
    onChange()
  }

  /// Closes it; what was edited becomes a version.
  func close() async throws {
    await opening?.value
    following?.cancel()
    try await document.close()
    phase = .closed
  }
}
