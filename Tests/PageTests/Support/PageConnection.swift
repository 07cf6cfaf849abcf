import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A plain connection to a port of this machine, closed with the last reference to it.
final class PageConnection {
  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // The server's threads may be busy with other tests for long.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let sent = Array(text.utf8)
    #if canImport(Glibc)
    _ = Glibc.send(descriptor, sent, sent.count, Int32(MSG_NOSIGNAL))
    #else
    _ = Darwin.send(descriptor, sent, sent.count, 0)
    #endif
  }

  /// Returns the next bytes; empty at the end of the connection, nil if nothing arrives.
  func answer(to request: String = "") -> String? {
    if !request.isEmpty { send(request) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
