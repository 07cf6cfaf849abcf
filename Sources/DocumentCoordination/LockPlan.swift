internal import DocumentFiles
internal import DocumentStore
internal import SystemPackage

/// The locks for an access to some items, in the order that all accesses use.
struct LockPlan {
  /// The containers, by the numbers of their lock files.
  private(set) var containers: [FilePath] = []
  private(set) var locks: [AccessMachine.Lock] = []
  private(set) var sharedLocks: [AccessMachine.Lock] = []

  /// Locks that are taken together, at a position in the order of paths.
  private struct Group {
    let order: [UInt8]
    /// If a folder is in two containers, the outer one comes first.
    let container: [UInt8]
    /// The item comes before its contents.
    let isInside: Bool
    var locks: [AccessMachine.Lock]
  }

  init(for items: [LocatedItem]) {
    var groups: [Group] = []
    for item in items where item.kind.isClaim {
      groups += foldersAbove(item.place.path, in: item.place.containers)
      guard let container = item.place.containers.first else { continue }
      groups.append(itself(item, in: container))
      if item.kind.isOfAllInside, item.status?.kind == .folder {
        groups.append(inside(item.place.path, in: container, isExclusive: true))
      }
    }
    groups.sort { first, second in
      if first.order != second.order {
        return first.order.lexicographicallyPrecedes(second.order)
      }
      if first.isInside != second.isInside { return second.isInside }
      return first.container.lexicographicallyPrecedes(second.container)
    }
    locks = groups.flatMap(\.locks)
  }

  private mutating func itself(_ item: LocatedItem, in container: FilePath) -> Group {
    let byte = LockByte(of: item.place.path, in: container)
    let file = number(of: container)
    func lock(_ part: LockByte.Part, exclusive: Bool, _ stay: AccessMachine.Lock.Stay)
      -> AccessMachine.Lock
    {
      .init(file: file, byte: byte.number(part), isExclusive: exclusive, stay: stay)
    }
    var locks = [lock(.gate, exclusive: true, item.kind.isWrite ? .whole : .untilGranted)]
    if item.kind.isWrite {
      locks.append(lock(.access, exclusive: true, .whole))
    } else {
      sharedLocks.append(lock(.access, exclusive: false, .whole))
    }
    return Group(
      order: Self.order(item.place.path), container: container.bytes, isInside: false,
      locks: locks)
  }

  /// Shared locks of all folders around an item, which prevent them from being moved or deleted.
  private mutating func foldersAbove(_ path: FilePath, in containers: [FilePath]) -> [Group] {
    containers.flatMap { container in
      var folders: [FilePath] = []
      var folder = path.parentFolder
      while folder.starts(with: container) {
        folders.append(folder)
        guard folder != container, folder.removeLastComponent() else { break }
      }
      return folders.map { inside($0, in: container, isExclusive: false) }
    }
  }

  private mutating func inside(
    _ folder: FilePath, in container: FilePath, isExclusive: Bool
  ) -> Group {
    let byte = LockByte(of: folder, in: container)
    let file = number(of: container)
    return Group(
      order: Self.order(folder), container: container.bytes, isInside: true,
      locks: [
        .init(
          file: file, byte: byte.number(.insideGate), isExclusive: isExclusive,
          stay: isExclusive ? .whole : .untilNext),
        .init(
          file: file, byte: byte.number(.inside), isExclusive: isExclusive, stay: .whole),
      ])
  }

  private mutating func number(of container: FilePath) -> Int {
    if let known = containers.firstIndex(of: container) { return known }
    containers.append(container)
    return containers.count - 1
  }

  /// Returns a sort key for the path, which puts the contents of a folder right after the folder.
  private static func order(_ path: FilePath) -> [UInt8] {
    path.bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
  }
}
