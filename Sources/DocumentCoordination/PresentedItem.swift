internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// A registered presenter of this process, with the state of its item.
final class PresentedItem: Sendable {
  /// The name that tells other processes that an access is for this presenter.
  let identifier = UUID().uuidString
  private struct State {
    var url: URL?
    var place: ItemLocation?
    /// The bytes of the item's path.
    var path: [UInt8] = []
    var invitation: Invitation?
    var watch: PresenterWatch?
    /// The last location to which the item was followed.
    var target: String?
    weak var presenter: (any FilePresenter)?
  }
  private let state = Mutex(State())

  init(_ presenter: any FilePresenter) { state.withLock { $0.presenter = presenter } }

  /// The presenter; `nil` if it was released without being removed.
  var presenter: (any FilePresenter)? { state.withLock { $0.presenter } }

  /// The watch of the item; `nil` for a presenter that watches it itself.
  var watch: PresenterWatch? { state.withLock { $0.watch } }

  /// Watches the item at another location, or stops watching it.
  func setWatch(_ watch: PresenterWatch?) async {
    let former = state.withLock { state in
      defer { state.watch = watch }
      return state.watch
    }
    await former?.end()
    await watch?.begin()
  }

  /// The location of the item; `nil` if it doesn't exist yet.
  var place: ItemLocation? { state.withLock { $0.place } }

  /// The presenter's URL of the item.
  var url: URL? { state.withLock { $0.url } }

  /// Updates the location of the item.
  func move(to url: URL?, _ place: ItemLocation?) {
    let path = place?.path.bytes ?? []
    state.withLock { ($0.url, $0.place, $0.path) = (url, place, path) }
  }

  /// Records that the item is followed to a location; false if it was already, for example by a message and by
  /// observation.
  func beginFollowing(to url: URL) -> Bool {
    state.withLock { state in
      defer { state.target = url.path }
      return state.target != url.path && state.url?.path != url.path
    }
  }

  /// Returns the way in which an access to an item concerns this one; `nil` if it doesn't.
  func concern(in reach: ItemReach) -> ItemReach.Concern? {
    let path = state.withLock { $0.path }
    return path.isEmpty ? nil : reach.concern(of: path[...])
  }

  // MARK: Saving under another access

  /// Returns the locks under which this presenter may save while another access to an item waits for it.
  func invitation(covering path: FilePath) -> Invitation? {
    state.withLock { $0.invitation }.flatMap { $0.covers(path) && $0.join() ? $0 : nil }
  }

  /// Performs work while accesses for this presenter are part of another one; returns when all of them have ended.
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

/// Locks that another process has lent.
///
/// Their file stays locked as long as it is open in this process, until the other one has ended.
final class LentLocks: Sendable {
  private let locks: Mutex<ByteLocks?>

  init(_ locks: ByteLocks?) { self.locks = Mutex(locks) }

  var current: ByteLocks? { locks.withLock { $0 } }

  /// Releases the locks; an access that uses them keeps them to its end.
  func letGo() { locks.withLock { $0 = nil } }
}

/// Allows accesses for a presenter to take part in another process's access, which waits for them.
final class Invitation: Sendable {
  /// The locks of the other access; `nil` if they belong to another container, or its process has ended.
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
    // An access that excludes nothing has no locks to take part in.
    items = access.items.filter(\.kind.isClaim)
  }

  func covers(_ path: FilePath) -> Bool {
    items.contains {
      $0.path.path == path || $0.kind.isOfAllInside && path.starts(with: $0.path.path)
    }
  }

  /// Takes part in the access; false if it is over.
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

  /// Admits no further accesses, and waits for those taking part.
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
