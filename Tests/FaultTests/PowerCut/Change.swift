/// One step of a program that changes what is on a disk, or that makes it durable.
enum Change: Sendable {
  /// A new, empty item gets its first name.
  case create(DiskImage.Item, DiskImage.Place)
  case link(DiskImage.Item, DiskImage.Place)
  case remove(DiskImage.Place)
  case rename(DiskImage.Item, from: DiskImage.Place, to: DiskImage.Place)
  case exchange(DiskImage.Item, DiskImage.Place, DiskImage.Item, DiskImage.Place)
  case write(DiskImage.Item, offset: Int, bytes: [UInt8])
  case truncate(DiskImage.Item, size: Int)
  case setMode(DiskImage.Item, UInt32)
  case synchronize(DiskImage.Item)
  case synchronizeAll
  /// A person edits a file between two commands; the program isn't responsible for making that durable.
  case edit(DiskImage.Item, bytes: [UInt8])
  /// A command has reported success.
  case acknowledge

  /// The folders that must be synchronized for a change of names to be durable.
  var folders: [DiskImage.Item] {
    switch self {
    case .create(_, let place), .link(_, let place), .remove(let place): [place.folder]
    case .rename(_, let from, let to): [from.folder, to.folder]
    case .exchange(_, let first, _, let second): [first.folder, second.folder]
    default: []
    }
  }

  /// The item that must be synchronized for a change of bytes to be durable.
  var changedItem: DiskImage.Item? {
    switch self {
    case .write(let item, _, _), .truncate(let item, _), .setMode(let item, _): item
    default: nil
    }
  }

  var isSynchronization: Bool {
    switch self {
    case .synchronize, .synchronizeAll: true
    default: false
    }
  }
}

extension DiskImage {
  /// Does one step.
  mutating func apply(_ change: Change) {
    switch change {
    case .create(let item, let place), .link(let item, let place): self[place] = item
    case .remove(let place): self[place] = nil
    case .rename(let item, let from, let to):
      if self[from] == item { self[from] = nil }
      self[to] = item
    case .exchange(let first, let place, let second, let other):
      self[place] = second
      self[other] = first
    case .write(let item, let offset, let bytes):
      var all = self[bytes: item]
      if all.count < offset + bytes.count {
        all += Array(repeating: 0, count: offset + bytes.count - all.count)
      }
      all.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
      self[bytes: item] = all
    case .truncate(let item, let size):
      let all = self[bytes: item]
      self[bytes: item] =
        Array(all.prefix(size)) + Array(repeating: 0, count: max(0, size - all.count))
    case .setMode(let item, let mode): setMode(mode, of: item)
    case .edit(let item, let bytes): self[bytes: item] = bytes
    case .synchronize, .synchronizeAll, .acknowledge: break
    }
  }
}
