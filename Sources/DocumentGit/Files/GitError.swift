internal import DocumentFiles

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An error in a repository, with a code, the operation and the reason.
package struct GitError: Error, Equatable, CustomStringConvertible {
  /// The code of the error.
  package enum Code: Equatable, Sendable {
    /// An object, a reference or a part of the repository does not exist.
    case missing
    /// A reference doesn't have the value that a compare-and-swap expected, or a file has changed.
    case changedMeanwhile
    /// A lock of git's is held, or was left behind.
    case locked
    /// The repository belongs to another user.
    case foreign
    /// The bytes that were read are what was written, but have an invalid form.
    case malformed
    /// The bytes that were read aren't what was written.
    case damaged
    /// The system reported an error, such as a missing permission.
    case system
    /// libgit2 or one of its functions can't be loaded.
    case unavailable
    /// libgit2 reported an error that no other code represents.
    ///
    /// The values are libgit2's own numbers (`git_error_code` and `git_error_t`), so that those of newer releases
    /// aren't lost.
    case library(code: Int32, category: Int32)
  }

  package let code: Code
  /// The failed operation, such as "write object".
  package let operation: String
  /// The reason, in words.
  package let message: String
  /// The system's error number, if it is known to be the cause.
  package let systemError: Int32?

  package var description: String { "\(operation): \(message)" }

  /// True if the object or reference doesn't exist.
  package var isNotFound: Bool { code == .missing }
  /// True if a reference didn't have the value that a compare-and-swap expected, or already exists.
  package var isChangedMeanwhile: Bool { code == .changedMeanwhile || isLocked }
  /// A lock of git's is held, or was left behind.
  var isLocked: Bool { code == .locked }
  /// The repository belongs to another user.
  package var isForeign: Bool { code == .foreign }
  /// True if the operating system caused the error (permissions, space, input/output, a lock file, a library).
  package var isFromSystem: Bool { [.system, .locked, .unavailable].contains(code) }

  /// True if the system doesn't permit the operation.
  package var isNotPermitted: Bool {
    isFromSystem && [EACCES, EPERM, EROFS].contains(systemError)
  }

  /// True if the disk is full, or the quota is used up.
  package var isFullDisk: Bool { [ENOSPC, EDQUOT].contains(systemError) }

  package init(code: Code, operation: String, message: String, systemError: Int32? = nil) {
    self.code = code
    self.operation = operation
    self.message = message
    self.systemError = systemError
  }
}

extension GitError {
  /// Returns the error for a missing part of a repository.
  package static func missing(_ what: String) -> GitError {
    GitError(code: .missing, operation: "read", message: "\(what) is missing")
  }

  /// Returns the error for a part that has changed since it was read.
  package static func changedMeanwhile(_ what: String) -> GitError {
    GitError(code: .changedMeanwhile, operation: "write", message: what)
  }

  /// Returns the error for a reference without its expected value.
  static func movedMeanwhile(_ reference: String) -> GitError {
    .changedMeanwhile("\(reference) was moved in the meantime")
  }

  /// Returns the error for a part of a repository that belongs to another user.
  package static func foreign(_ what: String) -> GitError {
    GitError(code: .foreign, operation: "open repository", message: what)
  }

  /// Returns the error for a part of a repository with an invalid form.
  package static func malformed(_ what: String) -> GitError {
    GitError(code: .malformed, operation: "read", message: what)
  }

  /// Returns the error for bytes that have changed since they were written.
  static func damaged(_ what: String) -> GitError {
    GitError(code: .damaged, operation: "read", message: what)
  }

  /// Returns the error for a failed system call.
  ///
  /// A file that exists although it must not is a lock, because only locks, and files under random names, are created.
  static func fromSystem(_ operation: String, _ number: Int32) -> GitError {
    GitError(
      code: number == EEXIST ? .locked : .system, operation: operation,
      message: unsafe String(cString: strerror(number)), systemError: number)
  }

  /// Returns the error for an operation on files that failed.
  static func fromSystem(_ operation: String, _ error: FileError) -> GitError {
    // Only the error for a link has no number.
    .fromSystem(operation, error.systemError ?? ELOOP)
  }

  /// Retries, for a limited time, an operation that fails because a git process holds a lock, which it usually does for
  /// milliseconds.
  static func retryingWhileLocked<Result>(
    _ body: () throws(GitError) -> Result
  ) throws(GitError) -> Result {
    for _ in 1...500 {
      do { return try body() } catch  where error.isLocked { usleep(20_000) }
    }
    return try body()
  }
}

/// Runs a closure that reads objects, and throws only the errors that the system causes.
///
/// - Returns: `nil` if an object is missing or damaged.
package func ifReadable<Result>(_ body: () throws -> Result) throws -> Result? {
  do { return try body() } catch let error as GitError where !error.isFromSystem { return nil }
}
