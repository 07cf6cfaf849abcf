extension Repository {
  /// Waits until the names of packs and references are on disk, including those from other processes.
  package func synchronizeNames() throws(GitError) {
    try folder.synchronize("objects/pack")
    try references.synchronize(below: "refs/heads")
  }
}
