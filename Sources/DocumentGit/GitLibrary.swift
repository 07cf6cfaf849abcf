internal import CGit2

/// Process-wide state of libgit2: loaded and started once, on first use, with the settings every store needs.
package enum GitLibrary {
  /// Loads and starts libgit2.
  ///
  /// Cheap after the first call; thread-safe.
  /// - Throws: ``GitError`` where it is not installed.
  package static func start() throws(GitError) {
    guard isThere else {
      throw GitError(
        code: GIT_ERROR.rawValue, category: Int32(GIT_ERROR_OS.rawValue), operation: "load libgit2",
        message: "libgit2 \(LIBGIT2_VERSION) is not installed, or can’t be loaded")
    }
  }

  /// libgit2's version, as "1.5.1".
  package static func version() throws(GitError) -> String {
    try start()
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe lib_git_libgit2_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// Opens a repository as libgit2 does, which has its own idea of what is sound.
  ///
  /// - Parameter path: the folder, as a C string with its terminating zero.
  /// - Throws: ``GitError`` with what it does not like.
  package static func check(repository path: [CChar]) throws(GitError) {
    let repository = try LibraryRepository(opening: path)
    _ = repository
  }

  private static let isThere: Bool = {
    guard unsafe docversions_libgit2() != nil else { return false }
    lib_git_libgit2_init()
    // Durable by default: libgit2 fsyncs nothing unless told.
    docversions_enable_fsync(1)
    docversions_enable_hash_verification(1)
    // A store's own config is the only one: neither the user's nor the system's may change it.
    for level in [
      GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
      GIT_CONFIG_LEVEL_GLOBAL,
    ] {
      unsafe docversions_set_search_path(level.rawValue, "")
    }
    return true
  }()
}

/// A repository that libgit2 has opened: the owner of its handle.
///
/// Not copyable and not sendable: whoever opens it uses it on one thread and lets it go.
@safe
struct LibraryRepository: ~Copyable {
  let handle: OpaquePointer

  /// Opens the repository in the folder itself: nothing is searched for.
  ///
  /// Stands on `git_repository_open_ext`.
  init(opening path: [CChar]) throws(GitError) {
    var handle: OpaquePointer?
    let flags =
      GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue | GIT_REPOSITORY_OPEN_BARE.rawValue
      | GIT_REPOSITORY_OPEN_NO_DOTGIT.rawValue
    do {
      try git("open repository") {
        unsafe lib_git_repository_open_ext(&handle, path, flags, nil)
      }
    } catch  where error.isNotFound && error.category == GIT_ERROR_CONFIG.rawValue {
      // What libgit2 1.5.1 says of another user's repository when nobody has set `safe.directory`.
      throw .foreign("it belongs to another user")
    }
    guard let opened = unsafe handle else { throw .malformed("libgit2 gave no repository") }
    unsafe self.handle = unsafe opened
  }

  deinit {
    unsafe lib_git_repository_free(handle)
  }
}
