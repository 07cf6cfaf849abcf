internal import DocumentFiles

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A socket whose every wait has a time limit.
final class SocketStream {
  private let descriptor: Int32
  private let access: RemoteAccess
  private(set) var traffic = Traffic()

  /// - Parameter descriptor: an open socket, which the stream closes.
  init(adopting descriptor: Int32, by access: RemoteAccess) {
    self.descriptor = descriptor
    self.access = access
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Returns the next bytes; none at the end.
  func read() throws -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count >= 0 {
        traffic.received += count
        access.transferred(count, 0)
        return buffer[..<count]
      }
      switch errno {
      case EAGAIN, EWOULDBLOCK: try wait(for: POLLIN)
      case EINTR: continue
      case ECONNRESET, EPIPE: return []
      default: throw Self.failure(errno)
      }
    }
  }

  /// Sends bytes, and receives the other side's bytes at the same time, so that neither waits for the other.
  func write(_ bytes: [UInt8], _ receive: (ArraySlice<UInt8>) throws -> Void) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.flags) }
      if count >= 0 {
        traffic.sent += count
        access.transferred(0, count)
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EAGAIN, EWOULDBLOCK:
        if try wait(for: POLLIN | POLLOUT) & Int16(POLLIN) != 0 {
          let bytes = try read()
          // The other side closed the connection; its last bytes contain the reason.
          guard !bytes.isEmpty else { return }
          try receive(bytes)
        }
      case EINTR: continue
      case ECONNRESET, EPIPE: return
      default: throw Self.failure(errno)
      }
    }
  }

  /// Signals that nothing more will be sent.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits until one of the events occurs.
  @discardableResult
  private func wait(for events: Int32) throws -> Int16 {
    var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    for _ in 0..<access.idleTimeout.waitingSeconds {
      try access.checkCancellation()
      let count = Self.poll(&poll, milliseconds: 1_000)
      if count > 0 { return poll.revents }
      if count < 0, errno != EINTR { throw Self.failure(errno) }
    }
    throw TransportError(
      .timedOut,
      "The server hasn’t sent or accepted anything for \(access.idleTimeout.waitingSeconds) seconds.",
      hint: "Try again later.")
  }

  /// Waits for one descriptor.
  static func poll(_ descriptor: inout pollfd, milliseconds: Int32) -> Int32 {
    #if canImport(Glibc)
    Glibc.poll(&descriptor, 1, milliseconds)
    #else
    Darwin.poll(&descriptor, 1, milliseconds)
    #endif
  }

  static func failure(_ number: Int32) -> TransportError {
    TransportError(
      .cut, "The connection failed: \(String(cString: strerror(number))).", hint: "Try again.")
  }

  #if canImport(Glibc)
  // Prevents a signal from ending this program if a server closes the connection.
  private static let flags = Int32(MSG_NOSIGNAL)
  #else
  private static let flags: Int32 = 0
  #endif
}

extension SocketStream {
  /// Sends a request, and receives the answer to its end.
  func exchange(_ request: GitRequest, _ receive: (ArraySlice<UInt8>) throws -> Void) throws {
    try write(request.bytes, receive)
    if let file = request.file {
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      var offset = 0
      while offset < file.size {
        let count = pread(
          file.descriptor, &buffer, min(buffer.count, file.size - offset), off_t(offset))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure(count < 0 ? errno : EIO) }
        try write(Array(buffer[..<count]), receive)
        offset += count
      }
    }
    while true {
      let bytes = try read()
      if bytes.isEmpty { return }
      try receive(bytes)
    }
  }
}
