internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An open bare repository: its folder, and the packs that were read from.
///
/// Not copyable and not sendable: whoever opens it uses it on one thread and lets it go. Every call is
/// synchronous and may wait for the disk. What is read and added often is done here, on git's files; for the rest
/// libgit2 is opened on the same folder.
package struct Repository: ~Copyable {
  /// The repository's folder, as a C string.
  let path: [CChar]
  let packs: PackSet
  /// Who waits for the disk together with this one.
  private let group: SyncGroup?

  /// Opens the repository in the folder itself: nothing is searched for, and a repository of
  /// another user is refused.
  ///
  /// - Parameters:
  ///   - path: the folder, as a C string with its terminating zero.
  ///   - check: what objects are checked for.
  ///   - group: with whom it waits for the disk, if it is on the same file system.
  package init(
    opening path: [CChar], checking check: ObjectCheck = .damage,
    waitingWith group: SyncGroup? = nil
  ) throws(GitError) {
    self.path = path
    packs = PackSet(PackFolder(inRepository: path), checking: check)
    let device = try Self.checkParts(of: path)
    self.group = group?.device == device ? group : nil
  }

  /// Opens a folder only to read objects from, whatever else is damaged there: references cannot be asked for.
  ///
  /// - Parameters:
  ///   - path: the repository's folder, as a C string with its terminating zero.
  ///   - check: what objects are checked for.
  package init(objectsIn path: [CChar], checking check: ObjectCheck = .forgery) {
    self.path = path
    packs = PackSet(PackFolder(inRepository: path), checking: check)
    group = nil
  }

  /// Waits until writes are on the disk.
  func wait(for pending: [PendingWrite]) throws(GitError) {
    if let group, !pending.isEmpty { try group.wait() } else { try PendingWrite.wait(for: pending) }
  }

  /// Git's own test of what a repository is, and of whose it is.
  ///
  /// - Returns: the device that it is on.
  private static func checkParts(of path: [CChar]) throws(GitError) -> dev_t {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .fromSystem("open repository", errno) }
    guard status.st_uid == geteuid() else {
      throw .foreign("it belongs to another user")
    }
    for (name, kind) in [("HEAD", S_IFREG), ("objects", S_IFDIR), ("refs", S_IFDIR)] {
      var part = stat()
      let isThere = unsafe lstat(path.appending("/\(name)"), &part) == 0
      guard isThere || errno == ENOENT else { throw .fromSystem("look at \(name)", errno) }
      guard isThere, part.st_mode & S_IFMT == kind else {
        throw GitError(
          code: GIT_ENOTFOUND.rawValue, category: Int32(GIT_ERROR_REPOSITORY.rawValue),
          operation: "open repository", message: "it has no “\(name)”")
      }
    }
    return status.st_dev
  }
}
