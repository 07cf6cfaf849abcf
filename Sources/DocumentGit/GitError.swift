internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An error of libgit2: what failed, the raw code, and libgit2's own words.
///
/// Raw values are kept, never mapped to a closed set, so a code that a newer libgit2 adds is not lost.
package struct GitError: Error, Equatable, CustomStringConvertible {
  /// libgit2's return code (`git_error_code`), negative.
  package let code: Int32
  /// libgit2's error class (`git_error_t`): which part of the library failed.
  package let category: Int32
  /// The call that failed, as one would say it: "write object".
  package let operation: String
  /// libgit2's message, or a note that there was none.
  package let message: String
  /// The system's error number, where one is known to be the cause.
  package let systemError: Int32?

  package var description: String { "\(operation): \(message)" }

  /// The object or reference does not exist.
  package var isNotFound: Bool { code == GIT_ENOTFOUND.rawValue }
  /// A reference did not have the value that a compare-and-swap expected, or exists already.
  package var isChangedMeanwhile: Bool {
    code == GIT_EMODIFIED.rawValue || code == GIT_EEXISTS.rawValue || code == GIT_ELOCKED.rawValue
  }
  /// A lock of git's is held, or was left behind.
  var isLocked: Bool { code == GIT_ELOCKED.rawValue }
  /// The repository belongs to another user.
  package var isForeign: Bool { code == GIT_EOWNER.rawValue }
  /// The failure came from the operating system (permissions, space, input/output).
  package var isFromSystem: Bool { category == Int32(GIT_ERROR_OS.rawValue) }

  /// The system does not permit it.
  package var isNotPermitted: Bool {
    isFromSystem && [EACCES, EPERM, EROFS].contains(systemError)
  }

  /// No space, or the quota is used up.
  package var isFullDisk: Bool { [ENOSPC, EDQUOT].contains(systemError) }

  package init(
    code: Int32, category: Int32 = 0, operation: String, message: String, systemError: Int32? = nil
  ) {
    self.code = code
    self.category = category
    self.operation = operation
    self.message = message
    self.systemError = systemError
  }

  /// Something is not any more what it was a moment ago.
  package static func changedMeanwhile(_ what: String) -> GitError {
    GitError(code: GIT_EMODIFIED.rawValue, operation: "write", message: what)
  }

  /// Repeats what fails because a git process holds a lock, for a while: git holds one for milliseconds.
  static func retryingWhileLocked<Result>(
    _ body: () throws(GitError) -> Result
  ) throws(GitError) -> Result {
    for _ in 1...500 {
      do { return try body() } catch  where error.isLocked { usleep(20_000) }
    }
    return try body()
  }

  /// An object is not what its id says.
  static func damaged(_ id: ObjectID) -> GitError {
    .malformed("object \(id) is damaged")
  }

  /// An object is not here.
  static func notFound(_ id: ObjectID) -> GitError {
    .missing("object \(id)")
  }

  /// Something that must be in a repository is not there.
  package static func missing(_ what: String) -> GitError {
    GitError(
      code: GIT_ENOTFOUND.rawValue, category: Int32(GIT_ERROR_ODB.rawValue),
      operation: "read", message: "\(what) is missing")
  }

  /// Something in a repository belongs to another user than it must.
  package static func foreign(_ what: String) -> GitError {
    GitError(
      code: GIT_EOWNER.rawValue, category: Int32(GIT_ERROR_CONFIG.rawValue),
      operation: "open repository", message: what)
  }

  /// Something read from a repository does not have the form it must have.
  package static func malformed(_ what: String) -> GitError {
    GitError(
      code: GIT_EINVALID.rawValue, category: Int32(GIT_ERROR_INVALID.rawValue),
      operation: "read", message: what)
  }
}

/// The one door to libgit2: runs `call`, and turns a negative result into a ``GitError``.
///
/// The message is libgit2's thread-local last error, so it is read on this thread before anything
/// else, and cleared, because libgit2 leaves old ones standing.
@discardableResult
func git(_ operation: String, _ call: () -> Int32) throws(GitError) -> Int32 {
  try GitLibrary.start()
  errno = 0
  let code = call()
  guard code < 0 else { return code }
  let number = errno
  defer { lib_git_error_clear() }
  guard let last = unsafe lib_git_error_last(), let text = unsafe last.pointee.message else {
    if number != 0 { throw .fromSystem(operation, number) }
    throw GitError(code: code, operation: operation, message: "libgit2 gave no reason (\(code))")
  }
  let message = unsafe String(cString: text)
  // A file that may not be read is “locked” to libgit2; the system’s error number may be gone by now.
  if code == GIT_ELOCKED.rawValue, message.hasSuffix(unsafe String(cString: strerror(EACCES))) {
    throw .fromSystem(operation, EACCES)
  }
  // Of the others only the words are certain.
  for full in [ENOSPC, EDQUOT] where message.hasSuffix(unsafe String(cString: strerror(full))) {
    throw .fromSystem(operation, full)
  }
  throw GitError(
    code: code, category: unsafe last.pointee.klass, operation: operation, message: message)
}
