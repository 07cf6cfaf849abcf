package import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The contents of versions: from trees back to documents and members.
package struct StoredContents {
  let objects: VersionObjects

  /// Returns the document of a record's content, ready to write.
  ///
  /// All trees are read and checked first; files are read on request.
  ///
  /// - Parameters:
  ///   - record: a version with content.
  ///   - present: the present content, whose common parts are kept.
  package func item(of record: Record, replacing present: DocumentContent? = nil) throws
    -> DocumentItem
  {
    guard let content = record.content else {
      throw VersionError(
        .noSuchVersion, document: objects.location.printable,
        message:
          "\(record.shortName) of “\(objects.location.printable)” is its deletion; it has no contents."
      )
    }
    guard try objects.repository.contains(content.tree) else {
      throw VersionError(
        .contentsNotLocal, document: objects.location.printable,
        message:
          "The contents of \(record.shortName) of “\(objects.location.printable)” are not on this device."
      )
    }
    let version = VersionTrees(trees: try trees(below: content.tree), bytes: content.bytes)
    let tree = try version.tree(content.tree)
    var rest = min(content.bytes, DocumentLimits().totalSize)
    if content.isPackage {
      let presentTree = try present.flatMap {
        try $0.isPackage ? objects.repository.tree($0.tree) : nil
      }
      return try folder(tree, replacing: presentTree, depth: 0, version, &rest)
    }
    guard let entry = tree.entries.first, tree.entries.count == 1,
      let (_, isChunked) = MemberName.decoded(entry.name),
      case let item = try member(
        entry, isChunked: isChunked, replacing: nil, depth: 0, version, &rest),
      case .file = item
    else {
      throw GitError.malformed("the tree of \(record.shortName) is not one file")
    }
    return item
  }

  /// Returns the members of a package, folder by folder, as listings show them.
  func members(of tree: ObjectID, prefix: String = "") throws -> [PackageMemberInfo] {
    try objects.repository.tree(tree).entries.map { entry in
      (entry: entry, stored: MemberName.decoded(entry.name) ?? (entry.name, false))
    }.sorted {
      $0.stored.name.lexicographicallyPrecedes($1.stored.name)
    }.flatMap { entry, stored -> [PackageMemberInfo] in
      let isChunked = stored.isChunked
      let path = prefix + Printable.text(stored.name)
      func member(_ mode: Tree.Mode, bytes: Int) -> PackageMemberInfo {
        PackageMemberInfo(
          path: path, kind: mode.memberKind, bytes: bytes, identity: entry.id.description)
      }
      if isChunked {
        let chunks = try ChunkList(entry.id, in: objects.repository)
        return [member(chunks.mode, bytes: chunks.size)]
      }
      guard entry.mode == .folder else {
        return [member(entry.mode, bytes: try objects.repository.size(of: entry.id))]
      }
      return try [member(.folder, bytes: 0)] + members(of: entry.id, prefix: path + "/")
    }
  }

  /// The trees of a version, read before anything is built from them.
  private struct VersionTrees {
    let trees: [ObjectID: Tree]
    /// The size of all files according to the record, which limits the size of each: a small object can
    /// represent gigabytes.
    let bytes: Int

    func tree(_ id: ObjectID) throws(GitError) -> Tree {
      guard let tree = trees[id] else { throw .malformed("the folder \(id) is missing") }
      return tree
    }
  }

  /// Returns a file that a tree lists, with access to its bytes.
  ///
  /// - Parameter limit: the largest permitted size.
  func contents(
    of entry: Tree.Entry, isChunked: Bool, limit: Int = DocumentLimits().fileSize
  ) throws -> (isExecutable: Bool, contents: FileContents) {
    if isChunked {
      let chunks = try ChunkList(entry.id, in: objects.repository, limit: limit)
      let contents = FileContents(size: chunks.size) { [self] in
        try objects.repository.read($0, of: chunks)
      }
      return (chunks.mode == .executable, contents)
    }
    guard let size = try objects.repository.sizeIfThere(entry.id) else {
      throw GitError.malformed("the contents \(entry.id) are missing")
    }
    guard size <= limit else { throw GitError.malformed("a file has more than \(limit) bytes") }
    let contents = FileContents(
      size: size,
      readingAll: { [self] in try objects.repository.read(entry.id, as: .blob, upTo: limit) })
    return (entry.mode == .executable, contents)
  }

  /// - Parameter rest: the number of bytes that the document may still have.
  private func folder(
    _ tree: Tree, replacing present: Tree?, depth: Int, _ version: VersionTrees,
    _ rest: inout Int
  ) throws -> DocumentItem {
    guard depth < DocumentLimits().depth else {
      throw GitError.malformed("a package has more than \(depth) folders inside one another")
    }
    let old = Dictionary(
      (present?.entries ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var names: Set<[UInt8]> = []
    let members = try tree.entries.map { entry in
      guard let (name, isChunked) = MemberName.decoded(entry.name), names.insert(name).inserted
      else {
        throw GitError.malformed("a package has a member with an impossible or doubled name")
      }
      return (
        name: name,
        item: try member(
          entry, isChunked: isChunked, replacing: old[entry.name], depth: depth + 1, version, &rest)
      )
    }
    return .folder { members }
  }

  /// Returns the target of a link.
  ///
  /// - Throws: ``GitError`` for a target that no link can have.
  func linkTarget(of entry: Tree.Entry) throws -> [UInt8] {
    let target = try objects.repository.read(entry.id, as: .blob, upTo: Self.longestLinkTarget)
    let name = MemberName.decoded(entry.name)?.name ?? entry.name
    guard DocumentItem.isWritable(name: name, linkTarget: target) else {
      throw GitError.malformed(
        "the link “\(Printable.text(name))” has a target that no link can have")
    }
    return target
  }

  /// The system's limit of a link's target, in bytes.
  private static var longestLinkTarget: Int { 4_096 }

  private func member(
    _ entry: Tree.Entry, isChunked: Bool, replacing old: Tree.Entry?, depth: Int,
    _ version: VersionTrees, _ rest: inout Int
  ) throws -> DocumentItem {
    if entry == old { return .unchanged }
    switch entry.mode {
    case .file where !isChunked, .executable where !isChunked, .folder where isChunked:
      let (isExecutable, contents) = try contents(
        of: entry, isChunked: isChunked, limit: rest)
      rest -= contents.size
      return .file(isExecutable: isExecutable, contents: contents)
    case .symbolicLink where !isChunked:
      return .symbolicLink(target: try linkTarget(of: entry))
    case .folder:
      let present = try old.flatMap {
        try $0.mode == .folder ? objects.repository.tree($0.id) : nil
      }
      return try folder(
        version.tree(entry.id), replacing: present, depth: depth, version, &rest)
    case .file, .executable, .symbolicLink:
      throw GitError.malformed("a file in chunks is not a tree of them")
    }
  }
}

extension Record {
  /// "version 1a2b3c4", for messages.
  package var shortName: String { id.versionName }
}

extension Tree.Mode {
  /// The name of the mode in listings.
  var memberKind: String {
    switch self {
    case .file: "file"
    case .executable: "executable"
    case .symbolicLink: "link"
    case .folder: "folder"
    }
  }
}
