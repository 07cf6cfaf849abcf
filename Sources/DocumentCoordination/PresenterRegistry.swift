internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The presenters of this process, and the sockets by which other processes reach them.
final class PresenterRegistry: Sendable {
  static let shared = PresenterRegistry()

  /// What this process has in one container.
  private struct Room {
    let server: PresenterServer
    /// The paths of what is presented, by the identifiers of presenters.
    var paths: [String: FilePath] = [:]
    /// Whether this process has locks to share there.
    var hasLocks = false

    var isNeeded: Bool { hasLocks || !paths.isEmpty }
  }

  private struct State {
    var items: [ObjectIdentifier: PresentedItem] = [:]
    var rooms: [FilePath: Room] = [:]

    /// Changes what this process has in a container, and lets other processes know.
    mutating func change(_ container: FilePath, _ change: (inout Room) -> Void) throws {
      var room = try rooms[container] ?? Room(server: PresenterServer(in: container))
      let former = room.paths
      change(&room)
      if room.paths != former || rooms[container] == nil, room.isNeeded {
        try room.server.publish(room.paths.values)
      }
      if !room.isNeeded { room.server.end() }
      rooms[container] = room.isNeeded ? room : nil
    }

    mutating func remove(_ key: ObjectIdentifier) {
      guard let item = items.removeValue(forKey: key) else { return }
      for container in item.place?.containers ?? [] {
        do { try change(container) { $0.paths[item.identifier] = nil } } catch {
          // It is asked once more, and is not concerned any longer.
        }
      }
    }
  }

  private let state = Mutex(State())

  /// Those that are registered, in no order.
  var items: [PresentedItem] {
    state.withLock { state in
      for (key, item) in state.items where item.presenter == nil { state.remove(key) }
      return Array(state.items.values)
    }
  }

  /// What is known of a presenter; nil where it is not registered.
  func item(of presenter: any FilePresenter) -> PresentedItem? {
    state.withLock { $0.items[ObjectIdentifier(presenter)] }.flatMap {
      // Another object may be where one was that has gone.
      $0.presenter === presenter ? $0 : nil
    }
  }

  /// Registers a presenter whose item is at a URL; blocks.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets`; as ``ItemLocation``. It is not registered then.
  func add(_ presenter: any FilePresenter, at url: URL?) throws {
    let item = state.withLock { state in
      let key = ObjectIdentifier(presenter)
      if let known = state.items[key], known.presenter === presenter { return known }
      state.remove(key)
      let item = PresentedItem(presenter)
      state.items[key] = item
      return item
    }
    do { try move(item, to: url) } catch {
      remove(presenter)
      throw error
    }
  }

  /// Notes where the item of a presenter is now; blocks.
  func move(_ item: PresentedItem, to url: URL?) throws {
    let place = try url.map { try ItemLocation(of: $0, in: .forPlaces) }
    let former = item.place
    item.place = place
    try state.withLock { state in
      for container in former?.containers ?? [] where place?.containers.contains(container) != true
      {
        try state.change(container) { $0.paths[item.identifier] = nil }
      }
      for container in place?.containers ?? [] {
        try state.change(container) { $0.paths[item.identifier] = place?.path }
      }
    }
  }

  func remove(_ presenter: any FilePresenter) {
    state.withLock { $0.remove(ObjectIdentifier(presenter)) }
  }

  /// Listens in a container from now on, also where nothing is presented there.
  func beReachable(in container: FilePath) throws {
    try state.withLock { try $0.change(container) { $0.hasLocks = true } }
  }
}
