package import DocumentFiles

/// An error of the connection to a git server.
package struct TransportError: Error, CustomStringConvertible {
  /// The kind of the error.
  package enum Kind: Sendable {
    /// There is no network, no such host, or no answer.
    case unreachable
    /// The time limit for sending or receiving passed.
    case timedOut
    /// The connection ended too early.
    case cut
    /// The host's identity can't be verified: its key or certificate is unknown or different.
    case notTrusted
    /// The user name or password is wrong or missing.
    case signInFailed
    /// There is no such repository.
    case noRepository
    /// The server refused, with a reason.
    case refused
    /// The server sent data that violates the protocol or a limit.
    case malformed
    /// The program for connecting can't be started.
    case unavailable
    /// The server rejects force-pushes.
    case notForward
    /// The references changed in the meantime.
    case changedMeanwhile
  }

  package let kind: Kind
  /// The failure and its reason, in complete sentences; printable.
  package let message: String
  /// A recovery suggestion; `nil` if there is none.
  package let hint: String?
  /// The recovery step; `nil` if there is none, or only a sentence.
  package let recovery: ErrorRecovery?

  package init(
    _ kind: Kind, _ message: String, recovery: ErrorRecovery? = nil, hint: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
    self.hint = hint
  }

  package var description: String { message }
}
