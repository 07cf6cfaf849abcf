internal import Foundation
package import SystemPackage

/// An error of reading or writing a file or folder, with a code, the path and a message.
public struct FileError: CodedError {
  /// The code of a file error.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// There is no item at the path.
    case notFound = "not-found"
    /// The system doesn't permit it, because of permissions, a read-only file system, or another owner.
    case notPermitted = "not-permitted"
    /// The item is a FIFO, a socket or a device, or a link where a document is expected.
    case unsupportedKind = "unsupported-kind"
    /// The item changes while it is read or replaced.
    case changing
    /// The item or its contents exceed a limit of size or depth.
    case tooLarge = "too-large"
    /// The name isn't valid for a document.
    case invalidName = "invalid-name"
    /// An item already exists at the destination.
    case exists
    /// The disk is full, or the quota is used up.
    case noSpace = "no-space"
    /// The item is a file where a folder is expected, or the reverse.
    case wrongKind = "wrong-kind"
    /// The contents are damaged.
    case damaged
    /// Another process holds the lock.
    case busy
    /// Any other failure of the operating system.
    case system
  }

  /// The code of the error.
  public let code: Code
  /// The path of the file or folder, printable.
  public let path: String
  /// A message that names the failure and the path, printable.
  public let message: String
  /// The system's error number, if one was the cause.
  package let systemError: Int32?
  /// The error that caused this one; `nil` if there is none.
  public let cause: (any Error)?
  /// The recovery step; `nil` if there is none.
  public let recovery: ErrorRecovery?
  /// A sentence that suggests how to recover; `nil` if there is none.
  package var hint: String? { recoverySuggestion }

  /// Creates an error.
  ///
  /// - Parameter systemError: the system's error number; by default the one of the cause.
  package init(
    _ code: Code, path: FilePath, message: String, recovery: ErrorRecovery? = nil,
    cause: (any Error)? = nil, systemError: Int32? = nil
  ) {
    self.init(
      code, path: path.printable, message: message, recovery: recovery, cause: cause,
      systemError: systemError ?? (cause as? Errno)?.rawValue)
  }

  private init(
    _ code: Code, path: String, message: String, recovery: ErrorRecovery?, cause: (any Error)?,
    systemError: Int32?
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.recovery = recovery
    self.cause = cause
    self.systemError = systemError
  }

  /// Returns the error with the name of an item in place of the temporary one that it is built as, or of an
  /// item inside that.
  func naming(_ item: FilePath, insteadOf temporary: FilePath) -> FileError {
    let (former, name) = (temporary.printable, item.printable)
    guard path.hasPrefix(former) else { return self }
    return FileError(
      code, path: name + path.dropFirst(former.count),
      message: message.replacing(former, with: name), recovery: recovery, cause: cause,
      systemError: systemError)
  }

  /// Returns the error with a folder in place of the file in it that couldn't be changed, because people don't
  /// know the locks and temporary files in there; an error that the system didn't cause stays as it is.
  package func naming(folder: FilePath) -> FileError {
    guard let systemError else { return self }
    let reason = Errno(rawValue: systemError).description
    return FileError(
      code, path: folder, message: "Can’t change anything in “\(folder.printable)”: \(reason).",
      recovery: recovery, cause: cause, systemError: systemError)
  }

  /// Creates the error for the system call that has just failed on this thread.
  ///
  /// On a read-only disk, it names the container instead of a file with versions in it.
  ///
  /// - Parameters:
  ///   - action: the attempt, so that "Can’t `action` “path”" reads well.
  ///   - cause: the system's error.
  package static func failed(to action: String, _ path: FilePath, _ cause: Errno) -> FileError {
    let code: Code =
      switch cause {
      case .noSuchFileOrDirectory, .notDirectory: .notFound
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: .notPermitted
      case .tooManySymbolicLinkLevels: .unsupportedKind
      case .fileExists, .directoryNotEmpty: .exists
      case .noSpace, .diskQuotaExceeded: .noSpace
      case .fileNameTooLong: .invalidName
      default: .system
      }
    let error = FileError(
      code, path: path, message: "Can’t \(action) “\(path.printable)”: \(cause.description).",
      cause: cause)
    guard cause == .readOnlyFileSystem, let container = StoresFolder.container(of: path) else {
      return error
    }
    return error.naming(folder: container)
  }
}

extension FileError {
  /// True if listing a folder, or reading the rules for it, failed in a way that says nothing about other folders: it has
  /// disappeared, this user can't read it, its path is too long, or its list of rules is too large.
  package var isAboutOneFolder: Bool {
    [.notFound, .notPermitted, .invalidName, .tooLarge].contains(code)
  }
}
