internal import Dispatch
internal import DocumentFiles
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Sockets of this machine that only this machine can reach.
package enum Loopback {
  /// Returns a port at which nothing listens.
  package static func freePort() throws -> Int {
    let listener = try listen()
    defer { close(listener.descriptor) }
    return listener.port
  }

  /// Returns whether something listens at a port.
  package static func isOpen(_ port: Int) -> Bool {
    guard let descriptor = connect(to: port) else { return false }
    close(descriptor)
    return true
  }

  /// Connects to a port; nil if nothing listens there.
  static func connect(to port: Int) -> Int32? {
    let descriptor = newSocket()
    let result = withAddress(port) { address, size in
      #if canImport(Glibc)
      Glibc.connect(descriptor, address, size)
      #else
      Darwin.connect(descriptor, address, size)
      #endif
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = newSocket()
    let result = withAddress(0) { bind(descriptor, $0, $1) }
    #if canImport(Glibc)
    let isListening = result == 0 && Glibc.listen(descriptor, 64) == 0
    #else
    let isListening = result == 0 && Darwin.listen(descriptor, 64) == 0
    #endif
    guard isListening else {
      close(descriptor)
      throw NoSocket(number: errno)
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &size)
      }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// An error for a system without free sockets.
  struct NoSocket: Error {
    let number: Int32
  }

  private static func newSocket() -> Int32 {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func withAddress(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends bytes; false where the other side has hung up.
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      #else
      let count = rest.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The bytes that come next; none at the end.
  static func receive(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }
}

/// A server that a test plays itself, on its own port.
package final class LoopbackServer: Sendable {
  package let port: Int
  private let descriptor: Int32

  /// A connection that a device has made.
  package struct Connection: Sendable {
    fileprivate let descriptor: Int32

    /// Sends bytes; false where the device has hung up.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool { Loopback.send(bytes[...], to: descriptor) }

    /// The bytes that come next; none at the end.
    package func receive() -> [UInt8] { Loopback.receive(from: descriptor) }
  }

  /// Starts it.
  ///
  /// - Parameter answer: plays the server for one connection, which is then closed.
  package init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
    let listener = try Loopback.listen()
    (descriptor, port) = (listener.descriptor, listener.port)
    let isStarted = Threads.detach {
      // The listener is closed here, because its number may then be another socket's.
      defer { close(listener.descriptor) }
      while true {
        let connection = accept(listener.descriptor, nil, nil)
        guard connection >= 0 else { return }
        let isStarted = Threads.detach {
          answer(Connection(descriptor: connection))
          close(connection)
        }
        if !isStarted { close(connection) }
      }
    }
    if !isStarted { close(listener.descriptor) }
  }

  deinit {
    // This wakes the thread that waits for connections.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// A line to a server that can be cut at any byte, or after any time.
package final class CuttableLine: Sendable {
  private let server: LoopbackServer
  private let state: State

  private final class State: Sendable {
    let rest = Mutex(Int.max)
    let passed = Mutex(0)
    let limit = Mutex(Limit())

    struct Limit {
      /// The seconds for which a connection lives; nil for as long as it is used.
      var lifetime: Double?
      /// The bytes per second that pass in one direction; nil for no limit.
      var speed: Int?
    }

    /// Returns how many of a number of bytes may pass.
    func pass(_ count: Int) -> Int {
      let allowed = rest.withLock { rest in
        let allowed = min(count, rest)
        rest -= allowed
        return allowed
      }
      passed.withLock { $0 += allowed }
      return allowed
    }
  }

  /// A record that a connection is over, after which its descriptors may belong to another one.
  private final class Ending: Sendable {
    let isOver = Mutex(false)
  }

  /// - Parameter target: the port of the server.
  package init(to target: Int) throws {
    let state = State()
    self.state = state
    server = try LoopbackServer { connection in
      guard let other = Loopback.connect(to: target) else { return }
      let isOver = DispatchSemaphore(value: 0)
      let ending = Ending()
      if let lifetime = state.limit.withLock({ $0.lifetime }) {
        _ = Threads.detach {
          letPass(.seconds(lifetime), because: "the time after which the line is cut")
          ending.isOver.withLock { isOver in
            guard !isOver else { return }
            for end in [connection.descriptor, other] { shutdown(end, Int32(SHUT_RDWR)) }
          }
        }
      }
      let isStarted = Threads.detach {
        Self.copy(from: other, to: connection.descriptor, state)
        isOver.signal()
      }
      if isStarted {
        Self.copy(from: connection.descriptor, to: other, state)
        // A descriptor that is closed too early may belong to another connection by then.
        isOver.wait()
      }
      ending.isOver.withLock { isOver in
        isOver = true
        close(other)
      }
    }
  }

  package var port: Int { server.port }

  /// The bytes that have passed so far, both ways.
  package var passed: Int { state.passed.withLock { $0 } }

  /// Lets a number of further bytes pass, in both directions together, and then cuts the line; nil for no
  /// limit.
  package func cut(after count: Int?) { state.rest.withLock { $0 = count ?? .max } }

  /// Cuts every connection made from now on after some seconds, like a proxy that limits their duration.
  ///
  /// - Parameter speed: the bytes per second that pass in one direction until then.
  package func cut(afterSeconds seconds: Double?, atSpeed speed: Int? = nil) {
    state.limit.withLock { $0 = State.Limit(lifetime: seconds, speed: speed) }
  }

  private static func copy(from source: Int32, to target: Int32, _ state: State) {
    while true {
      let bytes = Loopback.receive(from: source)
      if let speed = state.limit.withLock({ $0.speed }) {
        letPass(
          .seconds(Double(bytes.count) / Double(speed)), because: "the line has a speed")
      }
      let allowed = state.pass(bytes.count)
      let isSent = Loopback.send(bytes[..<allowed], to: target)
      guard !bytes.isEmpty, isSent, allowed == bytes.count else {
        if bytes.isEmpty {
          shutdown(target, Int32(SHUT_WR))
        } else {
          shutdown(target, Int32(SHUT_RDWR))
          shutdown(source, Int32(SHUT_RDWR))
        }
        return
      }
    }
  }
}
