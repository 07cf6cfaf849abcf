internal import CGit2

/// An open bare repository and its object database: the owner of two libgit2 handles.
///
/// Not copyable and not sendable: whoever opens it uses it on one thread and lets it go. Every call is
/// synchronous and may wait for the disk.
@safe
package struct Repository: ~Copyable {
  /// The repository's folder, as a C string.
  let path: [CChar]
  let handle: OpaquePointer
  let objects: OpaquePointer

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
    var objects: OpaquePointer?
    do {
      try git("open objects") { unsafe git_repository_odb(&objects, opened) }
    } catch {
      unsafe git_repository_free(opened)
      throw error
    }
    guard let openedObjects = unsafe objects else {
      unsafe git_repository_free(opened)
      throw .malformed("libgit2 gave no object database")
    }
    self.path = path
    unsafe self.handle = unsafe opened
    unsafe self.objects = unsafe openedObjects
  }

  deinit {
    unsafe git_odb_free(objects)
    unsafe git_repository_free(handle)
  }
}
