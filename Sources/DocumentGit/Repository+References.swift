internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Repository {
  /// All references below a prefix such as "refs/heads/", by their full names.
  ///
  /// One that points at another reference is none; one that cannot be read is passed over, as libgit2 does.
  package func references(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try references(below: prefix) { _ in true }.found
  }

  /// The same, and the names of files that are there and tell of none.
  package func allReferences(
    below prefix: String
  ) throws(GitError) -> (found: [String: ObjectID], unread: [String]) {
    try references(below: prefix) { _ in true }
  }

  /// The same of some names.
  private func references(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> (found: [String: ObjectID], unread: [String]) {
    var loose: [String: ObjectID] = [:]
    var unread: [String] = []
    for name in try looseReferences(below: prefix) where isWanted(name) {
      if case .object(let id) = try ReferenceFile(noFolder: name, in: self)?.value {
        loose[name] = id
      } else {
        unread.append(name)
      }
    }
    // Git writes what it packs before it removes the file: so this is read last.
    let packed = try packedReferences().filter { $0.key.hasPrefix(prefix) && isWanted($0.key) }
    return (packed.merging(loose) { $1 }, unread)
  }

  /// The same, but with an error for a reference that is there and cannot be read, which libgit2 1.5.1 passes
  /// over: for whoever lets go of what no reference leads to.
  ///
  /// The folder is looked through twice: a name that moves meanwhile may not show.
  package func completeReferences(below prefix: String) throws(GitError) -> [String: ObjectID] {
    var found = try references(below: prefix)
    for name in try looseReferences(below: prefix) where found[name] == nil {
      found[name] = try reference(name)
    }
    return found
  }

  /// The same after one look, of some names: for whoever knows what should be there.
  package func completeReferences(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> [String: ObjectID] {
    var (found, unread) = try references(below: prefix, where: isWanted)
    for name in unread where found[name] == nil { found[name] = try reference(name) }
    return found
  }

  /// The names of the references that have a file of their own.
  private func looseReferences(below prefix: String) throws(GitError) -> [String] {
    var found: [String] = []
    for name in try PackFolder(cPath(prefix)).names() where !name.hasSuffix(".lock") {
      var status = stat()
      let path = prefix + name
      guard unsafe lstat(cPath(path), &status) == 0 else {
        if errno == ENOENT { continue }
        throw .fromSystem("look at \(path)", errno)
      }
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

  /// Waits until the names of packs and references are on the disk, whoever gave them.
  package func synchronizeNames() throws(GitError) {
    try synchronize("objects/pack")
    try synchronizeReferences(below: "refs/heads")
  }

  /// What a reference points at; nil when it does not exist, or points at another reference.
  ///
  /// - Throws: ``GitError`` for a reference whose file is damaged, which ``references(below:)`` passes over.
  package func reference(_ name: String) throws(GitError) -> ObjectID? {
    guard let file = try ReferenceFile(name, in: self) else { return try packedReferences()[name] }
    switch file.value {
    case .object(let id): return id
    case .reference: return nil
    case nil: throw .malformed("the reference \(name) is damaged")
    }
  }

  /// The references in `packed-refs`, which git writes.
  private func packedReferences() throws(GitError) -> [String: ObjectID] {
    guard
      let bytes = try PackFolder(path).readIfThere("packed-refs", upTo: ReferenceFile.mostPacked)
    else { return [:] }
    var found: [String: ObjectID] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A comment, or what a tag leads to.
      if line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: "^") { continue }
      guard line.count > 41, let id = ObjectID(hexadecimal: line.prefix(40)),
        line[line.startIndex + 40] == UInt8(ascii: " ")
      else { throw .malformed("the store’s packed-refs is damaged") }
      found[String(decoding: line.dropFirst(41), as: UTF8.self)] = id
    }
    return found
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
    if try deleteFile(of: name, expecting: expected) { return }
    let repository = try LibraryRepository(opening: path)
    let handle = unsafe repository.handle
    var reference: OpaquePointer?
    try git("look up \(name)") { unsafe lib_git_reference_lookup(&reference, handle, name) }
    defer { unsafe lib_git_reference_free(reference) }
    guard let target = unsafe lib_git_reference_target(reference),
      unsafe ObjectID(target.pointee) == expected
    else { throw .movedMeanwhile(name) }
    // Compares again under the reference's lock.
    try git("delete \(name)") { unsafe lib_git_reference_delete(reference) }
  }

  /// Deletes a reference that is a file and nothing else, without starting libgit2.
  ///
  /// Under git's own locks: that of the reference, so that it does not move, and that of the packed ones, so that it is
  /// not packed meanwhile.
  ///
  /// - Returns: false where it is packed, or has a log.
  private func deleteFile(
    of name: String, expecting expected: ObjectID
  ) throws(GitError) -> Bool {
    guard ReferenceFile.isValid(name) else { return false }
    if try reference(name) == nil { return false }
    let lock = try NewFile(cPath(name + ".lock"))
    let lockOfPacked = try NewFile(cPath("packed-refs.lock"))
    defer { withExtendedLifetime((lock, lockOfPacked)) {} }
    guard let target = try reference(name) else { return false }
    guard target == expected else { throw .movedMeanwhile(name) }
    let hasLog = unsafe access(cPath("logs/" + name), F_OK) == 0
    let packed = try packedReferences()
    if hasLog || packed[name] != nil { return false }
    guard unsafe unlink(cPath(name)) == 0 else { throw .fromSystem("delete \(name)", errno) }
    return true
  }
}

extension GitError {
  fileprivate static func movedMeanwhile(_ reference: String) -> GitError {
    .changedMeanwhile("\(reference) was moved meanwhile")
  }
}
