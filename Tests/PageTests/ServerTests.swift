import DocumentTestSupport
import Foundation
import Testing

/// Clients that aren't browsers.
@Suite("Page: server", .blocks)
struct ServerTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("one\n", to: "notes/Note.md")
  }

  @Test("One connection more than allowed is closed at once, and the others are answered")
  func connections() throws {
    let page = try PageProgram(folder["notes"])
    let open = try (0..<64).map { _ in try PageConnection(port: page.port) }
    let further = try PageConnection(port: page.port)
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
    let connection = try PageConnection(port: page.port)
    let answer = try #require(connection.answer(to: request))
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
    let other = try PageConnection(port: page.port)
    let proper = other.answer(to: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(proper?.hasPrefix("HTTP/1.1 403 ") == true)
    try page.end()
  }
}
