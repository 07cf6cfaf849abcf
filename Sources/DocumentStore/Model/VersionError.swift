public import DocumentFiles
package import DocumentGit
internal import Foundation
package import SystemPackage

/// An error of an operation on versions, with a code, the document and a message, and, if they exist, a recovery step
/// and a cause.
public struct VersionError: CodedError {
  /// The code of the error.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The document has no versions.
    case noVersions = "no-versions"
    /// The document has no such version.
    case noSuchVersion = "no-such-version"
    /// Several versions match the selector.
    case ambiguousVersion = "ambiguous-version"
    /// The version has no such member, or the document is not a package.
    case noSuchMember = "no-such-member"
    /// The version is known, but its contents are not on this device.
    case contentsNotLocal = "contents-not-local"
    /// The operation is not possible on the current version.
    case currentVersion = "current-version"
    /// The operation is not possible on an unresolved conflict version.
    case unresolvedConflict = "unresolved-conflict"
    /// The version is pinned, so its contents stay until it is unpinned.
    case pinnedVersion = "pinned-version"
    /// The last operation cannot be undone.
    case nothingToUndo = "nothing-to-undo"
    /// The flag of a version can be set, but not cleared.
    case cannotUnset = "cannot-unset"
    /// The versions or the document changed during the operation; nothing was done.
    case changedMeanwhile = "changed-meanwhile"
    /// The document is empty and has the time of its last version, as after a crash.
    case emptied
    /// An argument isn't valid.
    case invalidArgument = "invalid-argument"
    /// The store is damaged: a required part is missing or faulty.
    case damaged = "damaged-store"
    /// Published data of other devices hasn't arrived in the exchange folder yet.
    case notArrived = "not-arrived"
    /// The exchange folder is damaged.
    case damagedExchange = "damaged-exchange"
    /// A remote can't be reached, or the connection broke; both sides are consistent.
    case remoteUnreachable = "remote-unreachable"
    /// A remote isn't trusted, or refuses: the sign-in failed, the repository doesn't exist, or the request isn't
    /// permitted.
    case remoteRefused = "remote-refused"
    /// A version from another device contains a repository of another program that the document didn't have before.
    case bringsRepository = "brings-repository"
    /// The document has something that no other device has, so it cannot leave this one.
    case onlyHere = "only-here"
    /// Another device has sent a version that isn't here, so nothing was sent, as requested.
    case newerElsewhere = "newer-elsewhere"
    /// The container belongs to another user, and wasn't explicitly trusted.
    case foreignContainer = "foreign-container"
    /// A program has the document open as a database, or left part of it in another file.
    case databaseInUse = "database-in-use"
    /// The operating system reported an error.
    ///
    /// A full disk is reported as a ``FileError`` with code `noSpace`.
    case system
  }

  /// The code of the error.
  public let code: Code
  /// The document's path, printable; empty if the error isn't about a document.
  public let document: String
  /// The failure and its reason, in complete sentences.
  public let message: String
  /// The recovery step; `nil` if there is none, or only a sentence.
  public let recovery: ErrorRecovery?
  /// A sentence that suggests how to recover, usually the one of ``recovery``; `nil` if there is none.
  public let recoverySuggestion: String?
  /// The error that caused this one; `nil` if there is none.
  public let cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameter hint: a recovery suggestion; by default the one of the recovery.
  package init(
    _ code: Code, document: String, message: String, recovery: ErrorRecovery? = nil,
    hint: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.document = document
    self.message = message
    self.recovery = recovery
    recoverySuggestion = hint ?? recovery?.sentence
    self.cause = cause
  }

  /// Creates the error for a failure of git on a document.
  package init(_ error: GitError, document: String) {
    if error.isChangedMeanwhile {
      self.init(
        .changedMeanwhile, document: document,
        message: "The versions of “\(document)” changed in the meantime (\(error)).",
        recovery: .tryAgain, hint: "Nothing was changed; try again.", cause: error)
    } else if error.isForeign {
      self.init(
        .system, document: document,
        message: "The versions of “\(document)” belong to another user, and are not trusted.",
        recovery: .takeOwnership, cause: error)
    } else if error.isFromSystem {
      self.init(
        .system, document: document,
        message: "The versions of “\(document)” can’t be read or written: \(error).",
        cause: error)
    } else {
      self.init(
        .damaged, document: document,
        message: "The store of “\(document)” is damaged: \(error).",
        recovery: .verify, cause: error)
    }
  }
}

extension VersionError {
  /// The same as ``recoverySuggestion``.
  package var hint: String? { recoverySuggestion }
}

extension GitError {
  /// Returns the error for callers: a ``FileError`` for a full disk and missing permissions, and a ``VersionError``
  /// otherwise.
  ///
  /// - Parameters:
  ///   - document: the document's path, printable.
  ///   - path: the document's path.
  package func reported(for document: String, at path: FilePath) -> any Error {
    guard isFullDisk || isNotPermitted else { return VersionError(self, document: document) }
    return FileError(
      isFullDisk ? .noSpace : .notPermitted, path: path,
      message:
        "The versions of “\(document)” can’t be \(isFullDisk ? "" : "read or ")written: \(self).",
      cause: self, systemError: systemError)
  }
}

extension Error {
  /// True if the system reported the error, rather than the data being faulty.
  package var isFromSystem: Bool {
    switch self {
    case let error as GitError: error.isFromSystem
    case let error as FileError: [.system, .notPermitted, .noSpace].contains(error.code)
    case let error as VersionError: error.code == .system
    default: false
    }
  }
}
