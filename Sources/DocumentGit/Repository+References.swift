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
      } catch where error.code == GIT_ITEROVER.rawValue {
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
    var reference: OpaquePointer?
    do {
      try git("read HEAD") { unsafe git_reference_lookup(&reference, handle, "HEAD") }
    } catch where error.isNotFound {
      return nil
    }
    defer { unsafe git_reference_free(reference) }
    guard let target = unsafe git_reference_target(reference) else { return nil }
    return unsafe ObjectID(target.pointee)
  }

  /// Detaches `HEAD` at a commit.
  package func setHead(_ id: ObjectID) throws(GitError) {
    try create("HEAD", at: id, replacing: true, expecting: nil)
  }

  /// Moves a reference if it still has the expected value; `nil` expects that it does not exist.
  ///
  /// Stands on `git_reference_create_matching`, which holds the reference's lock while it compares.
  package func setReference(
    _ name: String, to id: ObjectID, expecting expected: ObjectID?
  ) throws(GitError) {
    try create(name, at: id, replacing: expected != nil, expecting: expected)
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
        code: GIT_EMODIFIED.rawValue, operation: "delete \(name)", message: "it was moved meanwhile")
    }
    // Compares again under the reference's lock.
    try git("delete \(name)") { unsafe git_reference_delete(reference) }
  }

  private func create(
    _ name: String, at id: ObjectID, replacing: Bool, expecting expected: ObjectID?
  ) throws(GitError) {
    var raw = id.raw
    var reference: OpaquePointer?
    defer { unsafe git_reference_free(reference) }
    if let expected {
      var rawExpected = expected.raw
      try git("move \(name)") {
        unsafe git_reference_create_matching(
          &reference, handle, name, &raw, 1, &rawExpected, nil)
      }
    } else {
      try git("set \(name)") {
        unsafe git_reference_create(&reference, handle, name, &raw, replacing ? 1 : 0, nil)
      }
    }
  }
}
