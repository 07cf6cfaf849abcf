/// The changes of one operation in a repository: new objects, and moves of references to them.
package struct Transaction: Sendable {
  package typealias Move = ReferenceMove

  package var objects: [GitObject]
  /// The moves in their order; the first is the commit point.
  package var moves: [Move]

  package init(objects: [GitObject] = [], moves: [Move] = []) {
    self.objects = objects
    self.moves = moves
  }
}

extension Repository {
  /// Carries out a transaction; on return, it is on disk.
  ///
  /// A crash at any moment leaves each reference at its old or its new value, and each leads to complete
  /// objects: bytes are on disk before they get a name, and names are on disk before a reference leads to
  /// them. This takes three rounds of waiting, regardless of the number of objects: for the bytes of the
  /// pack, its index and the references together; for the names in `objects/pack`; and for the names of the
  /// references.
  ///
  /// - Parameter advance: receives every object's size after it was written; an error that it throws ends the
  ///   transaction without a change.
  /// - Returns: the new pack; `nil` if there were no objects.
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if a reference doesn't have its expected value; then
  ///   nothing is changed.
  @discardableResult
  package func commit(
    _ transaction: Transaction, advance: (Int) throws -> Void = { _ in }
  ) throws -> PublishedPack? {
    let pack =
      try transaction.objects.isEmpty
      ? nil : NewPack(in: objects).write(transaction.objects, advance: advance)
    let locks = try ReferenceLocks(transaction.moves, of: references)
    try folder.wait(for: (pack?.files ?? []) + locks.files)
    if let pack {
      try pack.place(isNew: true)
      try refresh()
    }
    // References may lead only to objects that can be read back.
    let last = transaction.objects.last.map { [$0.id] } ?? []
    for id in Set(last + transaction.moves.map(\.target)) { try objects.readBack(id) }
    try locks.place()
    guard let pack else { return nil }
    if isOwn { packs.removePacks(coveredBy: pack.name) }
    return PublishedPack(name: pack.name, size: pack.size)
  }

  /// Writes objects that no reference leads to yet.
  package func write(_ objects: [GitObject]) throws {
    try commit(Transaction(objects: objects))
  }

  /// Moves a reference if it still has the expected value; `nil` expects that it does not exist.
  package func setReference(
    _ name: String, to id: ObjectID, expecting expected: ObjectID?
  ) throws {
    try commit(Transaction(moves: [Transaction.Move(name, to: id, expecting: expected)]))
  }
}
