/// A move of a reference.
package struct ReferenceMove: Sendable {
  /// The full name.
  package let reference: String
  package let target: ObjectID
  /// The expected present value; `nil` if it must not exist.
  package let expected: ObjectID?

  package init(_ reference: String, to target: ObjectID, expecting expected: ObjectID?) {
    self.reference = reference
    self.target = target
    self.expected = expected
  }
}

/// References under git's own locks, each with its new value in the lock file.
struct ReferenceLocks {
  private let folder: RepositoryFolder
  private var locks: [(reference: String, file: UnplacedFile)] = []

  /// Takes the locks, waiting while a git process holds one, and compares the values of the references.
  init(_ moves: [ReferenceMove], of references: ReferenceStore) throws(GitError) {
    folder = references.folder
    for move in moves {
      try folder.createFolders(above: move.reference)
    }
    for move in moves {
      guard ReferenceFile.isValid(move.reference) else {
        throw .malformed("“\(move.reference)” isn’t the name of a reference")
      }
      let path = folder.path(move.reference + ".lock")
      let file = try GitError.retryingWhileLocked { () throws(GitError) in
        try UnplacedFile(path, in: folder)
      }
      guard try references.value(of: move.reference) == move.expected else {
        throw .movedMeanwhile(move.reference)
      }
      try file.append(Array("\(move.target)\n".utf8))
      try file.flush()
      locks.append((move.reference, file))
    }
  }

  var files: [UnplacedFile] { locks.map(\.file) }

  /// Moves the references in order, and waits until their names are on disk.
  func place() throws(GitError) {
    for lock in locks { try lock.file.place(at: folder.path(lock.reference)) }
    let folders = locks.map { lock in
      lock.reference.split(separator: "/").dropLast().joined(separator: "/")
    }
    for name in Set(folders) { try folder.synchronize(name) }
  }
}
