internal import CGit2

/// An open bare repository: the owner of a libgit2 handle, and of the packs that were read from.
///
/// Not copyable and not sendable: whoever opens it uses it on one thread and lets it go. Every call is
/// synchronous and may wait for the disk.
@safe
package struct Repository: ~Copyable {
  /// The repository's folder, as a C string.
  let path: [CChar]
  let handle: OpaquePointer
  let packs: PackSet

  /// Opens the repository in the folder itself: nothing is searched for, and a repository of
  /// another user is refused.
  ///
  /// Stands on `git_repository_open_ext`.
  ///
  /// - Parameter path: the folder, as a C string with its terminating zero.
  package init(opening path: [CChar]) throws(GitError) {
    var handle: OpaquePointer?
    let flags =
      GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue | GIT_REPOSITORY_OPEN_BARE.rawValue
      | GIT_REPOSITORY_OPEN_NO_DOTGIT.rawValue
    do {
      try git("open repository") {
        unsafe git_repository_open_ext(&handle, path, flags, nil)
      }
    } catch  where error.isNotFound && error.category == GIT_ERROR_CONFIG.rawValue {
      // What libgit2 1.5.1 says of another user's repository when nobody has set `safe.directory`.
      throw GitError(
        code: GIT_EOWNER.rawValue, category: error.category, operation: error.operation,
        message: "it belongs to another user")
    }
    guard let opened = unsafe handle else { throw .malformed("libgit2 gave no repository") }
    self.path = path
    unsafe self.handle = unsafe opened
    packs = PackSet(PackFolder(inRepository: path))
  }

  /// Opens a folder only to read objects from, whatever else is damaged there: references cannot be asked for.
  ///
  /// Stands on `git_repository_new`: a repository that is nowhere.
  ///
  /// - Parameter path: the repository's folder, as a C string with its terminating zero.
  package init(objectsIn path: [CChar]) throws(GitError) {
    var handle: OpaquePointer?
    try git("open objects") { unsafe git_repository_new(&handle) }
    guard let opened = unsafe handle else { throw .malformed("libgit2 gave no repository") }
    self.path = path
    unsafe self.handle = unsafe opened
    packs = PackSet(PackFolder(inRepository: path))
  }

  deinit {
    unsafe git_repository_free(handle)
  }
}
