internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Builds a new item beside the old one, and takes over what the new one doesn't define: permissions,
/// ownership, extended attributes, and unchanged members.
struct ItemBuilder {
  /// The folder in which the next item is created.
  private let folder: OpenFolder
  /// Called with the number of bytes that were just read and are being written.
  private let progress: (Int) throws -> Void
  /// Called for written files, but not for those that are taken over.
  private let onFile: WrittenFileHandler?
  /// The classes of users who may read the built items.
  private let readership: Readership
  /// The modification time of written items without their own, in nanoseconds since 1970; `nil` for the
  /// present time.
  private let modified: Int64?
  /// The built items that may not be on disk yet.
  let unfinished: UnfinishedItems

  init(
    in folder: OpenFolder, for readership: Readership = .everyone,
    onFile: WrittenFileHandler? = nil, modified: Int64? = nil,
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws(FileError) {
    self.folder = folder
    self.readership = readership
    self.onFile = onFile
    self.modified = modified
    self.progress = progress
    unfinished = UnfinishedItems(in: try folder.duplicate())
  }

  /// The item that a new one replaces: an open folder, the name in it, and the item's status.
  struct Old {
    let folder: OpenFolder
    let name: [UInt8]
    let status: FileStatus

    /// Finds the item; `nil` if there is none.
    init?(_ folder: OpenFolder, _ name: [UInt8]) throws(FileError) {
      guard let status = try folder.status(of: name) else { return nil }
      (self.folder, self.name, self.status) = (folder, name, status)
    }
  }

  /// Builds an item; it is complete and on disk after waiting for ``unfinished``.
  ///
  /// - Parameters:
  ///   - item: the item to build.
  ///   - name: its name in the open folder, which is still free.
  ///   - old: the item whose attributes and unchanged members are taken over, if there is one.
  ///   - attributes: the attributes that are not taken over.
  func build(
    _ item: DocumentItem, named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes()
  ) throws {
    switch item {
    case .folder(let members):
      try buildFolder(members(), named: name, like: old, attributes: attributes)
    case .replacing(_, let item):
      try build(item, named: name, like: old, attributes: attributes)
    case .attributed(let own, let item):
      try build(item, named: name, like: old, attributes: own.completed(by: attributes))
    default: try buildMember(item, named: name, like: old, attributes: attributes)
    }
  }

  /// Builds an item without members; separate, so that the recursion through nested folders needs little
  /// stack.
  private func buildMember(
    _ item: DocumentItem, named name: [UInt8], like old: Old?, attributes: ItemAttributes
  ) throws {
    switch item {
    case .file(let isExecutable, let contents):
      var attributes = attributes
      attributes.modified = attributes.modified ?? modified
      try buildFile(
        contents, isExecutable: isExecutable, named: name, like: old, attributes: attributes,
        onFile: onFile)
    case .symbolicLink(let target):
      try folder.makeLink(name, target: target)
    case .unchangedIf(let status, let other):
      if let old, old.status.kind == .file, old.status.isSameContent(as: status),
        old.status.permissions == status.permissions
      {
        return try keep(old, named: name)
      }
      try build(other, named: name, like: old, attributes: attributes)
    case .unchanged:
      guard let old else {
        throw FileError(
          .changing, path: folder.path(of: name),
          message: "A member of the document disappeared while it was being read.")
      }
      try keep(old, named: name)
    case .folder, .replacing, .attributed:
      try build(item, named: name, like: old, attributes: attributes)
    }
  }

  private func buildFile(
    _ contents: FileContents, isExecutable: Bool, named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes(), onFile: WrittenFileHandler? = nil
  ) throws {
    let model = try ItemModel(old, for: .file)
    // A file that is private, or replaces a private one, must never be readable to others, not even while it
    // is built.
    let isOpen = model == nil && attributes.permissions == nil
    let bits = isOpen ? 0o666 & (attributes.most ?? 0o666) | 0o400 : 0o600
    let file = try folder.create(name, permissions: bits & readership.mask)
    var bytes: [UInt8]?
    if contents.size > FileContents.pieceSize {
      try contents.forEachPiece { piece in
        try file.writeSparsely(piece)
        try progress(piece.count)
      }
      try file.endSparse()
    } else {
      bytes = try contents.read()
      try progress(contents.size)
    }
    try unfinished.add(
      UnfinishedFile(
        file, bytes, isExecutable: isExecutable, like: model, attributes: attributes, onFile: onFile
      ))
  }

  private func buildFolder(
    _ members: [(name: [UInt8], item: DocumentItem)], named name: [UInt8], like old: Old?,
    attributes: ItemAttributes = ItemAttributes()
  ) throws {
    let bits = try enterNewFolder(name, like: old, most: attributes.most)
    let former = old?.status.kind == .folder ? old?.folder : nil
    if let old { try former?.enter(old.name) }
    for (index, (name, item)) in members.enumerated() {
      let replaced = try former.flatMap { former throws(FileError) in
        try Old(former, item.replacedName ?? name)
      }
      do {
        try build(item, named: name, like: replaced)
      } catch let error as FileError where error.code == .exists {
        throw try collision(of: name, among: members[..<index].map(\.name)) ?? error
      }
    }
    try former?.leave()
    try leaveFolder(permissions: attributes.permissions ?? bits)
  }

  /// Creates a folder that is closed to other users until it is complete.
  ///
  /// - Parameter most: the greatest permission bits, in addition to those that its owner needs to read it.
  /// - Returns: the permission bits for the complete folder.
  private func enterNewFolder(
    _ name: [UInt8], like old: Old?, most: UInt32?
  ) throws(FileError) -> UInt32 {
    let model = try ItemModel(old, for: .folder)
    let most = most.map { $0 | 0o500 } ?? 0o777
    let bits = model == nil ? 0o777 & most & readership.mask : 0o700
    try folder.makeFolder(name, permissions: bits)
    try folder.enter(name)
    return try folder.withFolder { folder throws(FileError) in
      model?.handOverAttributes(to: folder)
      let status = try folder.status()
      try folder.setPermissions(0o700)
      return try (model?.handOverOwner(to: folder, status) ?? status.permissions) & most & 0o777
    }
  }

  private func leaveFolder(permissions: UInt32) throws(FileError) {
    try unfinished.add(
      UnfinishedFolder(folder.duplicate(), permissions: permissions, modified: modified))
    try folder.leave()
  }

  /// Completes an item that was written into the open folder in another way; it is on disk after waiting for
  /// ``unfinished``.
  ///
  /// - Parameters: those of ``build(_:named:like:attributes:)``.
  func complete(
    _ name: [UInt8], like old: Old?, attributes: ItemAttributes = ItemAttributes()
  ) throws {
    let path = folder.path(of: name)
    guard let status = try folder.status(of: name) else {
      throw FileError(
        .notFound, path: path,
        message: "“\(path.printable)” can’t be written, because it is not there.")
    }
    switch status.kind {
    case .file:
      // Files of a package may be second names of other files that stay, so only the item itself takes
      // attributes over.
      let model = try ItemModel(old, for: .file)
      let isExecutable = model?.status.isExecutable ?? status.isExecutable
      try unfinished.add(
        UnfinishedFile(
          folder.open(reading: name), nil, isExecutable: isExecutable, like: model,
          attributes: attributes, onFile: nil))
    case .folder:
      try folder.enter(name)
      for member in try folder.names() { try complete(member, like: nil) }
      let permissions = try ItemModel(old, for: .folder)?.status.permissions
      try leaveFolder(permissions: attributes.permissions ?? permissions ?? status.permissions)
    case .symbolicLink: break
    case .other:
      throw FileError(
        .unsupportedKind, path: path, message: "“\(path.printable)” is neither a file nor a folder."
      )
    }
  }

  /// Returns the error for a member whose name the file system confuses with another member's, in different
  /// case or with different diacritics.
  ///
  /// - Returns: `nil` if the names don't collide.
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

  /// Takes an unchanged member over: a file as a second name of the same file, so that nothing about it
  /// changes and nothing is written, and a folder member by member.
  private func keep(_ old: Old, named name: [UInt8]) throws {
    switch old.status.kind {
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
      let contents = FileContents(size: old.status.size) { try file.read($0) }
      // This file isn't reported, because its bytes are those on disk now, and may not be those that the
      // caller read.
      try buildFile(contents, isExecutable: old.status.isExecutable, named: name, like: old)
    }
  }
}
