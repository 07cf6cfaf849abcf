/// References: see ``ReferenceStore``.
extension Repository {
  /// Returns all references below a prefix such as "refs/heads/", by their full names.
  ///
  /// Symbolic references are omitted, and unreadable references are skipped, as in libgit2.
  package func references(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try references.all(below: prefix)
  }

  /// Returns all references below a prefix, or throws an error for an unreadable one.
  package func completeReferences(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try references.complete(below: prefix)
  }

  /// Returns the wanted references with one listing, for a caller that knows their names.
  package func completeReferences(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> [String: ObjectID] {
    try references.complete(below: prefix, where: isWanted)
  }

  /// Returns the target of a reference; `nil` if the reference doesn't exist or is symbolic.
  ///
  /// - Throws: ``GitError`` for a reference with a damaged file, which ``references(below:)`` skips.
  package func reference(_ name: String) throws(GitError) -> ObjectID? {
    try references.value(of: name)
  }

  /// Deletes a reference if it still has the expected value.
  package func deleteReference(_ name: String, expecting expected: ObjectID) throws(GitError) {
    try references.delete(name, expecting: expected)
  }

  /// Returns the value of `HEAD`.
  package func head() throws(GitError) -> RepositoryHead { try references.head() }

  /// Changes `HEAD`; on return, it is on disk.
  package func setHead(_ head: RepositoryHead) throws(GitError) { try references.setHead(head) }

  /// Waits until the names of the references below a prefix are on disk.
  package func synchronizeReferences(below prefix: String) throws(GitError) {
    try references.synchronize(below: prefix)
  }

  /// Waits until the names of packs and references are on disk, including those from other processes.
  package func synchronizeNames() throws(GitError) {
    try folder.synchronize("objects/pack")
    try references.synchronize(below: "refs/heads")
  }
}
