public import DocumentFiles
public import Foundation

/// Why a coordinated access was not granted, or could not be asked for; nothing was done then.
public struct CoordinationError: CodedError {
  /// A kind of failure.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The address is not one of a file.
    case notAFile = "not-a-file"
    /// The coordinator was cancelled.
    case cancelled
    /// Another program is at the item, and did not end in time.
    case busy = "item-in-use"
    /// A program that presents the item did not answer in time.
    case unanswered = "presenter-silent"
    /// A program that presents the item refused: it could not save, or make way.
    case refused = "presenter-refused"
    /// The access would wait for one that it is itself inside of.
    case wouldDeadlock = "would-deadlock"
    /// The options exclude each other, or are not for this call.
    case invalidOptions = "invalid-options"
    /// The call belongs inside a coordinated write.
    case outsideAccess = "outside-access"
    /// The sockets of presenters can't be made, or belong to another user.
    case noSockets = "no-sockets"
  }

  /// The kind of failure.
  public let code: Code
  /// The item.
  public let item: URL
  /// A sentence for a person.
  public let message: String
  /// The name of the program that was waited for; nil where that is not known.
  public let program: String?
  /// Its process; nil where that is not known.
  public let process: Int32?
  /// The step that leads on; nil where there is none.
  public let recovery: ErrorRecovery?
  /// The error that led to this one; nil where there is none.
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
