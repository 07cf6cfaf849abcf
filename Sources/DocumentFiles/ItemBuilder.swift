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
        throw FileError(.notFound, path: path, message: "There is nothing to keep.")
      }
      try keep(old, at: path)
    }
  }

  private static func buildFile(
    _ bytes: [UInt8], isExecutable: Bool, at path: FilePath, like old: FilePath?
  ) throws {
    let model = try old.flatMap { old in try FileStatus.of(old).map { (old, $0) } }
    // A file that replaces a private one must never be readable to others, not even while built.
    let file = try Descriptor.create(path, permissions: model == nil ? 0o666 : 0o600)
    try file.writeAll(bytes)
    if let (old, status) = model, status.kind == .file {
      copyAttributes(from: old, to: path)
      _ = fchown(file.number, status.owner, status.group)
      try file.setPermissions(permissions(status.permissions, isExecutable: isExecutable))
    } else {
      let current = model == nil ? try file.status().permissions : 0o644
      try file.setPermissions(permissions(current, isExecutable: isExecutable))
    }
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
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
      throw FileError.failed(to: "create", path, .current)
    }
    for (name, item) in members {
      let oldMember = old?.appending(bytes: name)
      let isThere = try oldMember.map { try FileStatus.of($0) != nil } ?? false
      try build(item, at: path.appending(bytes: name), like: isThere ? oldMember : nil)
    }
    try finishFolder(path, like: old)
  }

  private static func finishFolder(_ path: FilePath, like old: FilePath?) throws {
    let folder = try Descriptor.open(folder: path)
    let model = try old.flatMap { try FileStatus.of($0) }
    if let old, let model, model.kind == .folder {
      copyAttributes(from: old, to: path)
      _ = fchown(folder.number, model.owner, model.group)
      try folder.setPermissions(model.permissions)
    } else {
      try folder.setPermissions(0o777 & ~UInt32(FileCreationMask.current))
    }
    try folder.synchronize()
  }

  private static func copyAttributes(from old: FilePath, to path: FilePath) {
    old.withPlatformString { old in
      path.withPlatformString { docversions_copy_attributes(old, $0) }
    }
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

/// The process's mask for new files, which the system tells only by setting it.
private enum FileCreationMask {
  /// Read once: asking again would race with other threads that create files.
  static let current: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
