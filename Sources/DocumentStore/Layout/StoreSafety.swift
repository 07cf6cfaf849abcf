internal import DocumentFiles
package import DocumentGit
package import SystemPackage

/// Checks a store before git opens it.
///
/// Stores may come from copying and syncing, and git follows links, obeys its config, and waits for a FIFO.
/// So this checks the required parts of a store, and throws an error for settings that a store must not have.
/// It lists each folder once in which git itself reads. Loose objects aren't among them, because docversions
/// reads these.
package enum StoreSafety {
  /// The findings in an intact store.
  package struct Findings {
    /// The values of its config, by keys such as "docversions.format".
    package let configuration: [String: String]
    /// True if the store has nothing that a killed process may have left.
    let isTidy: Bool
  }

  /// Throws an error for a repository with links, with borrowed objects, or with settings that docversions
  /// doesn't write.
  ///
  /// - Parameter isShared: whether other users may own parts of the repository.
  @discardableResult
  package static func check(_ store: FilePath, isShared: Bool = false) throws -> Findings {
    var isTidy = true
    if let first = try wrongParts(of: store, isShared: isShared, isTidy: &isTidy).first {
      throw first.error
    }
    return Findings(configuration: try configuration(of: store), isTidy: isTidy)
  }

  /// Returns the values of a store's config, by keys such as "docversions.format".
  package static func configuration(of store: FilePath) throws -> [String: String] {
    let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
    return try StoreConfiguration.values(in: bytes)
  }

  /// Returns the parts of a store that are missing, of the wrong kind, or foreign to a store.
  static func wrongParts(of store: FilePath) throws -> [(name: String?, error: GitError)] {
    var isTidy = true
    return try wrongParts(of: store, isTidy: &isTidy)
  }

  /// - Parameter isTidy: becomes false if there is anything that a killed process may have left.
  private static func wrongParts(
    of store: FilePath, isShared: Bool = false, isTidy: inout Bool
  ) throws -> [(name: String?, error: GitError)] {
    let listing = try StoreListing(of: store)
    var wrong: [(name: String?, error: GitError)] = []
    for (name, kind, isRequired) in parts {
      let found = listing.kind(of: name)
      if found != kind, found != nil || isRequired {
        let state = found == nil ? "missing" : "invalid"
        wrong.append((name, .malformed("its “\(name)” is \(state)")))
      }
    }
    for name in borrowing where listing.kind(of: name) != nil {
      wrong.append((name, .malformed("it has a “\(name)”, which leads to another repository")))
    }
    // The remaining checks concern the contents of the parts.
    guard wrong.isEmpty else { return wrong }
    do {
      let members = listing.members(of: "")
      try checkKinds(of: members)
      if members.contains(where: isPassing) { isTidy = false }
      let (objects, references) = (store.appending("objects"), store.appending("refs"))
      try checkObjects(listing.members(of: "objects"), in: objects, isTidy: &isTidy)
      try checkTree(listing.members(of: "refs"), of: references, depth: 0, isTidy: &isTidy)
      if listing.kind(of: "logs") == .folder {
        let logs = store.appending("logs")
        let members = try Folder.members(of: logs, atMost: mostReferences)
        try checkTree(members, of: logs, depth: 0, isTidy: &isTidy)
      }
      if listing.kind(of: "packed-refs") != nil { try checkPackedReferences(in: store) }
      if !isShared { try checkOwner(of: store) }
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

  /// Throws an error for a store of a later format.
  static func refuseNewer(_ configuration: [String: String]) throws(GitError) {
    guard let format = configuration["docversions.format"].flatMap({ Int($0) }), format > 1 else {
      return
    }
    throw .malformed("it has the format \(format), which a newer docversions may read")
  }

  /// The files that make git search for objects, references or history elsewhere, or ignore some of them.
  private static let borrowing = [
    "commondir", "gitdir", "config.worktree", "shallow", "info/grafts", "objects/info/alternates",
    "objects/info/http-alternates",
  ]

  /// Throws an error for links, FIFOs and the like.
  static func checkKinds(of members: [Folder.Member]) throws {
    for member in members where member.kind != .file && member.kind != .folder {
      throw GitError.malformed(
        "it has “\(Printable.text(member.name))”, which is neither a file nor a folder")
    }
  }

  private static func checkObjects(
    _ members: [Folder.Member], in objects: FilePath, isTidy: inout Bool
  ) throws {
    try checkKinds(of: members)
    // Folders whose names have two digits contain loose objects.
    for member in members where member.kind == .folder && member.name.count != 2 {
      let inner = try Folder.members(of: objects.appending(bytes: member.name))
      try checkKinds(of: inner)
      if member.name.elementsEqual("pack".utf8) {
        let names = inner.map { String(decoding: $0.name, as: UTF8.self) }
        if Repository.hasTemporaryFiles(amongPacks: names) { isTidy = false }
      }
    }
  }

  /// Returns whether a file exists only while another one is written.
  private static func isPassing(_ member: Folder.Member) -> Bool {
    member.name.suffix(StoreFile.lockSuffix.utf8.count).elementsEqual(StoreFile.lockSuffix.utf8)
      || SmallFile.isTemporary(member.name)
  }

  /// Checks the items in a folder and its subfolders, which git walks through wherever they lead.
  private static func checkTree(
    _ members: [Folder.Member], of folder: FilePath, depth: Int, isTidy: inout Bool
  ) throws {
    guard depth < 10 else { throw GitError.malformed("its references lie too deep") }
    try checkKinds(of: members)
    if members.contains(where: isPassing) { isTidy = false }
    for member in members where member.kind == .folder {
      let inner = folder.appending(bytes: member.name)
      let members = try Folder.members(of: inner, atMost: mostReferences)
      // Too many heads are an error before git reads them one by one.
      if depth == 0, member.name.elementsEqual("heads".utf8) {
        try HeadName.check(count: members.count)
      }
      try checkTree(members, of: inner, depth: depth + 1, isTidy: &isTidy)
    }
  }

  private static let mostReferences = 1_000_000

  /// Throws an error for a `packed-refs` that is too large to be read.
  private static func checkPackedReferences(in store: FilePath) throws {
    let size = try FileStatus.of(store.appending("packed-refs"))?.size ?? 0
    guard size <= 64 << 20 else { throw GitError.malformed("its “packed-refs” is too large") }
  }

  /// Throws an error for a config of another user; git checks the owner of the store itself.
  private static func checkOwner(of store: FilePath) throws {
    let owner = try FileStatus.of(store)?.owner
    guard try FileStatus.of(store.appending("config"))?.owner == owner else {
      throw GitError.foreign("its “config” belongs to another user than the store")
    }
  }
}

/// The folders of a store in which git searches for parts, each listed once.
private struct StoreListing {
  /// The members of a folder, by its path in the store.
  private var folders: [String: [Folder.Member]] = [:]
  /// The kinds of the items, by their paths in the store if these are valid text, as for all parts of stores.
  private var kinds: [String: FileStatus.Kind] = [:]

  init(of store: FilePath) throws {
    guard try FileStatus.of(store)?.kind == .folder else { return }
    try list("", at: store)
    for name in ["objects", "objects/info", "refs", "info"] where kind(of: name) == .folder {
      try list(name, at: store.appending(name))
    }
  }

  private mutating func list(_ folder: String, at path: FilePath) throws {
    let members = try Folder.members(of: path)
    folders[folder] = members
    let start = folder.isEmpty ? "" : folder + "/"
    for member in members {
      kinds[start + String(decoding: member.name, as: UTF8.self)] = member.kind
    }
  }

  func members(of folder: String) -> [Folder.Member] {
    folders[folder] ?? []
  }

  /// Returns the kind of the item at a path.
  func kind(of path: String) -> FileStatus.Kind? {
    kinds[path]
  }
}

extension StoreSafety {
  /// Returns whether a store is in a container; throws an error if it is a link, or its path has one.
  static func isThere(_ store: FilePath, in container: FilePath) throws -> Bool {
    var rest = store
    guard rest.removePrefix(container) else { return try FileStatus.of(store) != nil }
    var place = container
    for component in rest.components {
      place.append(component)
      guard let kind = try FileStatus.of(place)?.kind else { return false }
      guard kind == .folder else {
        throw VersionError(
          .damaged, document: place.printable,
          message: "“\(place.printable)” is not a folder, so it can’t contain a store.",
          hint: "Nothing was changed; move it away and try again.")
      }
    }
    return true
  }
}

extension Repository {
  /// Opens a store after checking it.
  package init(store: FilePath) throws {
    try StoreSafety.check(store)
    try self.init(opening: store, checking: .forgery)
  }
}
