internal import CGit2

extension Repository {
  /// Reads an object and checks that its bytes have its id.
  ///
  /// Packs may be replaced meanwhile, by git or by ``foldPacks()``; one that is open stays readable. Of an
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
    if let object = try readLoose(id, as: kind, upTo: most) { return object }
    throw failure ?? .notFound(id)
  }

  /// Reads an object only to see that it can be read.
  ///
  /// Whether its bytes were made to collide with others is for whoever uses them: to ask that starts libgit2.
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

  /// The same; nil for an object that is not here.
  package func sizeIfThere(_ id: ObjectID) throws(GitError) -> Int? {
    if let size = try packs.size(of: id) { return size }
    return try looseHeader(id)?.size
  }

  /// Whether the object is here, in whatever state.
  ///
  /// Looks for packs that other processes added meanwhile.
  package func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try isThere(id) { return true }
    return try packs.contains(id)
  }

  /// The same of what was there at the last look.
  package func containedAtLastLook(_ id: ObjectID) throws(GitError) -> Bool {
    if try isThere(id) { return true }
    if let damage = packs.damage { throw damage }
    return false
  }

  /// Whether the object is here, as far as this repository was looked at.
  func isThere(_ id: ObjectID) throws(GitError) -> Bool {
    try packs.isKnown(id) || hasLoose(id)
  }

  /// Whether all of the objects are in packs that were there at the last look.
  package func packsHave(_ ids: some Sequence<ObjectID>) throws(GitError) -> Bool {
    for id in ids where try !packs.isKnown(id) { return false }
    return true
  }

  /// The names, sizes and times of the packs, after a look at them; nil where one of them cannot be read.
  package func packState() throws(GitError) -> [UInt8]? {
    try packs.refresh()
    return packs.state
  }

  /// Looks again for packs, after some were added or removed.
  package func refresh() throws(GitError) {
    try packs.refresh()
  }
}
