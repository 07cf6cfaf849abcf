internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// A presenter that is registered in this process, with what is known of its item.
final class PresentedItem: Sendable {
  /// The name by which other processes know that an access is for this presenter.
  let identifier = UUID().uuidString
  private struct State {
    var url: URL?
    var place: ItemLocation?
    /// The bytes of the place's path.
    var path: [UInt8] = []
    var invitation: Invitation?
    var watch: PresenterWatch?
    /// Where the item was followed to last.
    var target: String?
    weak var presenter: (any FilePresenter)?
  }
  private let state = Mutex(State())

  init(_ presenter: any FilePresenter) { state.withLock { $0.presenter = presenter } }

  /// Nil for one that went without being removed.
  var presenter: (any FilePresenter)? { state.withLock { $0.presenter } }

  /// Watches the item; nil for a presenter that does so itself.
  var watch: PresenterWatch? { state.withLock { $0.watch } }

  /// Watches the item at another place, or no longer.
  func setWatch(_ watch: PresenterWatch?) async {
    let former = state.withLock { state in
      defer { state.watch = watch }
      return state.watch
    }
    await former?.end()
    await watch?.begin()
  }

  /// Where the item is; nil where it is not there yet.
  var place: ItemLocation? { state.withLock { $0.place } }

  /// The address by which its presenter names it.
  var url: URL? { state.withLock { $0.url } }

  /// Notes where the item is.
  func move(to url: URL?, _ place: ItemLocation?) {
    let path = place?.path.bytes ?? []
    state.withLock { ($0.url, $0.place, $0.path) = (url, place, path) }
  }

  /// Notes that the item is followed to a place; false where it has been before, as by a message and by what was seen.
  func beginFollowing(to url: URL) -> Bool {
    state.withLock { state in
      defer { state.target = url.path }
      return state.target != url.path && state.url?.path != url.path
    }
  }

  /// How this is concerned by an access to an item; nil where it is not.
  func concern(in reach: ItemReach) -> ItemReach.Concern? {
    let path = state.withLock { $0.path }
    return path.isEmpty ? nil : reach.concern(of: path[...])
  }

  // MARK: Saving under another access

  /// The locks under which this presenter may save now, while another access to an item waits for that.
  func invitation(covering path: FilePath) -> Invitation? {
    state.withLock { $0.invitation }.flatMap { $0.covers(path) && $0.join() ? $0 : nil }
  }

  /// Does something while accesses for this presenter are part of another one; returns when all of them have ended.
  func inviting<Result: Sendable>(
    _ invitation: Invitation, _ body: () async throws -> Result
  ) async throws -> Result {
    state.withLock { $0.invitation = invitation }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    state.withLock { $0.invitation = nil }
    await invitation.end()
    return try result.get()
  }
}

/// The locks that another process has lent, until it has ended: the file that they belong to stays locked as long as it is
/// open here.
final class LentLocks: Sendable {
  private let locks: Mutex<ByteLocks?>

  init(_ locks: ByteLocks?) { self.locks = Mutex(locks) }

  var current: ByteLocks? { locks.withLock { $0 } }

  /// Lets go of them; an access that uses them keeps them to its end.
  func letGo() { locks.withLock { $0 = nil } }
}

/// Lets accesses for a presenter take part in another process' access, which waits for them.
final class Invitation: Sendable {
  /// The locks of the other access; nil where they are not those of the item's container, or its process has ended.
  var locks: ByteLocks? { lent.current }
  private let lent: LentLocks
  private let items: [AccessDescription.Item]
  private struct State {
    var guests = 0
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  init(to access: AccessDescription, with locks: LentLocks) {
    lent = locks
    items = access.items
  }

  func covers(_ path: FilePath) -> Bool {
    items.contains {
      $0.path.path == path || $0.kind.isOfAllInside && path.starts(with: $0.path.path)
    }
  }

  /// Takes part; false where it is over.
  func join() -> Bool {
    state.withLock { state in
      if !state.isOver { state.guests += 1 }
      return !state.isOver
    }
  }

  func leave() {
    let waiting = state.withLock { state in
      state.guests -= 1
      defer { if state.guests == 0 { state.waiting = nil } }
      return state.guests == 0 ? state.waiting : nil
    }
    waiting?.resume()
  }

  /// Lets no more take part, and waits for those that do.
  func end() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        state.isOver = true
        if state.guests > 0 { state.waiting = continuation }
        return state.guests == 0
      }
      if isEmpty { continuation.resume() }
    }
  }
}
