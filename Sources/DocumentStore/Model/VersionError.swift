public import DocumentFiles
package import DocumentGit
internal import Foundation
package import SystemPackage

/// Why an operation on versions was refused or failed: a code, the document, a sentence, and where they exist the step
/// that leads on and the error behind it.
public struct VersionError: CodedError {
  /// The kind of failure.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The document has no versions.
    case noVersions = "no-versions"
    /// The document has no such version.
    case noSuchVersion = "no-such-version"
    /// Several versions fit what was asked for.
    case ambiguousVersion = "ambiguous-version"
    /// The version has no such member, or the document is not a package.
    case noSuchMember = "no-such-member"
    /// The version is known, but its contents are not on this device.
    case contentsNotLocal = "contents-not-local"
    /// The operation is not possible on the current version.
    case currentVersion = "current-version"
    /// The operation is not possible on an unresolved conflict version.
    case unresolvedConflict = "unresolved-conflict"
    /// The version is pinned: its contents stay until it is unpinned.
    case pinnedVersion = "pinned-version"
    /// The last operation cannot be undone.
    case nothingToUndo = "nothing-to-undo"
    /// The flag of a version can be set, but not taken back.
    case cannotUnset = "cannot-unset"
    /// The versions or the document changed during the operation; nothing was done.
    case changedMeanwhile = "changed-meanwhile"
    /// The document holds nothing any more, and has the time of its last version, as a crash leaves it.
    case emptied
    /// An argument makes no sense.
    case invalidArgument = "invalid-argument"
    /// The store is damaged: something it must hold is missing or not what it should be.
    case damaged = "damaged-store"
    /// Not all that other devices published has arrived in the folder for exchange.
    case notArrived = "not-arrived"
    /// The folder for exchange holds something that is not what it should be.
    case damagedExchange = "damaged-exchange"
    /// A remote cannot be reached, or the connection was cut: what is here and there is as it was or as it will be.
    case remoteUnreachable = "remote-unreachable"
    /// A remote refuses: it is not trusted, the sign-in failed, there is no such repository, or it does not permit what was
    /// asked for.
    case remoteRefused = "remote-refused"
    /// A version from another device brings a repository of another program, which was not there before.
    case bringsRepository = "brings-repository"
    /// The folder that would hold the versions belongs to another user, and was not named.
    case foreignContainer = "foreign-container"
    /// A program has the document open as a database, or left a part of it in another file.
    case databaseInUse = "database-in-use"
    /// The operating system refused.
    ///
    /// A full disk is reported as a ``FileError`` with code `noSpace`.
    case system
  }

  /// The kind of failure.
  public let code: Code
  /// The document's path, printable; empty where none is concerned.
  public let document: String
  /// The failure and its reason, in full sentences.
  public let message: String
  /// The step that leads on; nil where there is none, or only a sentence.
  public let recovery: ErrorRecovery?
  /// A sentence that leads on: mostly the one of the recovery; nil where there is none.
  public let recoverySuggestion: String?
  /// The error that led to this one; nil where there is none.
  public let cause: (any Error)?

  /// Makes an error.
  ///
  /// - Parameter hint: a sentence that leads on; by default the one of the recovery.
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

  /// Makes the error for a failure of git on a document.
  package init(_ error: GitError, document: String) {
    if error.isChangedMeanwhile {
      self.init(
        .changedMeanwhile, document: document,
        message: "The versions of “\(document)” changed meanwhile (\(error)).",
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
  /// The failure as callers see it: a ``VersionError``, but for a full disk and what the system does not permit, which are a
  /// ``FileError`` wherever they were met.
  ///
  /// - Parameters:
  ///   - document: printable.
  ///   - path: where it is.
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
  /// Whether the system failed or did not permit something, rather than that what is there is not what it should be.
  package var isFromSystem: Bool {
    switch self {
    case let error as GitError: error.isFromSystem
    case let error as FileError: [.system, .notPermitted, .noSpace].contains(error.code)
    case let error as VersionError: error.code == .system
    default: false
    }
  }
}
