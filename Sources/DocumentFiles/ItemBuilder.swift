internal import CFileSystem
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Builds a new item beside the old one, taking over what the new one does not say: permissions,
/// ownership, extended attributes, and members that did not change.
enum ItemBuilder {
  /// Builds an item and waits until it is on the disk.
  ///
  /// - Parameters:
  ///   - item: what to build.
  ///   - path: where; nothing is there yet.
  ///   - old: the item whose attributes and unchanged members are taken over, if there is one.
  static func build(_ item: DocumentItem, at path: FilePath, like old: FilePath?) throws {
    switch item {
    case .file(let isExecutable, let contents):
      try buildFile(contents(), isExecutable: isExecutable, at: path, like: old)
    case .symbolicLink(let target):
      try SymbolicLink.create(path, target: target)
    case .folder(let members):
      try buildFolder(members(), at: path, like: old)
    case .unchanged:
      guard let old else {
        throw FileError(
          .changing, path: path, message: "A member of the document went away while it was kept.")
      }
      try keep(old, at: path)
    }
  }

  private static func buildFile(
    _ bytes: [UInt8], isExecutable: Bool, at path: FilePath, like old: FilePath?
  ) throws {
    let model = try ItemModel(of: old)
    // A file that replaces a private one must never be readable to others, not even while built.
    let file = try Descriptor.create(path, permissions: model == nil ? 0o666 : 0o600)
    try file.writeAll(bytes)
    let bits = try model?.handOver(to: file, .file) ?? file.status().permissions
    try file.setPermissions(permissions(bits, isExecutable: isExecutable))
    try file.synchronize()
  }

  /// The permission bits with the executable bit set where reading is allowed, or cleared.
  private static func permissions(_ bits: UInt32, isExecutable: Bool) -> UInt32 {
    guard isExecutable != (bits & 0o100 != 0) else { return bits }
    return isExecutable ? bits | (bits & 0o444) >> 2 : bits & ~0o111
  }

  private static func buildFolder(
    _ members: [(name: [UInt8], item: DocumentItem)], at path: FilePath, like old: FilePath?
  ) throws {
    let model = try ItemModel(of: old)
    guard path.withPlatformString({ mkdir($0, model == nil ? 0o777 : 0o700) }) == 0 else {
      throw FileError.failed(to: "create", path, .current)
    }
    for (name, item) in members {
      let oldMember = old?.appending(bytes: name)
      let isThere = try oldMember.map { try FileStatus.of($0) != nil } ?? false
      try build(item, at: path.appending(bytes: name), like: isThere ? oldMember : nil)
    }
    let folder = try Descriptor.open(folder: path)
    if let model { try folder.setPermissions(model.handOver(to: folder, .folder)) }
    try folder.synchronize()
  }

  /// Takes an unchanged member over: a file as a second name of the same file, so that nothing about
  /// it changes and nothing is written; a folder member by member.
  private static func keep(_ old: FilePath, at path: FilePath) throws {
    guard let status = try FileStatus.of(old) else {
      throw FileError(
        .changing, path: old, message: "“\(old.printable)” went away while it was kept.")
    }
    switch status.kind {
    case .folder:
      let names = try Folder.names(in: old)
      try buildFolder(names.map { ($0, .unchanged) }, at: path, like: old)
    case .symbolicLink:
      try SymbolicLink.create(path, target: SymbolicLink.target(of: old))
    case .file, .other:
      let linked = old.withPlatformString { old in path.withPlatformString { link(old, $0) } }
      if linked == 0 { return }
      let bytes = try Descriptor.open(reading: old).readAll(expecting: status.size)
      try buildFile(bytes, isExecutable: status.isExecutable, at: path, like: old)
    }
  }
}

/// The item that a new one replaces, and what that takes over from it.
private struct ItemModel {
  let path: FilePath
  let status: FileStatus

  /// Nil where nothing is replaced, or a link, which has no attributes of its own.
  init?(of path: FilePath?) throws {
    guard let path, let status = try FileStatus.of(path), status.kind != .symbolicLink else {
      return nil
    }
    self.path = path
    self.status = status
  }

  /// Hands owner and group over, as far as the system allows, and attributes to an item of the same kind.
  ///
  /// - Returns: the permission bits for the new item: they allow nobody what the old ones did not.
  func handOver(to item: borrowing Descriptor, _ kind: FileStatus.Kind) -> UInt32 {
    if status.kind == kind {
      path.withPlatformString { path in
        item.path.withPlatformString { docversions_copy_attributes(path, $0) }
      }
    }
    var bits = status.permissions
    if fchown(item.number, status.owner, status.group) != 0 {
      bits &= ~0o4000
      // Another group: it may do what everybody may.
      if fchown(item.number, .max, status.group) != 0 { bits &= 0o1707 | (bits & 0o7) << 3 }
    }
    if status.kind == kind { return bits }
    return kind == .folder ? bits | (bits & 0o444) >> 2 : bits & 0o666
  }
}
