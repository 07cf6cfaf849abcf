package import DocumentPresenting
package import DocumentStore
package import Foundation
internal import Synchronization

/// A presenter that delivers its messages as a sequence, for code that is a loop.
///
/// ```swift
/// let messages = try await FilePresenterMessages(of: url)
/// for await message in messages {
///   switch message.kind {
///   case .saveChanges: await message.answer { try await editor.save() }
///   case .changed: await editor.reload()
///   default: break
///   }
/// }
/// ```
///
/// It presents the item from its creation until ``end()`` is called or the loop ends. Messages arrive one after
/// another.
package final class FilePresenterMessages: AsyncSequence, Sendable {
  /// A message; the access that sent it waits until the message is answered or released.
  package final class Message: Sendable {
    /// The kind of a message.
    package enum Kind: Sendable {
      /// Another program is about to read the item.
      case relinquishToReader(FileAccess)
      /// Another program is about to write the item.
      case relinquishToWriter(FileAccess)
      /// The access for which the item was relinquished is over.
      case reacquire
      /// Unsaved changes should be saved.
      case saveChanges
      /// The item is about to be deleted.
      case deletion
      /// The item was moved.
      case moved(URL)
      /// The item changed.
      case changed
      /// An item in the presented folder is about to be deleted.
      case subitemDeletion(URL)
      /// An item appeared in the presented folder.
      case subitemAppeared(URL)
      /// An item of the presented folder was moved.
      case subitemMoved(URL, URL)
      /// An item in the presented folder changed.
      case subitemChanged(URL)
      /// The item has a new version.
      case gained(FileVersion)
      /// A version of the item was removed.
      case lost(FileVersion)
      /// A conflict of the item was resolved.
      case resolvedConflict(FileVersion)
    }

    /// The kind of the message.
    package let kind: Kind
    private let waiting: Mutex<CheckedContinuation<Result<Void, any Error>, Never>?>

    init(_ kind: Kind, _ waiting: CheckedContinuation<Result<Void, any Error>, Never>?) {
      self.kind = kind
      self.waiting = Mutex(waiting)
    }

    deinit { finish(.success(())) }

    /// Answers that the request succeeded; a second answer has no effect.
    package func answer() { finish(.success(())) }

    /// Answers that the request failed, so that the access fails.
    package func refuse(_ error: any Error) { finish(.failure(error)) }

    /// Performs the request, and answers.
    package func answer(by body: () async throws -> Void) async {
      do {
        try await body()
        answer()
      } catch {
        refuse(error)
      }
    }

    private func finish(_ result: Result<Void, any Error>) {
      let continuation = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      continuation?.resume(returning: result)
    }
  }

  private let presenter: StreamPresenter
  private let stream: AsyncStream<Message>

  /// Presents an item from now on.
  ///
  /// - Throws: the errors of ``FileCoordinator/addFilePresenter(_:)``.
  package init(of url: URL) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
    self.stream = stream
    presenter = StreamPresenter(url, continuation)
    try await FileCoordinator.addFilePresenter(presenter)
    continuation.onTermination = { [weak presenter] _ in
      guard let presenter else { return }
      Task { await FileCoordinator.removeFilePresenter(presenter) }
    }
  }

  /// Stops presenting the item; the loop ends.
  package func end() { presenter.end() }

  /// Returns the messages from now on, for one loop.
  package func makeAsyncIterator() -> AsyncStream<Message>.Iterator { stream.makeAsyncIterator() }

  /// The presenter for this sequence's own accesses, about which it receives no messages.
  package var filePresenter: any FilePresenter { presenter }
}

/// A presenter that forwards its messages.
private final class StreamPresenter: FilePresenter {
  private let place: Mutex<URL>
  private let messages: AsyncStream<FilePresenterMessages.Message>.Continuation

  init(_ url: URL, _ messages: AsyncStream<FilePresenterMessages.Message>.Continuation) {
    place = Mutex(url)
    self.messages = messages
  }

  func end() { messages.finish() }

  var presentedItemURL: URL? { place.withLock { $0 } }

  /// Forwards a message, and waits for the answer.
  private func ask(_ kind: FilePresenterMessages.Message.Kind) async throws {
    try await withCheckedContinuation { continuation in
      _ = messages.yield(.init(kind, continuation))
    }.get()
  }

  private func tell(_ kind: FilePresenterMessages.Message.Kind) {
    _ = messages.yield(.init(kind, nil))
  }

  func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? {
    await letGo(.relinquishToReader(reader))
  }

  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    await letGo(.relinquishToWriter(writer))
  }

  private func letGo(_ kind: FilePresenterMessages.Message.Kind) async -> Reacquirer? {
    // Relinquishing can't be refused.
    do { try await ask(kind) } catch {}
    return { self.tell(.reacquire) }
  }

  func savePresentedItemChanges() async throws { try await ask(.saveChanges) }
  func accommodatePresentedItemDeletion() async throws { try await ask(.deletion) }
  func accommodatePresentedSubitemDeletion(at url: URL) async throws {
    try await ask(.subitemDeletion(url))
  }

  func presentedItemDidMove(to url: URL) async {
    place.withLock { $0 = url }
    tell(.moved(url))
  }

  func presentedItemDidChange() async { tell(.changed) }
  func presentedSubitemDidAppear(at url: URL) async { tell(.subitemAppeared(url)) }
  func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    tell(.subitemMoved(former, url))
  }
  func presentedSubitemDidChange(at url: URL) async { tell(.subitemChanged(url)) }
  func presentedItemDidGain(_ version: FileVersion) async { tell(.gained(version)) }
  func presentedItemDidLose(_ version: FileVersion) async { tell(.lost(version)) }
  func presentedItemDidResolveConflict(_ version: FileVersion) async {
    tell(.resolvedConflict(version))
  }
}
