internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// A granted access, which must be ended with ``end()``.
final class GrantedAccess: Sendable {
  let items: [LocatedItem]
  private let description: AccessDescription
  private let locks: HeldLocks
  private let connections: Mutex<PresenterConnections>
  /// The changes of items that the accessor reports.
  private let changes = Mutex<[ItemChange]>([])
  private let hasEnded = Atomic(false)

  init(
    items: [LocatedItem], _ description: AccessDescription, _ locks: HeldLocks,
    _ connections: PresenterConnections
  ) {
    self.items = items
    self.description = description
    self.locks = locks
    self.connections = Mutex(connections)
  }

  /// The items in the order of the request.
  var urls: [URL] {
    items.map { URL(filePath: ($0.place.member ?? $0.place.path).string) }
  }

  /// Records a change that the accessor reports.
  func note(_ change: ItemChange) { changes.withLock { $0.append(change) } }

  /// Returns whether the access writes an item, or a folder around it.
  func covers(_ path: FilePath) -> Bool {
    items.contains { $0.kind.isWrite && path.starts(with: $0.place.path) }
  }

  /// True if the accessor has returned; a task that it started may outlast it.
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Ends the access, and notifies the presenters of its changes; blocks.
  func end() { end(with: foundChanges()) }

  /// Ends an unused access; blocks.
  func endUnused() { end(with: []) }

  private func end(with changes: [ItemChange]) {
    hasEnded.store(true, ordering: .releasing)
    connections.withLock { connections in
      connections.conclude(changes)
      connections.writeLog(
        of: description, in: items, moves: changes.filter { $0.kind == .moved })
    }
    locks.releaseAll()
  }

  /// Returns the changes that the accessor reported, and the state on disk of other written items.
  private func foundChanges() -> [ItemChange] {
    let noted = changes.withLock { $0 }
    let moved = Set(noted.filter { $0.kind == .moved }.flatMap { [$0.path, $0.target ?? $0.path] })
    let found = items.filter(\.kind.isWrite).compactMap { item -> ItemChange? in
      let path = MessagePath(item.place.path)
      guard item.kind.isClaim, !moved.contains(path) else { return nil }
      var change = ItemChange(
        kind: .changed, path: path, member: item.place.member.map { MessagePath($0) })
      do {
        let isThere = try FileStatus.of(item.place.path) != nil
        if isThere && item.status == nil { change.kind = .appeared }
        if !isThere { change.kind = .deleted }
        return isThere || item.status != nil ? change : nil
      } catch {
        // The item can't be read any more; its presenters will notice.
        return change
      }
    }
    return noted + found
  }

  /// Returns the items, if another access has moved some since the request; `nil` if none has moved.
  func movedItems(of request: AccessRequest) throws -> [RequestedItem]? {
    var moved = request.items
    var isMoved = false
    for (index, item) in items.enumerated() where item.kind.isClaim {
      if !item.place.containers.isEmpty, try FileStatus.of(item.place.path) == nil,
        let status = item.status, !request.items[index].isFixed,
        let target = try place(of: status, movedFrom: item.place)
      {
        moved[index].url = URL(filePath: target.string)
        isMoved = true
      } else if try ItemLocation(of: request.items[index].place, in: .forPlaces) != item.place {
        // A container was created, or a folder above was replaced.
        isMoved = true
      }
    }
    return isMoved ? moved : nil
  }

  /// Returns the new location of a moved item, if the program that moved it reported it.
  private func place(of status: FileStatus, movedFrom place: ItemLocation) throws -> FilePath? {
    guard let container = place.containers.first else { return nil }
    let entries = try MessageLog(of: container).entries(newest: 200)
    for entry in entries.reversed() where entry.kind == "moved" {
      guard let target = entry.target?.path, let from = entry.items.first?.path else { continue }
      var rest = place.path
      guard rest.removePrefix(from) else { continue }
      let found = target.appending(rest.components)
      if try FileStatus.of(found)?.isSameItem(as: status) == true { return found }
    }
    return nil
  }
}
