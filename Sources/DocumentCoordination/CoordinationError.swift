public import DocumentFiles
public import Foundation

/// Why a coordinated access was not granted, or could not be asked for; nothing was done then.
public struct CoordinationError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  ///
  /// New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable name, as it appears in JSON output.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is not one of a file (FC23).
    public static let notAFile = Code(rawValue: "not-a-file")
    /// The coordinator was cancelled (FC20).
    public static let cancelled = Code(rawValue: "cancelled")
    /// Another program is at the item, and did not end in time.
    public static let busy = Code(rawValue: "item-in-use")
    /// A program that presents the item did not answer in time.
    public static let unanswered = Code(rawValue: "presenter-silent")
    /// A program that presents the item refused: it could not save, or make way.
    public static let refused = Code(rawValue: "presenter-refused")
    /// The access would wait for one that it is itself inside of.
    public static let wouldDeadlock = Code(rawValue: "would-deadlock")
    /// The options exclude each other, or are not for this call.
    public static let invalidOptions = Code(rawValue: "invalid-options")
    /// The call belongs inside a coordinated write.
    public static let outsideAccess = Code(rawValue: "outside-access")
    /// The sockets of presenters can't be made, or belong to another user.
    public static let noSockets = Code(rawValue: "no-sockets")
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

  /// The message, and what to do.
  public var description: String { recovery.map { "\(message) \($0.sentence)" } ?? message }
}

extension CoordinationError: LocalizedError {
  /// The sentence for a person.
  public var errorDescription: String? { message }
  /// The next step.
  public var recoverySuggestion: String? { recovery?.sentence }
}

extension URL {
  /// The item's name in messages.
  var quoted: String { "“\(Printable.text(lastPathComponent))”" }
}
