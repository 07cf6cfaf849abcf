internal import CGit2

extension Repository {
  /// All references below a prefix such as "refs/heads/", by their full names.
  package func references(below prefix: String) throws(GitError) -> [String: ObjectID] {
    var iterator: OpaquePointer?
    try git("list references") {
      unsafe git_reference_iterator_glob_new(&iterator, handle, prefix + "*")
    }
    defer { unsafe git_reference_iterator_free(iterator) }
    var found: [String: ObjectID] = [:]
    while true {
      var reference: OpaquePointer?
      do {
        try git("list references") { unsafe git_reference_next(&reference, iterator) }
      } catch  where error.code == GIT_ITEROVER.rawValue {
        return found
      }
      defer { unsafe git_reference_free(reference) }
      if let name = unsafe git_reference_name(reference),
        let target = unsafe git_reference_target(reference)
      {
        found[unsafe String(cString: name)] = unsafe ObjectID(target.pointee)
      }
    }
  }

  /// The commit that `HEAD` is detached at; nil before the first save.
  package func head() throws(GitError) -> ObjectID? {
    try reference("HEAD")
  }

  /// What a reference points at; nil when it does not exist, or points at another reference.
  ///
  /// - Throws: ``GitError`` for a reference whose file is damaged, which ``references(below:)`` passes over
  ///   as libgit2 1.5.1 does.
  package func reference(_ name: String) throws(GitError) -> ObjectID? {
    var reference: OpaquePointer?
    do {
      try git("read \(name)") { unsafe git_reference_lookup(&reference, handle, name) }
    } catch  where error.isNotFound {
      return nil
    }
    defer { unsafe git_reference_free(reference) }
    guard let target = unsafe git_reference_target(reference) else { return nil }
    return unsafe ObjectID(target.pointee)
  }

  /// Detaches `HEAD` at a commit.
  package func setHead(_ id: ObjectID) throws(GitError) {
    var raw = id.raw
    var reference: OpaquePointer?
    defer { unsafe git_reference_free(reference) }
    try git("set HEAD") {
      unsafe git_reference_create(&reference, handle, "HEAD", &raw, 1, nil)
    }
  }

  /// Moves a reference if it still has the expected value; `nil` expects that it does not exist.
  ///
  /// Stands on `git_reference_create_matching`, which holds the reference's lock while it compares.
  package func setReference(
    _ name: String, to id: ObjectID, expecting expected: ObjectID?
  ) throws(GitError) {
    var raw = id.raw
    // The id of zeros expects nothing there.
    var rawExpected = expected?.raw ?? git_oid()
    var reference: OpaquePointer?
    defer { unsafe git_reference_free(reference) }
    if expected == nil { try createFolders(forReference: name) }
    try git("move \(name)") {
      unsafe git_reference_create_matching(
        &reference, handle, name, &raw, expected == nil ? 0 : 1, &rawExpected, nil)
    }
  }

  /// Deletes a reference if it still has the expected value.
  package func deleteReference(_ name: String, expecting expected: ObjectID) throws(GitError) {
    var reference: OpaquePointer?
    try git("look up \(name)") { unsafe git_reference_lookup(&reference, handle, name) }
    defer { unsafe git_reference_free(reference) }
    guard let target = unsafe git_reference_target(reference),
      unsafe ObjectID(target.pointee) == expected
    else {
      throw GitError(
        code: GIT_EMODIFIED.rawValue, operation: "delete \(name)", message: "it was moved meanwhile"
      )
    }
    // Compares again under the reference's lock.
    try git("delete \(name)") { unsafe git_reference_delete(reference) }
  }
}
