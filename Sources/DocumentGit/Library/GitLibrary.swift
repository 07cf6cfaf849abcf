internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// libgit2, which is loaded when it is first used, with the settings that every store needs.
package enum GitLibrary {
  /// Loads and starts libgit2.
  ///
  /// Cheap after the first call; thread-safe.
  /// - Throws: ``GitError`` with the code ``GitError/Code/unavailable`` where it cannot be loaded.
  package static func start() throws(GitError) {
    _ = try functions()
  }

  /// libgit2's version, as "1.5.1".
  package static func version() throws(GitError) -> String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    try git("ask for the version") {
      unsafe $0.git_libgit2_version(&major, &minor, &patch)
    }
    return "\(major).\(minor).\(patch)"
  }

  /// Opens a repository as libgit2 does, which has its own rules of what is sound: a second opinion.
  ///
  /// - Parameter path: the folder, as a C string with its terminating zero.
  /// - Throws: ``GitError`` with libgit2's reason.
  package static func check(repository path: [CChar]) throws(GitError) {
    let repository = try LibraryRepository(opening: path)
    _ = repository
  }

  /// The SHA-1 of an object, unless its bytes were made to collide with others.
  ///
  /// Stands on `git_odb_hash`, which notices such bytes.
  ///
  /// - Parameter kind: the number that git gives the kind of object.
  static func hash(_ bytes: [UInt8], kind: UInt8) throws(GitError) -> [UInt8] {
    var hash = git_oid()
    try git("hash object") { library in
      unsafe bytes.withUnsafeBytes {
        unsafe library.git_odb_hash(
          &hash, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), $0.count,
          git_object_t(rawValue: git_object_t.RawValue(kind)))
      }
    }
    return unsafe withUnsafeBytes(of: &hash.id) { unsafe Array($0) }
  }

  // MARK: Loading

  /// The functions of libgit2.
  static func functions() throws(GitError) -> docversions_libgit2 {
    try unsafe started.get()
  }

  /// The functions, or why there are none: Swift makes a static value once, whatever number of threads ask for it.
  ///
  /// `nonisolated(unsafe)` because C declares no type sendable: it holds constant pointers to functions, which may be
  /// called from any thread.
  private nonisolated(unsafe) static let started: Result<docversions_libgit2, GitError> =
    Result { () throws(GitError) in
      let library = try load(from: "libgit2.so.\(LIBGIT2_SOVERSION)")
      configure(library)
      return library
    }

  /// Loads the functions from a file.
  static func load(from file: String) throws(GitError) -> docversions_libgit2 {
    var functions = docversions_libgit2()
    guard let reason = unsafe docversions_libgit2_load(file, &functions) else {
      return functions
    }
    throw GitError(
      code: .unavailable, operation: "load libgit2",
      message: "libgit2 \(LIBGIT2_VERSION) can’t be loaded (\(unsafe String(cString: reason)))")
  }

  private static func configure(_ library: docversions_libgit2) {
    var library = library
    _ = library.git_libgit2_init()
    // libgit2 fsyncs nothing by default.
    unsafe docversions_libgit2_set(&library, GIT_OPT_ENABLE_FSYNC_GITDIR, 1)
    unsafe docversions_libgit2_set(&library, GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1)
    // A store's own config is the only one: neither the user's nor the system's may change it.
    for level in [
      GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
      GIT_CONFIG_LEVEL_GLOBAL,
    ] {
      unsafe docversions_libgit2_set_search_path(&library, level, "")
    }
  }
}

/// Runs a call of libgit2, and turns a negative result into a ``GitError``.
///
/// The message is libgit2's thread-local last error, so it is read on this thread before anything
/// else, and cleared, because libgit2 leaves old ones standing.
@discardableResult
func git(
  _ operation: String, _ call: (docversions_libgit2) -> Int32
) throws(GitError) -> Int32 {
  let library = try GitLibrary.functions()
  errno = 0
  let code = call(library)
  guard code < 0 else { return code }
  let number = errno
  defer { library.git_error_clear() }
  guard let last = library.git_error_last(), let text = unsafe last.pointee.message else {
    if number != 0 { throw .fromSystem(operation, number) }
    throw GitError(
      code: .library(code: code, category: 0), operation: operation,
      message: "libgit2 gave no reason (\(code))")
  }
  throw .fromLibrary(
    operation, code: code, category: unsafe last.pointee.klass,
    message: unsafe String(cString: text))
}

extension GitError {
  /// The error for what libgit2 said.
  ///
  /// - Parameters:
  ///   - code: a `git_error_code`.
  ///   - category: a `git_error_t`.
  static func fromLibrary(
    _ operation: String, code: Int32, category: Int32, message: String
  ) -> GitError {
    // A file that may not be read is “locked” to libgit2; the system’s error number may be gone by now. Of a full disk
    // only the words are certain.
    let certain = code == GIT_ELOCKED.rawValue ? [EACCES, ENOSPC, EDQUOT] : [ENOSPC, EDQUOT]
    for number in certain where message.hasSuffix(unsafe String(cString: strerror(number))) {
      return .fromSystem(operation, number)
    }
    let isFromSystem = category == Int32(GIT_ERROR_OS.rawValue)
    let ownCode: Code =
      switch code {
      // What libgit2 1.5.1 says of another user's repository when `safe.directory` is set nowhere.
      case GIT_ENOTFOUND.rawValue where category == Int32(GIT_ERROR_CONFIG.rawValue): .foreign
      case GIT_EOWNER.rawValue: .foreign
      case GIT_EMODIFIED.rawValue, GIT_EEXISTS.rawValue: .changedMeanwhile
      case GIT_ELOCKED.rawValue: .locked
      case _ where isFromSystem: .system
      case GIT_ENOTFOUND.rawValue: .missing
      default: .library(code: code, category: category)
      }
    if ownCode == .foreign { return .foreign("it belongs to another user") }
    return GitError(code: ownCode, operation: operation, message: message)
  }
}
