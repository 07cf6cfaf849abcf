internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

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

  /// The same, but with an error for a reference that is there and cannot be read, which libgit2 1.5.1 passes
  /// over: for whoever lets go of what no reference leads to.
  package func completeReferences(below prefix: String) throws(GitError) -> [String: ObjectID] {
    var found = try references(below: prefix)
    for name in try looseReferences(below: prefix) where found[name] == nil {
      found[name] = try reference(name)
    }
    return found
  }

  /// The names of the references that have a file of their own.
  private func looseReferences(below prefix: String) throws(GitError) -> [String] {
    var found: [String] = []
    for name in try PackFolder(cPath(prefix)).names() where !name.hasSuffix(".lock") {
      var status = stat()
      let path = prefix + name
      guard unsafe lstat(cPath(path), &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        found += try looseReferences(below: path + "/")
      } else {
        found.append(path)
      }
    }
    return found
  }

  /// Waits until it is on the disk which references there are.
  package func synchronizeReferences(below prefix: String) throws(GitError) {
    var status = stat()
    // A folder that became empty is removed by libgit2.
    let isThere = unsafe lstat(cPath(prefix), &status) == 0
    try synchronize(isThere ? prefix : "refs")
    // `packed-refs` is here.
    try synchronize("")
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

  /// Deletes a reference if it still has the expected value.
  package func deleteReference(_ name: String, expecting expected: ObjectID) throws(GitError) {
    try GitError.retryingWhileLocked { () throws(GitError) in
      try deleteUnlessLocked(name, expecting: expected)
    }
  }

  private func deleteUnlessLocked(
    _ name: String, expecting expected: ObjectID
  ) throws(GitError) {
    var reference: OpaquePointer?
    try git("look up \(name)") { unsafe git_reference_lookup(&reference, handle, name) }
    defer { unsafe git_reference_free(reference) }
    guard let target = unsafe git_reference_target(reference),
      unsafe ObjectID(target.pointee) == expected
    else {
      throw .changedMeanwhile("\(name) was moved meanwhile")
    }
    // Compares again under the reference's lock.
    try git("delete \(name)") { unsafe git_reference_delete(reference) }
  }
}
