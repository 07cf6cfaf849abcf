internal import DocumentFiles
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An open bare repository with its objects and references.
///
/// It is neither copyable nor sendable: one thread opens, uses and closes it. Every call is synchronous and
/// may wait for the disk. docversions itself reads and writes objects and references in git's files; for
/// everything else, libgit2 opens the same folder.
package struct Repository: ~Copyable {
  let folder: RepositoryFolder
  /// The repository's objects, packed and loose.
  package let objects: ObjectStore
  /// The repository's references and its `HEAD`.
  package let references: ReferenceStore
  /// True if only this device writes here, so that packs whose objects are all in a new one are removed at once.
  let isOwn: Bool

  /// Opens the repository in the folder itself, without a search; throws an error for another user's
  /// repository.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - check: the checks of objects.
  ///   - group: a group of operations with which it shares waits for the disk, if they are on the same file system.
  package init(
    opening path: FilePath, checking check: ObjectCheck = .damage,
    waitingWith group: SyncGroup? = nil
  ) throws(GitError) {
    let device = try Self.checkParts(of: path)
    self.init(RepositoryFolder(path, on: device, waitingWith: group), checking: check)
  }

  /// Opens a folder only to read objects, regardless of other damage; references can't be read.
  ///
  /// - Parameters:
  ///   - path: the repository's folder.
  ///   - check: the checks of objects.
  package init(objectsIn path: FilePath, checking check: ObjectCheck = .forgery) {
    self.init(RepositoryFolder(path), checking: check)
  }

  /// Opens a repository that other devices and users also write to.
  ///
  /// Its objects are checked for deliberate collisions, and are never removed.
  ///
  /// - Parameter path: the folder.
  package init(sharedAt path: FilePath) throws(GitError) {
    let device = try Self.checkParts(of: path, isOwn: false)
    self.init(RepositoryFolder(path, on: device), checking: .forgery, isOwn: false)
  }

  private init(_ folder: RepositoryFolder, checking check: ObjectCheck, isOwn: Bool = true) {
    self.isOwn = isOwn
    self.folder = folder
    objects = ObjectStore(in: folder, checking: check)
    references = ReferenceStore(folder: folder)
  }

  /// The packs that are open for reading.
  var packs: PackSet { objects.packs }

  /// True if its packs contain bytes that differ from what was written.
  package var hasFoundDamage: Bool { packs.hasFoundDamage }

  /// Checks that git would recognize the repository, and that the user owns it, unless others also write to
  /// it.
  ///
  /// - Returns: the device that it is on.
  private static func checkParts(
    of path: FilePath, isOwn: Bool = true
  ) throws(GitError) -> UInt64 {
    let status: FileStatus?
    do { status = try FileStatus.of(path, followingLink: true) } catch {
      throw .fromSystem("open repository", error)
    }
    guard let status else { throw .fromSystem("open repository", ENOENT) }
    guard !isOwn || status.owner == geteuid() else { throw .foreign("it belongs to another user") }
    guard status.kind == .folder else { throw .fromSystem("open repository", ENOTDIR) }
    let parts: [(String, FileStatus.Kind)] = [
      ("HEAD", .file), ("objects", .folder), ("refs", .folder),
    ]
    for (name, kind) in parts {
      guard try FileFolder(path).status(of: name)?.kind == kind else {
        throw GitError(
          code: .missing, operation: "open repository", message: "it has no “\(name)”")
      }
    }
    return status.device
  }
}
