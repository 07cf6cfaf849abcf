/// A connection to a service of a git repository, over any transport.
///
/// One thread uses it; every call may wait for the network.
package final class GitConnection {
  package let address: RemoteAddress
  private let transport: any GitTransport
  private let service: GitService
  private let isWeb: Bool
  private let waits: @Sendable (Bool) -> Void
  /// The references and capabilities of the repository.
  package let greeting: Greeting

  /// Connects, and reads the greeting.
  ///
  /// - Parameter isWanted: selects the references to keep.
  package init(
    to service: GitService, of address: RemoteAddress, by access: RemoteAccess,
    keeping isWanted: @escaping (String) -> Bool
  ) throws {
    self.address = address
    self.service = service
    waits = access.waits
    waits(true)
    defer { access.waits(false) }
    var isWeb = false
    switch address.scheme {
    case .git: transport = try SocketTransport(to: service, of: address, by: access)
    case .ssh: transport = try ShellTransport(to: service, of: address, by: access)
    case .http, .https:
      transport = try WebTransport(to: service, of: address, by: access)
      isWeb = true
    case .file:
      throw TransportError(.unavailable, "A folder is exchanged with, and not connected to.")
    }
    self.isWeb = isWeb
    var reader = GreetingReader(announcing: isWeb ? service : nil, keeping: isWanted)
    try transport.greet { try reader.add($0) }
    greeting = reader.greeting
  }

  /// True if the server sends single objects that a reference leads to.
  ///
  /// Web servers do, and others if they are configured for it (`uploadpack.allowReachableSHA1InWant`).
  package var sendsSingleObjects: Bool {
    isWeb || greeting.abilities.contains("allow-reachable-sha1-in-want")
  }

  /// The bytes received and sent.
  package var traffic: Traffic { transport.traffic }

  /// Fetches objects as a pack.
  package func fetch(
    _ fetching: Fetching, _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    waits(true)
    defer { waits(false) }
    var answer = FetchAnswer()
    try transport.send(fetching.request(to: greeting)) { try answer.add($0, receive) }
    guard answer.isComplete else { throw TransportError.cut }
  }

  /// Sends objects as a pack, and moves references to them.
  package func push(_ pushing: Pushing) throws {
    waits(true)
    defer { waits(false) }
    var answer = PushAnswer(to: greeting)
    try transport.send(pushing.request(to: greeting)) { try answer.add($0) }
    try answer.check(pushing.moves)
  }

  /// Ends the connection without a request.
  package func leave() throws { try transport.leave() }
}
