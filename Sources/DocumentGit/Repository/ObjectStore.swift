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
  /// Packs may be replaced meanwhile, by git or by a ``PackCompaction``; one that is open stays readable. Of an
  /// object that is stored twice a damaged copy does no harm.
  ///
  /// - Parameters:
  ///   - kind: what it must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
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

  /// Reads an object only to see that it can be read.
  ///
  /// That its bytes were not made to collide with others is checked where they are used: the check starts libgit2.
  func readBack(_ id: ObjectID) throws(GitError) {
    if try packs.read(id, checking: .damage) == nil { _ = try read(id) }
  }

  /// Reads an object that must be of the given kind.
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

  /// The size of an object in bytes, without reading it whole.
  package func size(of id: ObjectID) throws(GitError) -> Int {
    guard let size = try sizeIfThere(id) else { throw .notFound(id) }
    return size
  }

  /// The size of an object in bytes; nil for an object that is not here.
  package func sizeIfThere(_ id: ObjectID) throws(GitError) -> Int? {
    if let size = try packs.size(of: id) { return size }
    return try loose.header(of: id)?.size
  }

  /// Returns whether the object is here, in whatever state.
  ///
  /// Lists the packs again, for those that other processes added meanwhile.
  package func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try isListed(id) { return true }
    return try packs.contains(id)
  }

  /// Returns whether the object is here, without listing the packs again.
  ///
  /// - Throws: ``GitError`` if it is not, but one of the packs cannot be read.
  package func containsListed(_ id: ObjectID) throws(GitError) -> Bool {
    if try isListed(id) { return true }
    if let damage = packs.damage { throw damage }
    return false
  }

  /// Returns whether the object is loose, or in one of the packs that were listed last.
  func isListed(_ id: ObjectID) throws(GitError) -> Bool {
    try packs.isKnown(id) || loose.contains(id)
  }

  /// Lists the packs again, after some were added or removed.
  package func refresh() throws(GitError) {
    try packs.refresh()
  }
}
