internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// From trees back to documents.
extension OpenStore {
  /// The document that a record's content is, ready to be written.
  ///
  /// All trees are read and checked before anything is returned; files are read when they are asked for.
  ///
  /// - Parameters:
  ///   - record: a version with content.
  ///   - present: the content that is at the place now; what it shares with the new one is kept.
  func item(of record: Record, replacing present: DocumentContent? = nil) throws -> DocumentItem {
    guard let content = record.content else {
      throw VersionError(
        .noSuchVersion, document: location.printable,
        message:
          "\(record.shortName) of “\(location.printable)” is its deletion; it has no contents.")
    }
    guard repository.contains(content.tree) else {
      throw VersionError(
        .contentsNotLocal, document: location.printable,
        message:
          "The contents of \(record.shortName) of “\(location.printable)” are not on this device.")
    }
    let tree = try repository.tree(content.tree)
    var budget = DocumentLimits().members
    if content.isPackage {
      let presentTree = try present.flatMap { try $0.isPackage ? repository.tree($0.tree) : nil }
      return try folder(tree, replacing: presentTree, depth: 0, &budget)
    }
    guard let file = tree.entries.first, tree.entries.count == 1,
      file.mode == .file || file.mode == .executable
    else {
      throw GitError.malformed("the tree of \(record.shortName) is not one file")
    }
    return try member(file, replacing: nil, depth: 0, &budget)
  }

  /// One member of a version that is a package, or the document itself.
  ///
  /// - Parameter path: the member's path in the package, with "/" between folders; nil for the document.
  func item(of record: Record, member path: String?) throws -> DocumentItem {
    var item = try item(of: record)
    for name in path?.split(separator: "/") ?? [] {
      guard case .folder(let members) = item,
        let found = try members().first(where: { $0.name == Array(name.utf8) })
      else {
        throw VersionError(
          .noSuchMember, document: location.printable,
          message: """
            The \(record.shortName) of “\(location.printable)” has no member \
            “\(Printable.text(path ?? ""))”.
            """)
      }
      item = found.item
    }
    return item
  }

  /// The members of a package, folder by folder, as listings show them.
  func members(of tree: ObjectID, prefix: String = "") throws -> [PackageMemberInfo] {
    try repository.tree(tree).entries.flatMap { entry -> [PackageMemberInfo] in
      let path = prefix + Printable.text(MemberName.decoded(entry.name) ?? entry.name)
      let isFolder = entry.mode == .folder
      let member = PackageMemberInfo(
        path: path, kind: entry.mode.memberKind,
        bytes: isFolder ? 0 : try repository.size(of: entry.id), identity: entry.id.description)
      return try [member] + (isFolder ? members(of: entry.id, prefix: path + "/") : [])
    }
  }

  /// - Parameter budget: how many members the document may still have: a few trees that repeat one
  ///   another can stand for billions.
  private func folder(
    _ tree: Tree, replacing present: Tree?, depth: Int, _ budget: inout Int
  ) throws -> DocumentItem {
    guard depth < DocumentLimits().depth else {
      throw GitError.malformed("a package has more than \(depth) folders inside one another")
    }
    budget -= tree.entries.count
    guard budget >= 0 else {
      throw GitError.malformed("a package has more than \(DocumentLimits().members) members")
    }
    let old = Dictionary(
      (present?.entries ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var names: Set<[UInt8]> = []
    let members = try tree.entries.map { entry in
      guard let name = MemberName.decoded(entry.name), names.insert(name).inserted else {
        throw GitError.malformed("a package has a member with an impossible or doubled name")
      }
      return (
        name: name, item: try member(entry, replacing: old[entry.name], depth: depth + 1, &budget)
      )
    }
    return .folder { members }
  }

  private func member(
    _ entry: Tree.Entry, replacing old: Tree.Entry?, depth: Int, _ budget: inout Int
  ) throws -> DocumentItem {
    if entry == old { return .unchanged }
    switch entry.mode {
    case .file, .executable:
      guard repository.contains(entry.id) else {
        throw GitError.malformed("the contents \(entry.id) are missing")
      }
      return .file(isExecutable: entry.mode == .executable) { [self] in
        try repository.read(entry.id, as: .blob)
      }
    case .symbolicLink:
      return .symbolicLink(target: try repository.read(entry.id, as: .blob))
    case .folder:
      let present = try old.flatMap { try $0.mode == .folder ? repository.tree($0.id) : nil }
      return try folder(repository.tree(entry.id), replacing: present, depth: depth, &budget)
    }
  }
}

extension Record {
  /// "version 1a2b3c4", for messages.
  var shortName: String { "version \(id.description.prefix(7))" }
}

extension Tree.Mode {
  /// The mode as listings name it.
  fileprivate var memberKind: String {
    switch self {
    case .file: "file"
    case .executable: "executable"
    case .symbolicLink: "link"
    case .folder: "folder"
    }
  }
}
