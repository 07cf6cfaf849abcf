public import DocumentFiles
public import Foundation

/// An error of a coordinated access that wasn't granted, or couldn't be requested; nothing was done.
public struct CoordinationError: CodedError {
  /// The code of a coordination error.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The URL isn't a file URL.
    case notAFile = "not-a-file"
    /// The coordinator was canceled.
    case cancelled
    /// Another program is accessing the item, and didn't finish in time.
    case busy = "item-in-use"
    /// A program that presents the item didn't answer in time.
    case unanswered = "presenter-silent"
    /// A program that presents the item refused, because it couldn't save or close it.
    case refused = "presenter-refused"
    /// The access would wait for an access around it.
    case wouldDeadlock = "would-deadlock"
    /// The options exclude each other, or don't apply to this call.
    case invalidOptions = "invalid-options"
    /// The call belongs inside a coordinated write.
    case outsideAccess = "outside-access"
    /// The sockets of presenters can't be created, or belong to another user.
    case noSockets = "no-sockets"
  }

  /// The code of the error.
  public let code: Code
  /// The item.
  public let item: URL
  /// A message for people.
  public let message: String
  /// The name of the program that caused the failure; `nil` if it isn't known.
  public let program: String?
  /// The identifier of that program's process; `nil` if it isn't known.
  public let process: Int32?
  /// The recovery step; `nil` if there is none.
  public let recovery: ErrorRecovery?
  /// The error that caused this one; `nil` if there is none.
  public let cause: (any Error)?

  init(
    _ code: Code, _ item: URL, _ message: String, by program: ProgramIdentity? = nil,
    recovery: ErrorRecovery? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.item = item
    self.message = message
    self.program = program?.name
    process = program?.process
    self.recovery = recovery
    self.cause = cause
  }
}

extension URL {
  /// The item's name in messages.
  var quoted: String { "“\(Printable.text(lastPathComponent))”" }
}
