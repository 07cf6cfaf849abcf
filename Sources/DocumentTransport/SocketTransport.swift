#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Git's own protocol (`git://`): a socket, without encryption and without sign-in.
final class SocketTransport: GitTransport {
  private let stream: SocketStream

  init(to service: GitService, of address: RemoteAddress, by access: RemoteAccess) throws {
    let port = address.port ?? 9_418
    stream = SocketStream(
      adopting: try Self.connect(to: address.host, port: port, by: access), by: access)
    let host = address.port.map { "\(address.host):\($0)" } ?? address.host
    let line = "\(service.rawValue) \(address.path)\0host=\(host)\0"
    try stream.write(PacketLine.data(Array(line.utf8))) { _ in }
  }

  var traffic: Traffic { stream.traffic }

  func greet(_ receive: (ArraySlice<UInt8>) throws -> Bool) throws {
    while true {
      let bytes = try stream.read()
      guard !bytes.isEmpty else {
        throw TransportError(
          .cut, "The server has ended the connection without a word.", hint: "Try again.")
      }
      if try receive(bytes) { return }
    }
  }

  func send(_ request: GitRequest, _ receive: (ArraySlice<UInt8>) throws -> Void) throws {
    try stream.exchange(request, receive)
  }

  func leave() throws {
    try stream.write(PacketLine.flush) { _ in }
  }

  // MARK: Connecting

  private static func connect(
    to host: String, port: Int, by access: RemoteAccess
  ) throws -> Int32 {
    var hints = addrinfo()
    #if canImport(Glibc)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
    hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw TransportError(
        .unreachable, "“\(host)” is not known: \(String(cString: gai_strerror(code))).",
        hint: "Is there a network?")
    }
    defer { freeaddrinfo(list) }
    var reason = ECONNREFUSED
    var next = list
    while let place = next?.pointee {
      next = place.ai_next
      let number = socket(place.ai_family, place.ai_socktype, place.ai_protocol)
      guard number >= 0 else { continue }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
      do {
        reason = try connect(number, to: place, by: access)
        if reason == 0 { return number }
      } catch {
        close(number)
        throw error
      }
      close(number)
    }
    throw TransportError(
      .unreachable,
      "“\(host)” can’t be reached at port \(port): \(String(cString: strerror(reason))).",
      hint: "Is there a network, and does the server run?")
  }

  /// - Returns: the system's error number; 0 for success.
  private static func connect(
    _ number: Int32, to place: addrinfo, by access: RemoteAccess
  ) throws -> Int32 {
    #if canImport(Glibc)
    let result = Glibc.connect(number, place.ai_addr, place.ai_addrlen)
    #else
    let result = Darwin.connect(number, place.ai_addr, place.ai_addrlen)
    #endif
    if result == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var poll = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    for _ in 0..<access.connectTimeout.waitingSeconds {
      try access.checkCancellation()
      guard SocketStream.poll(&poll, milliseconds: 1_000) > 0 else { continue }
      var reason: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(number, SOL_SOCKET, SO_ERROR, &reason, &size)
      return reason
    }
    return ETIMEDOUT
  }
}
