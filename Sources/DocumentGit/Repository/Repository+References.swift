/// References: see ``ReferenceStore``.
extension Repository {
  /// All references below a prefix such as "refs/heads/", by their full names.
  ///
  /// A reference that points at another one is left out; one that cannot be read is passed over, as libgit2 does.
  package func references(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try references.all(below: prefix)
  }

  /// All references below a prefix, and the names of files there that hold none.
  package func allReferences(
    below prefix: String
  ) throws(GitError) -> (found: [String: ObjectID], unread: [String]) {
    try references.allAndUnread(below: prefix)
  }

  /// All references below a prefix, with an error for one that is there and cannot be read.
  package func completeReferences(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try references.complete(below: prefix)
  }

  /// Those of the names that are wanted, after one listing: for a caller that knows which there should be.
  package func completeReferences(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> [String: ObjectID] {
    try references.complete(below: prefix, where: isWanted)
  }

  /// The object that a reference points at; nil when it does not exist, or points at another reference.
  ///
  /// - Throws: ``GitError`` for a reference whose file is damaged, which ``references(below:)`` passes over.
  package func reference(_ name: String) throws(GitError) -> ObjectID? {
    try references.value(of: name)
  }

  /// Deletes a reference if it still has the expected value.
  package func deleteReference(_ name: String, expecting expected: ObjectID) throws(GitError) {
    try references.delete(name, expecting: expected)
  }

  /// The value of `HEAD`.
  package func head() throws(GitError) -> RepositoryHead { try references.head() }

  /// Changes `HEAD`; on return it is on the disk.
  package func setHead(_ head: RepositoryHead) throws(GitError) { try references.setHead(head) }

  /// Waits until the names of the references below a prefix are on the disk.
  package func synchronizeReferences(below prefix: String) throws(GitError) {
    try references.synchronize(below: prefix)
  }

  /// Waits until the names of packs and references are on the disk, whichever process gave them.
  package func synchronizeNames() throws(GitError) {
    try folder.synchronize("objects/pack")
    try references.synchronize(below: "refs/heads")
  }
}
