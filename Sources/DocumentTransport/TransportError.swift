package import DocumentFiles

/// A failure between this device and a git server.
package struct TransportError: Error, CustomStringConvertible {
  /// The kind of failure.
  package enum Kind: Sendable {
    /// There is no network, no such host, or nothing that answers there.
    case unreachable
    /// Nothing was sent or received for too long.
    case timedOut
    /// The connection ended too early.
    case cut
    /// The host is not the one that it says it is: its key or certificate is unknown or another one.
    case notTrusted
    /// The name or password is wrong, or none was given.
    case signInFailed
    /// There is no such repository.
    case noRepository
    /// The server refuses, and says why.
    case refused
    /// What the server sends is no part of the protocol, or more than it may be.
    case malformed
    /// The program that connects cannot be started.
    case unavailable
    /// The server rejects force-pushes.
    case notForward
    /// The references are not what they were a moment ago.
    case changedMeanwhile
  }

  package let kind: Kind
  /// The failure and its reason, in full sentences; printable.
  package let message: String
  /// A sentence that leads on; nil where there is none.
  package let hint: String?
  /// The step that leads on; nil where there is none, or only a sentence.
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
