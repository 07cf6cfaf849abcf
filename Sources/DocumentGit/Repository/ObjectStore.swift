/// The objects of a repository, packed and loose.
package struct ObjectStore {
  let folder: RepositoryFolder
  let packs: PackSet
  let loose: LooseObjects

  init(in folder: RepositoryFolder, checking check: ObjectCheck) {
    self.folder = folder
    packs = PackSet(PackFolder(in: folder), checking: check)
    loose = LooseObjects(folder: folder, check: check)
  }

  /// Reads an object and checks that its bytes have its id.
  ///
  /// Git or a ``PackCompaction`` may replace packs in the meantime; an open pack stays readable. If an object is stored
  /// twice, a damaged copy does no harm.
  ///
  /// - Parameters:
  ///   - kind: the required kind; `nil` for any kind.
  ///   - most: the maximum size in bytes; a larger object is an error before it is inflated.
  package func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    var failure: GitError?
    do {
      if let object = try packs.read(id, as: kind, upTo: most) { return object }
    } catch {
      failure = error
    }
    if let object = try loose.read(id, as: kind, upTo: most) { return object }
    throw failure ?? .notFound(id)
  }

  /// Returns an object to write elsewhere: with its entry in a pack, if it is stored whole.
  func object(_ id: ObjectID) throws(GitError) -> GitObject {
    do {
      if let whole = try packs.whole(id) { return whole }
    } catch  where !error.isFromSystem {
      // Another copy may be sound.
    }
    let object: (kind: ObjectKind, bytes: [UInt8]) = try read(id)
    return GitObject(object.kind, object.bytes)
  }

  /// Checks that an object can be read.
  ///
  /// Deliberate collisions are checked when the bytes are used, because that check starts libgit2.
  func readBack(_ id: ObjectID) throws(GitError) {
    if try packs.read(id, checking: .damage) == nil { _ = try read(id) }
  }

  /// Reads an object of a given kind.
  package func read(
    _ id: ObjectID, as kind: ObjectKind, upTo most: Int = .max
  ) throws(GitError) -> [UInt8] {
    let object: (kind: ObjectKind, bytes: [UInt8]) = try read(id, as: kind, upTo: most)
    return object.bytes
  }

  /// Reads and parses a commit.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit {
    try Commit(decoding: read(id, as: .commit))
  }

  /// Reads and parses a tree.
  package func tree(_ id: ObjectID) throws(GitError) -> Tree {
    try Tree(decoding: read(id, as: .tree))
  }

  /// Returns the size of an object in bytes without reading the whole object.
  package func size(of id: ObjectID) throws(GitError) -> Int {
    guard let size = try sizeIfThere(id) else { throw .notFound(id) }
    return size
  }

  /// Returns the size of an object in bytes; `nil` if the repository doesn't have the object.
  package func sizeIfThere(_ id: ObjectID) throws(GitError) -> Int? {
    if let size = try packs.size(of: id) { return size }
    return try loose.header(of: id)?.size
  }

  /// Returns whether the repository has the object, sound or damaged.
  ///
  /// This lists the packs again, to find packs that other processes added.
  package func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try isListed(id) { return true }
    return try packs.contains(id)
  }

  /// Returns whether the repository has the object, without listing the packs again.
  ///
  /// - Throws: ``GitError`` if it doesn't, but a pack can't be read.
  package func containsListed(_ id: ObjectID) throws(GitError) -> Bool {
    if try isListed(id) { return true }
    if let damage = packs.damage { throw damage }
    return false
  }

  /// Returns whether the object is loose, or in a pack of the last listing.
  func isListed(_ id: ObjectID) throws(GitError) -> Bool {
    try packs.isKnown(id) || loose.contains(id)
  }

  /// Lists the packs again, after some were added or removed.
  package func refresh() throws(GitError) {
    try packs.refresh()
  }
}
