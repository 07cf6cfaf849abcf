internal import Foundation
internal import NIOHTTP1

/// An answer to a request.
struct PageResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Events that go on until either side ends them.
    case events(EventFeed)
  }

  var status = HTTPResponseStatus.ok
  var type: String
  var body: Body
  /// What the answer has beside the headers of every answer.
  var headers: [(String, String)] = []

  init(_ bytes: [UInt8], type: String) {
    body = .bytes(bytes)
    self.type = type
  }

  init(_ feed: EventFeed) {
    body = .events(feed)
    type = "text/event-stream"
  }

  init(json value: some Encodable) throws {
    self.init(Array(try JSONEncoder().encode(value)), type: "application/json")
  }

  /// The answer to what failed: a sentence for a person.
  init(_ error: PageError) {
    self.init(Array(error.message.utf8), type: "text/plain; charset=utf-8")
    status = error.status
  }

  /// Nothing to tell.
  static var done: PageResponse {
    var response = PageResponse([], type: "text/plain")
    response.status = .noContent
    return response
  }

  /// What a browser may do with every answer: run and show the page's own files, and reach this server alone.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The headers of the answer, the length of a known body among them.
  var allHeaders: HTTPHeaders {
    var all = HTTPHeaders([
      ("Content-Type", type), ("Content-Security-Policy", Self.policy),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ])
    if case .bytes(let bytes) = body, status != .noContent {
      all.add(name: "Content-Length", value: String(bytes.count))
    }
    for (name, value) in headers { all.replaceOrAdd(name: name, value: value) }
    return all
  }
}

/// Events for one window.
///
/// Each wake sends what is new then, so that a slow reader makes no queue.
struct EventFeed: Sendable {
  let wakes: AsyncStream<Void>
  /// What is new, as text of the event stream.
  let news: @MainActor @Sendable () -> String
  /// Called when the window is gone.
  let end: @MainActor @Sendable () -> Void
}
