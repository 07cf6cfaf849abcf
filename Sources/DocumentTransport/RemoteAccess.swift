public import Foundation

/// The settings for reaching git servers: the ssh program, certificates, passwords and limits.
///
/// The library reads nothing from the environment or the home folder, except what OpenSSH itself reads; pass everything
/// else explicitly.
public struct RemoteAccess: Sendable {
  /// The ssh program with its first arguments, looked up in the search path.
  public var sshCommand = ["ssh"]
  /// The environment of that program, such as `HOME` and `SSH_AUTH_SOCK`.
  public var environment: [String: String] = [:]
  /// True if a person at a terminal answers the questions of ssh; otherwise a question is an error.
  package var asksOnTerminal = false
  /// A file with certificates of authorities (PEM), instead of those that the system trusts.
  public var certificates: URL?
  /// The address of a proxy for web servers; empty for none.
  public var proxy = ""
  /// The hosts that bypass the proxy, in the form `host,.domain`.
  public var withoutProxy = ""
  /// The longest time to wait for a connection, in whole seconds.
  public var connectTimeout = Duration.seconds(30)
  /// The longest time without sending or receiving, in whole seconds.
  public var idleTimeout = Duration.seconds(60)
  /// Returns a user name and a password or token for a web server; `nil` if there is none.
  ///
  /// It is called on the thread that waits for the server, and again after a wrong credential, at most three times.
  public var credential: @Sendable (CredentialRequest) throws -> Credential? = { _ in nil }
  /// Called with a credential that a server accepted or rejected.
  public var credentialResult:
    @Sendable (_ request: CredentialRequest, _ credential: Credential, _ isTaken: Bool) -> Void = {
      _, _, _ in
    }
  /// The maximum number of bytes that a server may send at once.
  package var mostReceived = 8 << 30
  /// Receives the number of bytes received and sent since the last call.
  package var transferred: @Sendable (_ received: Int, _ sent: Int) -> Void = { _, _ in }
  /// Receives whether the operation is waiting for the server, and so changes nothing on this device.
  package var waits: @Sendable (Bool) -> Void = { _ in }
  /// Throws an error if the operation was asked to stop; called about every second.
  package var checkCancellation: @Sendable () throws -> Void = {}

  /// Creates the default settings.
  public init() {}
}

extension Duration {
  /// The time limit in seconds, at least one.
  var waitingSeconds: Int { Int(min(max(1, components.seconds), 1_000_000)) }
}

/// A user name with a password or token.
public struct Credential: Hashable, Sendable {
  /// The user name.
  public var user: String
  /// The password or token.
  public var password: String

  /// Creates a credential.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// The request of a web server for a user name and a password, in the terms of git's credential helpers
/// (`gitcredentials`).
public struct CredentialRequest: Hashable, Sendable {
  /// "https" or "http".
  public let scheme: String
  /// The host, with its port if the address has one.
  public let host: String
  /// The path of the repository, without a leading slash.
  public let path: String
  /// The user name in the address; `nil` if there is none.
  public let user: String?
}
