import DocumentTestSupport
import Foundation
import NIOHTTP1
import Testing

@testable import DocumentPage

/// Tests of which requests are admitted, and which items of the folder can be named.
@MainActor
@Suite("Page: safety")
struct AdmissionTests {
  private let outside = "secret\n"

  private func world() async throws -> PageWorld {
    try await PageWorld(
      ["notes/Note.md": "own words\n", "outside.md": outside, "notes/.docversions/x": "x"],
      links: ["notes/Link.md": "../outside.md"])
  }

  @Test("The token is exchanged for a cookie of this site alone")
  func token() async throws {
    let world = try await world()
    let answer = await world.send(
      .GET, "/?token=\(world.admission.token)", ["Host": "127.0.0.1:80"])
    let cookie = try #require(answer.headers.first { $0.0 == "Set-Cookie" }?.1)
    #expect(answer.status == .ok)
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(await world.get("/").text.contains("<!doctype html>"))
    try await world.end()
  }

  @Test(
    "Without the cookie, for another host and for another site nothing is answered",
    arguments: [
      ("/", ["Host": "localhost:1"], 403),
      ("/?token=1-2-3-4", ["Host": "localhost:1"], 403),
      ("/api/text?document=Note.md", ["Host": "localhost:1"], 403),
      ("/", ["Host": "localhost:1", "Cookie": "docversions-test=1-2-3-4"], 403),
      ("/", ["Host": "evil.example", "Cookie": "COOKIE"], 421),
      ("/", ["Host": "localhost.evil.example:1", "Cookie": "COOKIE"], 421),
      ("/", ["Host": "127.0.0.1:1:1", "Cookie": "COOKIE"], 421),
      ("/", ["Cookie": "COOKIE"], 421),
      ("/", ["Host": "localhost:1", "Origin": "http://evil.example", "Cookie": "COOKIE"], 403),
      ("/", ["Host": "localhost:1", "Origin": "http://localhost:2", "Cookie": "COOKIE"], 403),
      ("/", ["Host": "localhost:1", "Origin": "null", "Cookie": "COOKIE"], 403),
      ("/nothing", ["Host": "localhost:1", "Cookie": "COOKIE"], 404),
    ])
  func refusal(uri: String, headers: [String: String], status: Int) async throws {
    let world = try await world()
    let cookie = await world.cookie()
    let answer = await world.send(
      .GET, uri, headers.mapValues { $0 == "COOKIE" ? cookie : $0 })
    #expect(answer.status.code == status)
    #expect(!answer.text.contains("own words"))
    try await world.end()
  }

  @Test(
    "Only the page changes documents: a form or an image of another site does not",
    arguments: [
      ["Origin": "http://localhost:1", "Content-Type": "text/plain"],
      ["Origin": "http://localhost:1", "Content-Type": "application/x-www-form-urlencoded"],
      ["Content-Type": "application/json"], ["Origin": "http://localhost:1"],
    ])
  func forms(headers: [String: String]) async throws {
    let world = try await world()
    let all = headers.merging(["Host": "localhost:1", "Cookie": await world.cookie()]) { $1 }
    let answer = await world.send(
      .POST, "/api/delete", all, body: #"{"document": "Note.md"}"#)
    #expect(answer.status == .forbidden)
    #expect(FileManager.default.fileExists(atPath: world.files["notes/Note.md"].path))
    try await world.end()
  }

  @Test("Every answer tells the browser to run and to reach nothing else")
  func policy() async throws {
    let world = try await world()
    for path in ["/", "/page.js", "/api/history", "/nothing"] {
      let headers = await world.get(path, ["document": "Note.md"]).allHeaders
      #expect(
        headers["Content-Security-Policy"].first?.hasPrefix("default-src 'none'; script-src 'self'")
          == true)
      #expect(headers["X-Content-Type-Options"] == ["nosniff"])
      #expect(headers["Access-Control-Allow-Origin"].isEmpty)
    }
    try await world.end()
  }

  @Test(
    "No path leads out of the folder, and none to what keeps the versions",
    arguments: [
      "../outside.md", "..%2Foutside.md", "/etc/passwd", "./Note.md", "sub/../Note.md",
      ".docversions/x", "Note.md/", "Note.md\0", "", "Link.md", "../notes/Note.md",
    ])
  func traversal(path: String) async throws {
    let world = try await world()
    for request in ["text", "history", "version", "part", "conflict", "image", "members"] {
      let answer = await world.get("/api/\(request)", ["document": path, "version": ""])
      #expect(answer.status.code >= 400, "\(request)")
      #expect(!answer.text.contains("secret"))
    }
    for request in ["edit", "save", "rename", "delete", "undelete", "duplicate", "restore"] {
      let answer = try await world.post(
        "/api/\(request)",
        [
          "document": path, "name": "New", "version": "1234", "revision": 0, "start": 0,
          "removed": 0, "inserted": "x",
        ])
      #expect(answer.status.code >= 400, "\(request)")
    }
    #expect(try world.files.read("outside.md") == outside)
    #expect(try world.files.read("notes/Note.md") == "own words\n")
    try await world.end()
  }

  @Test(
    "A name that leads elsewhere is refused, with one that would do",
    arguments: ["../New", "a/b", ".hidden", "a\nb", "", "con:"])
  func names(name: String) async throws {
    let world = try await world()
    let answer = try await world.post("/api/rename", ["document": "Note.md", "name": name])
    #expect(answer.status == .badRequest)
    #expect(try world.files.read("notes/Note.md") == "own words\n")
    try await world.end()
  }

  @Test("A request that is too large is refused before it is read")
  func bounds() async throws {
    // On a busy machine, it may take a while until so much is sent.
    var limits = PageServer.Limits()
    limits.exchange = .seconds(600)
    let server = try await PageServer(port: 0, limits: limits)
    let serving = Task {
      try await server.serve { _ in PageResponse([], type: "text/plain") }
    }
    let script = { (request: String) in
      "exec 3<>/dev/tcp/127.0.0.1/\(server.port); \(request) >&3; head -n 1 <&3"
    }
    let requests = [
      ("printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'", "HTTP/1.1 200"),
      (
        "{ printf 'GET / HTTP/1.1\\r\\nA: '; head -c 20000 /dev/zero | tr '\\0' a; printf '\\r\\n\\r\\n'; }",
        "HTTP/1.1 4"
      ),
      (
        "{ printf 'POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 60000000\\r\\n\\r\\n'; head -c 60000000 /dev/zero; }",
        "HTTP/1.1 413"
      ),
      ("printf 'nonsense\\r\\n\\r\\n'", "HTTP/1.1 400"),
    ]
    for (request, expected) in requests {
      let program = try RunningProgram("bash", ["-c", script(request)])
      #expect(try await comesTrue { program.hasEnded })
      let output = try program.output
      #expect(output.hasPrefix(expected), "\(request.prefix(60)): \(output)")
    }
    serving.cancel()
  }
}
