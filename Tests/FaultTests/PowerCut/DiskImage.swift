import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder and everything below it, in memory: items, and the names that lead to them.
struct DiskImage: Sendable {
  /// A file, folder or link, independent of its names.
  typealias Item = Int

  enum Node: Sendable, Hashable {
    case file([UInt8], mode: UInt32)
    case folder([String: Item], mode: UInt32)
    case link(target: String)
  }

  /// A name in a folder.
  struct Place: Sendable, Hashable {
    let folder: Item
    let name: String
  }

  var nodes: [Item: Node]
  var root: Item

  /// Creates the image of a folder on disk; every item is identified by its inode number.
  init(of folder: URL) throws {
    nodes = [:]
    root = 0
    root = try add(folder.path)
  }

  private mutating func add(_ path: String) throws -> Item {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
    let item = Item(status.st_ino)
    let manager = FileManager.default
    let mode = UInt32(status.st_mode) & 0o7777
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      var names: [String: Item] = [:]
      for name in try manager.contentsOfDirectory(atPath: path) {
        names[name] = try add("\(path)/\(name)")
      }
      nodes[item] = .folder(names, mode: mode)
    case S_IFLNK:
      nodes[item] = .link(target: try manager.destinationOfSymbolicLink(atPath: path))
    default:
      nodes[item] = .file([UInt8](try Data(contentsOf: URL(filePath: path))), mode: mode)
    }
    return item
  }

  /// The item that a name leads to.
  subscript(place: Place) -> Item? {
    get {
      guard case .folder(let names, _) = nodes[place.folder] else { return nil }
      return names[place.name]
    }
    set {
      guard case .folder(var names, let mode) = nodes[place.folder] else { return }
      names[place.name] = newValue
      nodes[place.folder] = .folder(names, mode: mode)
    }
  }

  /// The bytes of a file.
  subscript(bytes item: Item) -> [UInt8] {
    get {
      guard case .file(let bytes, _) = nodes[item] else { return [] }
      return bytes
    }
    set {
      guard case .file(_, let mode) = nodes[item] else { return }
      nodes[item] = .file(newValue, mode: mode)
    }
  }

  mutating func setMode(_ mode: UInt32, of item: Item) {
    switch nodes[item] {
    case .file(let bytes, _): nodes[item] = .file(bytes, mode: mode)
    case .folder(let names, _): nodes[item] = .folder(names, mode: mode)
    case .link, nil: break
    }
  }

  // MARK: As a tree

  /// Every path and its item, except for folders.
  var tree: [String: Node] {
    var result: [String: Node] = [:]
    func visit(_ item: Item, _ path: String, above: Set<Item>) {
      guard let node = nodes[item], !above.contains(item) else { return }
      guard case .folder(let names, let mode) = node else {
        result[path] = node
        return
      }
      result[path] = .folder([:], mode: mode)
      for (name, member) in names {
        visit(member, path.isEmpty ? name : "\(path)/\(name)", above: above.union([item]))
      }
    }
    visit(root, "", above: [])
    return result
  }

  /// Writes everything into a folder that does not exist yet; all times are an hour ago.
  ///
  /// So temporary files have the age that they have on a machine that was switched on again.
  func write(to folder: URL) throws {
    var paths: [String] = []
    for (path, node) in tree.sorted(by: { $0.key < $1.key }) {
      let full = path.isEmpty ? folder.path : "\(folder.path)/\(path)"
      try write(node, to: full)
      paths.append(full)
    }
    for path in paths.reversed() {
      let then = timespec(tv_sec: time(nil) - 3_600, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [then, then], AT_SYMLINK_NOFOLLOW)
    }
  }

  private func write(_ node: Node, to path: String) throws {
    switch node {
    case .folder(_, let mode):
      guard mkdir(path, mode_t(mode | 0o700)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    case .link(let target):
      guard symlink(target, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    case .file(let bytes, let mode):
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
      guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
      defer { close(file) }
      guard DocumentBytes.write(bytes, to: file) else { throw CocoaError(.fileWriteUnknown) }
      fchmod(file, mode_t(mode))
    }
  }
}

/// Writing all of some bytes.
private enum DocumentBytes {
  static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pointer in
        #if canImport(Glibc)
        Glibc.write(file, pointer.baseAddress, pointer.count)
        #else
        Darwin.write(file, pointer.baseAddress, pointer.count)
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
