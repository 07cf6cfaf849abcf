#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A failure in a repository: what went wrong, in which operation, and why.
package struct GitError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: Equatable, Sendable {
    /// An object, a reference or a part of the repository does not exist.
    case missing
    /// A reference does not have the value that a compare-and-swap expected, or a file is not what it was.
    case changedMeanwhile
    /// A lock of git's is held, or was left behind.
    case locked
    /// The repository belongs to another user.
    case foreign
    /// The bytes that were read do not have the form that they must have.
    case malformed
    /// The system failed, or did not permit it.
    case system
    /// libgit2, or a function of it, cannot be loaded.
    case unavailable
    /// libgit2 refused, for a reason that no other code stands for.
    ///
    /// Its own numbers (`git_error_code` and `git_error_t`), so that one which a newer libgit2 adds is not lost.
    case library(code: Int32, category: Int32)
  }

  package let code: Code
  /// The call that failed: "write object".
  package let operation: String
  /// The reason, in words.
  package let message: String
  /// The system's error number, where one is known to be the cause.
  package let systemError: Int32?

  package var description: String { "\(operation): \(message)" }

  /// The object or reference does not exist.
  package var isNotFound: Bool { code == .missing }
  /// A reference did not have the value that a compare-and-swap expected, or exists already.
  package var isChangedMeanwhile: Bool { code == .changedMeanwhile || isLocked }
  /// A lock of git's is held, or was left behind.
  var isLocked: Bool { code == .locked }
  /// The repository belongs to another user.
  package var isForeign: Bool { code == .foreign }
  /// The failure came from the operating system (permissions, space, input/output, a lock's file, a library).
  package var isFromSystem: Bool { [.system, .locked, .unavailable].contains(code) }

  /// The system does not permit it.
  package var isNotPermitted: Bool {
    isFromSystem && [EACCES, EPERM, EROFS].contains(systemError)
  }

  /// No space, or the quota is used up.
  package var isFullDisk: Bool { [ENOSPC, EDQUOT].contains(systemError) }

  package init(code: Code, operation: String, message: String, systemError: Int32? = nil) {
    self.code = code
    self.operation = operation
    self.message = message
    self.systemError = systemError
  }
}

extension GitError {
  /// Something in a repository that must be there is missing.
  package static func missing(_ what: String) -> GitError {
    GitError(code: .missing, operation: "read", message: "\(what) is missing")
  }

  /// Something has changed since it was read.
  package static func changedMeanwhile(_ what: String) -> GitError {
    GitError(code: .changedMeanwhile, operation: "write", message: what)
  }

  /// A reference does not have the value that was expected.
  static func movedMeanwhile(_ reference: String) -> GitError {
    .changedMeanwhile("\(reference) was moved meanwhile")
  }

  /// Something in a repository belongs to another user than it must.
  package static func foreign(_ what: String) -> GitError {
    GitError(code: .foreign, operation: "open repository", message: what)
  }

  /// Something read from a repository does not have the form that it must have.
  package static func malformed(_ what: String) -> GitError {
    GitError(code: .malformed, operation: "read", message: what)
  }

  /// A system call has failed.
  ///
  /// A file that exists although it must not is a lock: only locks, and files under random names, are created.
  static func fromSystem(_ operation: String, _ number: Int32) -> GitError {
    GitError(
      code: number == EEXIST ? .locked : .system, operation: operation,
      message: unsafe String(cString: strerror(number)), systemError: number)
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
}
