/// Objects: see ``ObjectStore``.
extension Repository {
  /// Reads an object and checks that its bytes have its id: see ``ObjectStore/read(_:as:upTo:)``.
  package func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    try objects.read(id, as: kind, upTo: most)
  }

  /// Reads an object that must be of the given kind.
  package func read(
    _ id: ObjectID, as kind: ObjectKind, upTo most: Int = .max
  ) throws(GitError) -> [UInt8] {
    try objects.read(id, as: kind, upTo: most)
  }

  /// Reads and parses a commit.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit { try objects.commit(id) }

  /// Reads and parses a tree.
  package func tree(_ id: ObjectID) throws(GitError) -> Tree { try objects.tree(id) }

  /// The size of an object in bytes, without reading it whole.
  package func size(of id: ObjectID) throws(GitError) -> Int { try objects.size(of: id) }

  /// The size of an object in bytes; nil for an object that is not here.
  package func sizeIfThere(_ id: ObjectID) throws(GitError) -> Int? {
    try objects.sizeIfThere(id)
  }

  /// Returns whether the object is here, in whatever state.
  package func contains(_ id: ObjectID) throws(GitError) -> Bool { try objects.contains(id) }

  /// Returns whether the object is here, without listing the packs again.
  package func containedWhenLastListed(_ id: ObjectID) throws(GitError) -> Bool {
    try objects.containsListed(id)
  }

  /// Copies objects, in one new pack, into another repository; on return they are on the disk.
  ///
  /// - Parameter others: objects that are in neither yet.
  /// - Returns: the new pack; nil where there was nothing to copy.
  @discardableResult
  package func copy(
    _ ids: [ObjectID], and others: [GitObject] = [], intoPacksOf destination: borrowing Repository,
    advance: (Int) throws -> Void = { _ in }
  ) throws -> PublishedPack? {
    try ObjectCopying(source: objects, destination: destination.objects)
      .copy(ids, and: others, advance: advance)
  }

  /// The objects that have files of their own.
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
