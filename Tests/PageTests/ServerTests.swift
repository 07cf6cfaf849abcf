import DocumentTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Clients that are no browsers.
@Suite("Page: server", .blocks)
struct ServerTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("one\n", to: "notes/Note.md")
  }

  /// A plain connection to a port of this machine.
  private struct Connection {
    let descriptor: Int32

    init(port: Int) throws {
      #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var limit = timeval(tv_sec: 30, tv_usec: 0)
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

    /// What comes next; empty at the end of the connection, nil if nothing comes.
    func answer(to request: String = "") -> String? {
      let sent = Array(request.utf8)
      _ = send(descriptor, sent, sent.count, Int32(MSG_NOSIGNAL))
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  @Test("One connection more than allowed is closed at once, and the others are answered")
  func connections() throws {
    let page = try PageProgram(folder["notes"])
    let open = try (0..<64).map { _ in try Connection(port: page.port) }
    defer { for connection in open { close(connection.descriptor) } }
    let further = try Connection(port: page.port)
    defer { close(further.descriptor) }
    #expect(further.answer() == "")
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for connection in open {
      #expect(connection.answer(to: request)?.hasPrefix("HTTP/1.1 403 ") == true)
    }
    try page.end()
  }

  @Test(
    "What is no request ends the connection, and nothing else",
    arguments: [
      "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 20_000) + "\r\n\r\n",
    ])
  func nonsense(request: String) throws {
    let page = try PageProgram(folder["notes"])
    let connection = try Connection(port: page.port)
    defer { close(connection.descriptor) }
    let answer = try #require(connection.answer(to: request))
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
    let other = try Connection(port: page.port)
    defer { close(other.descriptor) }
    let proper = other.answer(to: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(proper?.hasPrefix("HTTP/1.1 403 ") == true)
    try page.end()
  }
}
