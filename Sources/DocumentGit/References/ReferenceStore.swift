internal import DocumentFiles
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The references of a repository, loose and in `packed-refs`, and its `HEAD`.
package struct ReferenceStore {
  let folder: RepositoryFolder

  /// Returns all references below a prefix such as "refs/heads/", by their full names.
  ///
  /// Symbolic references are omitted, and unreadable references are skipped, as in libgit2.
  package func all(below prefix: String) throws(GitError) -> [String: ObjectID] {
    try list(below: prefix) { _ in true }.found
  }

  /// Lists the wanted references.
  private func list(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> (found: [String: ObjectID], unread: [String]) {
    var loose: [String: ObjectID] = [:]
    var unread: [String] = []
    for name in try looseNames(below: prefix) where isWanted(name) {
      if case .object(let id) = try valueIfSound(name) {
        loose[name] = id
      } else {
        unread.append(name)
      }
    }
    // This is read last, because git writes packed references before it removes their files.
    let packed = try packed().filter { $0.key.hasPrefix(prefix) && isWanted($0.key) }
    return (packed.merging(loose) { $1 }, unread)
  }

  /// Returns the value in a file; `nil` if the file is damaged.
  private func valueIfSound(_ name: String) throws(GitError) -> ReferenceFile.Value? {
    do {
      return try ReferenceFile(noFolder: name, in: folder)?.value
    } catch {
      guard !error.isFromSystem else { throw error }
      return nil
    }
  }

  /// Returns all references below a prefix, or throws an error for an unreadable one, which libgit2 1.5.1 skips.
  ///
  /// Use this before removing unreachable objects. It lists the folder twice, because one listing may miss a name that
  /// moves.
  package func complete(below prefix: String) throws(GitError) -> [String: ObjectID] {
    var found = try all(below: prefix)
    for name in try looseNames(below: prefix) where found[name] == nil {
      found[name] = try value(of: name)
    }
    return found
  }

  /// Returns the wanted references with one listing, for a caller that knows their names.
  package func complete(
    below prefix: String, where isWanted: (String) -> Bool
  ) throws(GitError) -> [String: ObjectID] {
    var (found, unread) = try list(below: prefix, where: isWanted)
    for name in unread where found[name] == nil { found[name] = try value(of: name) }
    return found
  }

  /// Returns the names of the loose references.
  private func looseNames(below prefix: String) throws(GitError) -> [String] {
    var found: [String] = []
    for name in try folder.files(in: prefix).names() where !name.hasSuffix(".lock") {
      let path = prefix + name
      guard let status = try folder.files.status(of: path) else { continue }
      if status.kind == .folder {
        found += try looseNames(below: path + "/")
      } else {
        found.append(path)
      }
    }
    return found
  }

  /// Waits until the names of the references below a prefix are on disk.
  package func synchronize(below prefix: String) throws(GitError) {
    // libgit2 removes a folder that becomes empty.
    let isThere = try folder.files.status(of: prefix) != nil
    try folder.synchronize(isThere ? prefix : "refs")
    // The top folder contains `packed-refs`.
    try folder.synchronize("")
  }

  /// Returns the target of a reference; `nil` if the reference doesn't exist or is symbolic.
  ///
  /// - Throws: ``GitError`` for a reference with a damaged file, which ``all(below:)`` skips.
  package func value(of name: String) throws(GitError) -> ObjectID? {
    guard let file = try ReferenceFile(name, in: folder) else { return try packed()[name] }
    switch file.value {
    case .object(let id): return id
    case .reference: return nil
    case nil: throw .malformed("the reference \(name) is damaged")
    }
  }

  /// Reads the references in `packed-refs`, which git writes.
  private func packed() throws(GitError) -> [String: ObjectID] {
    guard
      let bytes = try folder.files.readIfThere("packed-refs", upTo: ReferenceFile.mostPacked)
    else { return [:] }
    var found: [String: ObjectID] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A comment, or the target of a tag.
      if line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: "^") { continue }
      guard line.count > 41, let id = ObjectID(hexadecimal: line.prefix(40)),
        line[line.startIndex + 40] == UInt8(ascii: " ")
      else { throw .malformed("the store’s packed-refs is damaged") }
      found[String(decoding: line.dropFirst(41), as: UTF8.self)] = id
    }
    return found
  }

  /// Deletes a reference if it still has the expected value.
  package func delete(_ name: String, expecting expected: ObjectID) throws(GitError) {
    try GitError.retryingWhileLocked { () throws(GitError) in
      try deleteUnlessLocked(name, expecting: expected)
    }
  }

  private func deleteUnlessLocked(
    _ name: String, expecting expected: ObjectID
  ) throws(GitError) {
    if try deleteFile(of: name, expecting: expected) { return }
    try LibraryRepository(opening: folder.path)
      .deleteReference(name, expecting: expected.bytes)
  }

  /// Deletes a reference that is only loose, without starting libgit2.
  ///
  /// This uses git's own locks: that of the reference, so that it doesn't move, and that of `packed-refs`, so that it
  /// isn't packed in the meantime.
  ///
  /// - Returns: whether it was deleted; false if it is packed, or has a log.
  private func deleteFile(
    of name: String, expecting expected: ObjectID
  ) throws(GitError) -> Bool {
    guard ReferenceFile.isValid(name) else { return false }
    if try value(of: name) == nil { return false }
    let lock = try UnplacedFile(folder.path(name + ".lock"), in: folder)
    let lockOfPacked = try UnplacedFile(folder.path("packed-refs.lock"), in: folder)
    defer { withExtendedLifetime((lock, lockOfPacked)) {} }
    guard let target = try value(of: name) else { return false }
    guard target == expected else { throw .movedMeanwhile(name) }
    let hasLog = unsafe folder.path("logs/" + name).withPlatformString {
      unsafe access($0, F_OK) == 0
    }
    let packed = try packed()
    if hasLog || packed[name] != nil { return false }
    try folder.files.remove(name)
    return true
  }

  // MARK: HEAD

  /// Returns the value of `HEAD`.
  package func head() throws(GitError) -> RepositoryHead {
    guard let file = try ReferenceFile("HEAD", in: folder) else {
      throw GitError(code: .missing, operation: "read HEAD", message: "it is missing")
    }
    switch file.value {
    case .object(let id): return .detached(id)
    case .reference(let name): return .attached(name)
    case nil: throw .malformed("HEAD is at nothing")
    }
  }

  /// Changes `HEAD`; on return, it is on disk.
  package func setHead(_ head: RepositoryHead) throws(GitError) {
    let lock = folder.path("HEAD.lock")
    let file = try GitError.retryingWhileLocked { () throws(GitError) in
      try UnplacedFile(lock, in: folder)
    }
    try file.append(head.encoded)
    try file.flush()
    try folder.wait(for: [file])
    try file.place(at: folder.path("HEAD"))
    try folder.synchronize("")
  }
}
