internal import CGit2
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// libgit2 with the settings that every store needs, loaded on first use.
package enum GitLibrary {
  /// Returns libgit2's version, such as "1.5.1".
  package static func version() throws(GitError) -> String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    try git("ask for the version") {
      unsafe $0.git_libgit2_version(&major, &minor, &patch)
    }
    return "\(major).\(minor).\(patch)"
  }

  /// Opens a repository with libgit2, as a second opinion with its own rules for a valid repository.
  ///
  /// - Parameter path: the folder.
  /// - Throws: ``GitError`` with libgit2's reason.
  package static func check(repository path: FilePath) throws(GitError) {
    let repository = try LibraryRepository(opening: path)
    _ = repository
  }

  /// Returns the SHA-1 of an object; throws an error for a deliberate collision.
  ///
  /// This uses `git_odb_hash`, which detects such bytes.
  ///
  /// - Parameter kind: the number of the object's kind.
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

  /// Returns the functions of libgit2.
  static func functions() throws(GitError) -> docversions_libgit2 {
    try unsafe started.get()
  }

  /// The functions, or the error of loading them; Swift initializes a static value only once, regardless of the number
  /// of threads.
  ///
  /// It is `nonisolated(unsafe)` because C types aren't sendable; it holds constant function pointers, which may be
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
    // By default, libgit2 doesn't wait for the disk.
    unsafe docversions_libgit2_set(&library, GIT_OPT_ENABLE_FSYNC_GITDIR, 1)
    unsafe docversions_libgit2_set(&library, GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1)
    // Only the store's own config applies, not the user's or the system's.
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
/// The message is libgit2's thread-local last error, so it is read on this thread before anything else, and cleared,
/// because libgit2 keeps old messages.
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
  /// Returns the error for libgit2's last error.
  ///
  /// - Parameters:
  ///   - code: a `git_error_code`.
  ///   - category: a `git_error_t`.
  static func fromLibrary(
    _ operation: String, code: Int32, category: Int32, message: String
  ) -> GitError {
    // libgit2 calls an unreadable file “locked”, and the system’s error number may be overwritten by now. For a full
    // disk, only the message is reliable.
    let certain = code == GIT_ELOCKED.rawValue ? [EACCES, ENOSPC, EDQUOT] : [ENOSPC, EDQUOT]
    for number in certain where message.hasSuffix(unsafe String(cString: strerror(number))) {
      return .fromSystem(operation, number)
    }
    let isFromSystem = category == Int32(GIT_ERROR_OS.rawValue)
    let ownCode: Code =
      switch code {
      // The error of libgit2 1.5.1 for another user's repository if `safe.directory` isn't set.
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
