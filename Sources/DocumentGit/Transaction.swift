/// What one operation changes in a repository: new objects, and references that then lead to them.
package struct Transaction: Sendable {
  /// A reference that shall move.
  package struct Move: Sendable {
    /// The full name.
    package let reference: String
    package let target: ObjectID
    /// What it must be at until then; nil where it must not exist.
    package let expected: ObjectID?

    package init(_ reference: String, to target: ObjectID, expecting expected: ObjectID?) {
      self.reference = reference
      self.target = target
      self.expected = expected
    }
  }

  package var objects: [GitObject]
  /// The moves in their order; the first is the commit point.
  package var moves: [Move]

  package init(objects: [GitObject] = [], moves: [Move] = []) {
    self.objects = objects
    self.moves = moves
  }
}

extension Repository {
  /// Does what a transaction asks for; on return it is on the disk.
  ///
  /// A crash at any moment leaves the references as they were or as they shall be, and each leads to whole
  /// objects: bytes are on the disk before they get a name, names before a reference leads to them.
  /// That takes three rounds of waiting, whatever the number of objects: for the bytes of the pack, its index
  /// and the references together; for the names in `objects/pack`; for the names of the references.
  ///
  /// - Parameter advance: told of every object's size when it was written; what it throws ends the
  ///   transaction with nothing changed.
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if a reference is not what was expected;
  ///   then nothing was changed.
  package func commit(
    _ transaction: Transaction, advance: (Int) throws -> Void = { _ in }
  ) throws {
    let pack =
      try transaction.objects.isEmpty
      ? nil : writePack(transaction.objects, advance: advance)
    try createFolders(forReferences: transaction.moves.map(\.reference))
    let locks = try ReferenceLocks(transaction.moves, in: self)
    try wait(for: (pack?.pendingWrites ?? []) + locks.pendingWrites)
    if let pack {
      try pack.place(isNew: true)
      try synchronize("objects/pack")
      try refresh()
    }
    // References lead only to what can be read again.
    let last = transaction.objects.last.map { [$0.id] } ?? []
    for id in Set(last + transaction.moves.map(\.target)) { try readBack(id) }
    try locks.place(in: self)
    if let pack { removePacks(coveredBy: pack.name) }
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

/// References that are held by git's own locks, each with its new value in the lock's file.
private struct ReferenceLocks {
  private var locks: [(reference: String, file: NewFile)] = []

  /// Takes the locks, waiting while a git process holds one, and compares what the references are at.
  init(_ moves: [Transaction.Move], in repository: borrowing Repository) throws(GitError) {
    for move in moves {
      guard ReferenceFile.isValid(move.reference) else {
        throw .malformed("“\(move.reference)” is no name of a reference")
      }
      let path = repository.cPath(move.reference + ".lock")
      let file = try GitError.retryingWhileLocked { () throws(GitError) in try NewFile(path) }
      guard try repository.reference(move.reference) == move.expected else {
        throw .changedMeanwhile("\(move.reference) was moved meanwhile")
      }
      try file.append(Array("\(move.target)\n".utf8))
      try file.flush()
      locks.append((move.reference, file))
    }
  }

  var pendingWrites: [PendingWrite] { locks.map(\.file.pendingWrite) }

  /// Moves the references in their order, and waits until their names are on the disk.
  func place(in repository: borrowing Repository) throws(GitError) {
    for lock in locks { try lock.file.place(at: repository.cPath(lock.reference)) }
    let folders = locks.map { lock in
      lock.reference.split(separator: "/").dropLast().joined(separator: "/")
    }
    for folder in Set(folders) { try repository.synchronize(folder) }
  }
}
