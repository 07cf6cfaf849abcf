public import Foundation

/// How this device reaches git servers: the program for ssh, certificates, passwords and limits.
///
/// Nothing is read from the environment or from the home folder but what OpenSSH itself reads: a program passes on what
/// it wants to be used.
public struct RemoteAccess: Sendable {
  /// The program for ssh, with its first arguments; searched for as a shell does.
  public var sshCommand = ["ssh"]
  /// The environment of that program, such as `HOME` and `SSH_AUTH_SOCK`.
  public var environment: [String: String] = [:]
  /// Whether a person at a terminal answers the questions of ssh; otherwise it fails where it would ask.
  package var asksOnTerminal = false
  /// A file with certificates of authorities (PEM), in the place of those that the system trusts.
  public var certificates: URL?
  /// The address of a proxy for web servers; empty for none.
  public var proxy = ""
  /// The hosts that are reached without the proxy, as `host,.domain`.
  public var withoutProxy = ""
  /// The longest time to wait for a connection, in whole seconds.
  public var connectTimeout = Duration.seconds(30)
  /// The longest time in which nothing is sent or received, in whole seconds.
  public var idleTimeout = Duration.seconds(60)
  /// Returns a name and a password, or token, for a web server; nil where there is none.
  ///
  /// It is called on the thread that waits for the server, and again after a wrong one, at most three times.
  public var credential: @Sendable (CredentialRequest) throws -> Credential? = { _ in nil }
  /// Is called with the credential that a server took or did not take.
  public var credentialResult:
    @Sendable (_ request: CredentialRequest, _ credential: Credential, _ isTaken: Bool) -> Void = {
      _, _, _ in
    }
  /// The most bytes that a server may send at once.
  package var mostReceived = 8 << 30
  /// Gets the bytes that were received and sent since it was last called.
  package var transferred: @Sendable (_ received: Int, _ sent: Int) -> Void = { _, _ in }
  /// Throws when the operation shall stop; called about every second.
  package var checkCancellation: @Sendable () throws -> Void = {}

  /// Makes the access that needs nothing but a network.
  public init() {}
}

extension Duration {
  /// The seconds that a server is waited for: at least one.
  var waitingSeconds: Int { Int(min(max(1, components.seconds), 1_000_000)) }
}

/// A name and a password, or token.
public struct Credential: Hashable, Sendable {
  /// The name to sign in with.
  public var user: String
  /// The password, or a token in its place.
  public var password: String

  /// Makes a credential.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// A web server that asks for a name and a password, in the terms of git's credential helpers (`gitcredentials`).
public struct CredentialRequest: Hashable, Sendable {
  /// "https" or "http".
  public let scheme: String
  /// The host, with its port where the address has one.
  public let host: String
  /// The path of the repository, without a slash at its beginning.
  public let path: String
  /// The name in the address; nil where it has none.
  public let user: String?
}
