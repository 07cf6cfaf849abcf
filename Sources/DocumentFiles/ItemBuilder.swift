internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Builds a new item beside the old one, taking over what the new one does not say: permissions,
/// ownership, extended attributes, and members that did not change.
struct ItemBuilder {
  /// The folder in which the next item is made.
  let folder: OpenFolder
  /// Called with the number of bytes just written.
  let progress: (Int) throws -> Void
  /// What was built and may not be on the disk yet.
  let unsynchronized = UnsynchronizedItems()

  /// The item that a new one replaces: an open folder and a name in it.
  typealias Old = (folder: OpenFolder, name: [UInt8])

  /// Builds an item; it is on the disk once ``unsynchronized`` was waited for.
  ///
  /// - Parameters:
  ///   - item: what to build.
  ///   - name: its name in the open folder; nothing is there yet.
  ///   - old: the item whose attributes and unchanged members are taken over, if there is one.
  ///   - attributes: what is not taken over.
  func build(
    _ item: DocumentItem, named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes()
  ) throws {
    switch item {
    case .file(let isExecutable, let contents):
      try buildFile(
        contents, isExecutable: isExecutable, named: name, like: old, attributes: attributes)
    case .symbolicLink(let target):
      try folder.makeLink(name, target: target)
    case .folder(let members):
      try buildFolder(members(), named: name, like: old, attributes: attributes)
    case .replacing(_, let item):
      try build(item, named: name, like: old, attributes: attributes)
    case .attributed(let attributes, let item):
      try build(item, named: name, like: old, attributes: attributes)
    case .unchangedIf(let status, let other):
      if let old, let present = try old.folder.status(of: old.name), present.kind == .file,
        present.isSameContent(as: status), present.permissions == status.permissions
      {
        return try keep(old, present, named: name)
      }
      try build(other, named: name, like: old, attributes: attributes)
    case .unchanged:
      guard let old, let status = try old.folder.status(of: old.name) else {
        throw FileError(
          .changing, path: folder.path(of: name),
          message: "A member of the document went away while it was kept.")
      }
      try keep(old, status, named: name)
    }
  }

  private func buildFile(
    _ contents: FileContents, isExecutable: Bool, named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes()
  ) throws {
    let model = try old.flatMap { try ItemModel($0) }
    // A file that is private, or replaces one, must never be readable to others, not even while built.
    let isOpen = model == nil && attributes.permissions == nil
    let file = try folder.create(name, permissions: isOpen ? 0o666 : 0o600)
    try contents.forEachPiece { piece in
      try file.writeAll(piece)
      try progress(piece.count)
    }
    let bits = try model?.handOver(to: file, .file) ?? file.status().permissions
    try file.setPermissions(
      attributes.permissions ?? permissions(bits, isExecutable: isExecutable))
    if let modified = attributes.modified { try file.setModified(modified) }
    try unsynchronized.add(file)
  }

  /// The permission bits with the executable bit set where reading is allowed, or cleared.
  private func permissions(_ bits: UInt32, isExecutable: Bool) -> UInt32 {
    guard isExecutable != (bits & 0o100 != 0) else { return bits }
    return isExecutable ? bits | (bits & 0o444) >> 2 : bits & ~0o111
  }

  private func buildFolder(
    _ members: [(name: [UInt8], item: DocumentItem)], named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes()
  ) throws {
    let model = try old.flatMap { try ItemModel($0) }
    try folder.makeFolder(name, permissions: model == nil ? 0o777 : 0o700)
    try folder.enter(name)
    let bits = try folder.withFolder { folder throws(FileError) in
      var bits = try folder.status().permissions
      if let model { bits = try model.handOver(to: folder, .folder) }
      // Nobody else looks in, or puts something in, until it is complete.
      try folder.setPermissions(0o700)
      return bits
    }
    let isLikeFolder = model?.status.kind == .folder
    if let old, isLikeFolder { try old.folder.enter(old.name) }
    for (index, member) in members.enumerated() {
      do {
        let former = member.item.replacedName ?? member.name
        let isThere = try isLikeFolder && old?.folder.status(of: former) != nil
        try build(
          member.item, named: member.name,
          like: isThere ? old.map { ($0.folder, former) } : nil)
      } catch let error as FileError where error.code == .exists {
        throw try collision(of: member.name, among: members[..<index].map(\.name)) ?? error
      }
    }
    if let old, isLikeFolder { try old.folder.leave() }
    try folder.withFolder { folder throws(FileError) in
      try folder.setPermissions(attributes.permissions ?? bits)
      try unsynchronized.add(folder.duplicate())
    }
    try folder.leave()
  }

  /// The refusal of a member whose name the file system takes for another member's: in other case, or
  /// with other marks.
  ///
  /// - Returns: nil when that is not what happened.
  private func collision(of name: [UInt8], among built: [[UInt8]]) throws -> FileError? {
    guard let status = try folder.status(of: name),
      let other = try built.first(where: {
        try folder.status(of: $0)?.isSameItem(as: status) ?? false
      })
    else { return nil }
    return FileError(
      .invalidName, path: folder.path(of: name),
      message: """
        The members “\(Printable.text(other))” and “\(Printable.text(name))” can’t both be in a folder here: \
        this file system takes their names for one.
        """)
  }

  /// Takes an unchanged member over: a file as a second name of the same file, so that nothing about
  /// it changes and nothing is written; a folder member by member.
  private func keep(_ old: Old, _ status: FileStatus, named name: [UInt8]) throws {
    switch status.kind {
    case .folder:
      try old.folder.enter(old.name)
      let names = try old.folder.names()
      try old.folder.leave()
      try buildFolder(names.map { ($0, .unchanged) }, named: name, like: old)
    case .symbolicLink:
      try folder.makeLink(name, target: old.folder.linkTarget(of: old.name))
    case .file, .other:
      if try folder.makeSecondName(name, of: old.name, in: old.folder) { return }
      let file = try old.folder.open(reading: old.name)
      let contents = FileContents(size: status.size) { try file.read($0) }
      try buildFile(contents, isExecutable: status.isExecutable, named: name, like: old)
    }
  }
}
