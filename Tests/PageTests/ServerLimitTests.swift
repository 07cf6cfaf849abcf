import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentPage

/// Clients that keep the server waiting.
@Suite("Page: slow clients", .blocks)
struct ServerLimitTests {
  /// Runs a server with short limits while a closure uses its port.
  private func serving(_ limits: PageServer.Limits, _ body: (Int) throws -> Void) async throws {
    let server = try await PageServer(port: 0, limits: limits)
    // The task is detached, because the server doesn't use the threads of blocking tests.
    let serving = Task.detached {
      try await server.serve { request in
        PageResponse(Array(repeating: 0x61, count: Int(request["bytes"]) ?? 1), type: "text/plain")
      }
    }
    let result = Result { try body(server.port) }
    serving.cancel()
    _ = await serving.result
    try result.get()
  }

  private static let start = "GET / HTTP/1.1\r\nHost: "

  @Test(
    "A request that does not become whole ends its connection",
    arguments: [start, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"])
  func unfinished(request: String) async throws {
    let limits = PageServer.Limits(exchange: .milliseconds(200), idle: .milliseconds(200))
    try await serving(limits) { port in
      let slow = try PageConnection(port: port)
      #expect(slow.answer(to: request) == "")
    }
  }

  @Test("A connection without requests is closed after a while")
  func idle() async throws {
    let limits = PageServer.Limits(exchange: .seconds(60), idle: .milliseconds(200))
    try await serving(limits) { port in
      let idle = try PageConnection(port: port)
      #expect(idle.answer() == "")
    }
  }

  @Test("An answer that is not taken ends its connection")
  func untaken() async throws {
    let limits = PageServer.Limits(exchange: .milliseconds(400), idle: .milliseconds(400))
    try await serving(limits) { port in
      let size = 64 << 20
      let slow = try PageConnection(port: port)
      // The first bytes show that the answer has begun.
      let request = "GET /?bytes=\(size) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      var received = slow.answer(to: request)?.utf8.count ?? 0
      try #require(received > 0)
      // A connection that begins to wait later is closed later.
      for _ in 0..<2 {
        let later = try PageConnection(port: port)
        #expect(later.answer() == "")
      }
      while let part = slow.answer(), !part.isEmpty { received += part.utf8.count }
      #expect(received < size)
    }
  }

  @Test("Connections that arrive while the server ends are closed")
  func ending() async throws {
    for _ in 0..<50 {
      var late: [PageConnection] = []
      try await serving(PageServer.Limits()) { port in
        late = try (0..<20).map { _ in try PageConnection(port: port) }
      }
      for connection in late { #expect(connection.answer()?.isEmpty != false) }
    }
  }
}
