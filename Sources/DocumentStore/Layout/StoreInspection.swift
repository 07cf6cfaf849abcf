internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A look at a store before git opens it.
///
/// Stores come by copying and syncing too, and git follows links, obeys its config, and waits for a FIFO. So
/// what a store must consist of is looked at here, and what it must not say is refused. One listing for each
/// folder in which git reads by itself: loose objects are not among them, these are read by us.
enum StoreInspection {
  /// Refuses a repository with links, with borrowed objects or with config that we do not write.
  ///
  /// - Returns: what its config says, by keys such as "docversions.format".
  @discardableResult
  static func check(_ store: FilePath) throws -> [String: String] {
    if let first = try wrongParts(of: store).first { throw first.error }
    return try configuration(of: store)
  }

  /// What a store says of itself, by keys such as "docversions.format".
  static func configuration(of store: FilePath) throws -> [String: String] {
    let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
    return try StoreConfiguration.values(in: bytes)
  }

  /// The parts of a store that are missing, of another kind than they must be, or not for a store.
  static func wrongParts(of store: FilePath) throws -> [(name: String?, error: GitError)] {
    var wrong: [(name: String?, error: GitError)] = []
    for (name, kind, isRequired) in parts {
      let found = try FileStatus.of(store.pushing(FilePath(name)))?.kind
      guard found == kind || found == nil && !isRequired else {
        let state = found == nil ? "missing" : "not what it must be"
        wrong.append((name, .malformed("its “\(name)” is \(state)")))
        continue
      }
    }
    for name in borrowing where try FileStatus.of(store.pushing(FilePath(name))) != nil {
      wrong.append((name, .malformed("it has a “\(name)”, which leads to another repository")))
    }
    // The rest is about what is in the parts.
    guard wrong.isEmpty else { return wrong }
    do {
      try checkMembers(of: store)
      try checkObjects(in: store.appending("objects"))
      for name in ["refs", "logs"] { try checkTree(store.appending(name), depth: 0) }
      try checkHeads(in: store)
      try checkOwner(of: store)
    } catch let error as GitError {
      if error.isForeign { throw error }
      wrong.append((nil, error))
    }
    return wrong
  }

  private static let parts: [(name: String, kind: FileStatus.Kind, isRequired: Bool)] = [
    ("objects", .folder, true), ("objects/pack", .folder, false), ("objects/info", .folder, false),
    ("refs", .folder, true), ("refs/heads", .folder, false), ("HEAD", .file, true),
    ("config", .file, true), ("packed-refs", .file, false), ("lock", .file, false),
  ]

  /// What makes git look for objects, references or history elsewhere, or pass over some.
  private static let borrowing = [
    "commondir", "gitdir", "config.worktree", "shallow", "info/grafts", "objects/info/alternates",
    "objects/info/http-alternates",
  ]

  /// Refuses links, FIFOs and the like directly in a folder.
  @discardableResult
  private static func checkMembers(
    of folder: FilePath, atMost most: Int = .max
  ) throws -> [Folder.Member] {
    let members = try Folder.members(of: folder, atMost: most)
    for member in members where member.kind != .file && member.kind != .folder {
      throw GitError.malformed(
        "it has “\(Printable.text(member.name))”, which is neither a file nor a folder")
    }
    return members
  }

  private static func checkObjects(in objects: FilePath) throws {
    for member in try checkMembers(of: objects) where member.kind == .folder {
      // Those with two digits hold loose objects.
      if member.name.count != 2 { try checkMembers(of: objects.appending(bytes: member.name)) }
    }
  }

  /// Looks at a folder and those inside it; git walks through them, wherever they lead.
  private static func checkTree(_ folder: FilePath, depth: Int) throws {
    guard try depth > 0 || FileStatus.of(folder) != nil else { return }
    guard depth < 10 else { throw GitError.malformed("its references lie too deep") }
    for member in try checkMembers(of: folder, atMost: 1_000_000) where member.kind == .folder {
      try checkTree(folder.appending(bytes: member.name), depth: depth + 1)
    }
  }

  /// Refuses more heads than a document may have before git reads them one by one.
  private static func checkHeads(in store: FilePath) throws {
    let heads = store.pushing(FilePath(Head.prefix))
    guard try FileStatus.of(heads) != nil else { return }
    try Head.check(count: Folder.members(of: heads).count)
    let packed = try FileStatus.of(store.appending("packed-refs"))?.size ?? 0
    guard packed <= 64 << 20 else { throw GitError.malformed("its “packed-refs” is too large") }
  }

  /// Refuses a config that somebody else put there; whose the store itself is, git looks at.
  private static func checkOwner(of store: FilePath) throws {
    let owner = try FileStatus.of(store)?.owner
    guard try FileStatus.of(store.appending("config"))?.owner == owner else {
      throw GitError.foreign("its “config” belongs to another user than the store")
    }
  }
}

extension StoreInspection {
  /// Refuses links between a container and a store in it, or where it would be.
  static func checkWay(to store: FilePath, in container: FilePath) throws {
    var rest = store
    guard rest.removePrefix(container) else { return }
    var place = container
    for component in rest.components {
      place.append(component)
      guard let kind = try FileStatus.of(place)?.kind else { return }
      guard kind == .folder else {
        throw VersionError(
          .damaged, document: place.printable,
          message: "“\(place.printable)” is not a folder, as a store’s must be.",
          hint: "Nothing was changed; put it out of the way and try again.")
      }
    }
  }
}

extension Repository {
  /// Opens a store, after a look at it.
  init(store: FilePath) throws {
    try StoreInspection.check(store)
    try self.init(
      opening: store.withPlatformString { $0.nullTerminated }, checking: .forgery)
  }
}
