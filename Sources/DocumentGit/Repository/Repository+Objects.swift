/// Objects: see ``ObjectStore``.
extension Repository {
  /// Reads an object and checks that its bytes have its id; see ``ObjectStore/read(_:as:upTo:)``.
  package func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    try objects.read(id, as: kind, upTo: most)
  }

  /// Reads an object of a given kind.
  package func read(
    _ id: ObjectID, as kind: ObjectKind, upTo most: Int = .max
  ) throws(GitError) -> [UInt8] {
    try objects.read(id, as: kind, upTo: most)
  }

  /// Reads and parses a commit.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit { try objects.commit(id) }

  /// Reads and parses a tree.
  package func tree(_ id: ObjectID) throws(GitError) -> Tree { try objects.tree(id) }

  /// Returns the size of an object in bytes without reading the whole object.
  package func size(of id: ObjectID) throws(GitError) -> Int { try objects.size(of: id) }

  /// Returns the size of an object in bytes; `nil` if the repository doesn't have the object.
  package func sizeIfThere(_ id: ObjectID) throws(GitError) -> Int? {
    try objects.sizeIfThere(id)
  }

  /// Returns whether the repository has the object, sound or damaged.
  package func contains(_ id: ObjectID) throws(GitError) -> Bool { try objects.contains(id) }

  /// Returns whether the repository has the object, without listing the packs again.
  package func containedWhenLastListed(_ id: ObjectID) throws(GitError) -> Bool {
    try objects.containsListed(id)
  }

  /// Copies objects into another repository in one new pack; on return, they are on disk.
  ///
  /// - Parameter others: objects that are in neither repository yet.
  /// - Returns: the new pack; `nil` if there was nothing to copy.
  @discardableResult
  package func copy(
    _ ids: [ObjectID], and others: [GitObject] = [], intoPacksOf destination: borrowing Repository,
    advance: (Int) throws -> Void = { _ in }
  ) throws -> PublishedPack? {
    try ObjectCopying(source: objects, destination: destination.objects)
      .copy(ids, and: others, advance: advance)
  }

  /// Lists the loose objects.
  ///
  /// - Returns: the ids, and the paths of other files in the folders of objects.
  package func looseObjects() throws(GitError) -> (ids: [ObjectID], others: [String]) {
    try objects.loose.list()
  }

  /// Reads the file of a loose object, and checks that its bytes have its name.
  package func checkLoose(_ id: ObjectID) throws(GitError) {
    _ = try objects.loose.read(id)
  }
}
