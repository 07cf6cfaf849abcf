internal import Foundation
internal import NIOHTTP1

/// An answer to a request.
struct PageResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Events that continue until either side ends them.
    case events(EventFeed)
  }

  var status = HTTPResponseStatus.ok
  var type: String
  var body: Body
  /// The headers of this answer, in addition to those of every answer.
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

  /// Creates the answer to a failure: a sentence for a person.
  init(_ error: PageError) {
    self.init(Array(error.message.utf8), type: "text/plain; charset=utf-8")
    status = error.status
  }

  /// The answer without contents.
  static var done: PageResponse {
    var response = PageResponse([], type: "text/plain")
    response.status = .noContent
    return response
  }

  /// The policy for browsers: they may run and show only the page's own files, and reach only this server.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The headers of the answer, including the length of a known body.
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
/// Each wake sends the news at that time, so a slow reader creates no queue.
struct EventFeed: Sendable {
  let wakes: AsyncStream<Void>
  /// Returns the news, as text of the event stream.
  let news: @MainActor @Sendable () -> String
  /// Called when the window is closed.
  let end: @MainActor @Sendable () -> Void
}
