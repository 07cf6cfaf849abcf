internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The presenters of this process, and the sockets through which other processes reach them.
final class PresenterRegistry: Sendable {
  static let shared = PresenterRegistry()

  /// The state of this process in one container.
  private struct Room {
    let server: PresenterServer
    /// The paths of presented items, by the identifiers of their presenters.
    var paths: [String: [UInt8]] = [:]
    /// True if this process has locks to share in the container.
    var hasLocks = false
  }

  private struct State {
    var items: [ObjectIdentifier: PresentedItem] = [:]
    var rooms: [FilePath: Room] = [:]

    /// Starts to listen in a container.
    mutating func open(_ container: FilePath) throws {
      guard rooms[container] == nil else { return }
      let room = Room(server: try PresenterServer(in: container))
      do { try room.server.publish([]) } catch {
        room.server.end()
        throw error
      }
      rooms[container] = room
    }

    /// Publishes the path of a presenter's item in a container; `nil` for no path there.
    mutating func publish(_ path: [UInt8]?, of identifier: String, in container: FilePath) throws {
      guard rooms[container]?.paths[identifier] != path else { return }
      if path != nil { try open(container) }
      guard var room = rooms[container] else { return }
      room.paths[identifier] = path
      if room.paths.isEmpty, !room.hasLocks {
        rooms[container] = nil
        return room.server.end()
      }
      rooms[container] = room
      try room.server.publish(room.paths.values)
    }

    mutating func remove(_ key: ObjectIdentifier) {
      guard let item = items.removeValue(forKey: key) else { return }
      for container in item.place?.containers ?? [] {
        do { try publish(nil, of: item.identifier, in: container) } catch {
          // It is asked once more, although it is no longer concerned.
        }
      }
    }
  }

  private let state = Mutex(State())

  /// The registered presenters, in no order.
  var items: [PresentedItem] {
    state.withLock { state in
      for (key, item) in state.items where item.presenter == nil { state.remove(key) }
      return Array(state.items.values)
    }
  }

  /// Returns whether an access to items concerns any presenter except one.
  func isConcerned(by reaches: [ItemReach], besides presenter: PresentedItem?) -> Bool {
    items.contains { item in
      item !== presenter && reaches.contains { item.concern(in: $0) != nil }
    }
  }

  /// Returns the item of a presenter; `nil` if it isn't registered.
  func item(of presenter: any FilePresenter) -> PresentedItem? {
    state.withLock { $0.items[ObjectIdentifier(presenter)] }.flatMap {
      // A new object may have the address of a released one.
      $0.presenter === presenter ? $0 : nil
    }
  }

  /// Registers a presenter whose item is at a URL; blocks.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets`; the errors of ``ItemLocation``. Then the presenter isn't
  ///   registered.
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

  /// Updates the location of a presenter's item; blocks.
  func move(_ item: PresentedItem, to url: URL?) throws {
    let place = try url.map { try ItemLocation(of: $0, in: .forPlaces) }
    let former = item.place
    item.move(to: url, place)
    guard place != former else { return }
    let path = place?.path.bytes
    try state.withLock { state in
      let left = former?.containers.filter { place?.containers.contains($0) != true } ?? []
      for container in left { try state.publish(nil, of: item.identifier, in: container) }
      for container in place?.containers ?? [] {
        try state.publish(path, of: item.identifier, in: container)
      }
    }
  }

  func remove(_ presenter: any FilePresenter) {
    state.withLock { $0.remove(ObjectIdentifier(presenter)) }
  }

  /// Listens in a container from now on, even if nothing is presented there.
  func beReachable(in container: FilePath) throws {
    try state.withLock { state in
      try state.open(container)
      state.rooms[container]?.hasLocks = true
    }
  }
}
