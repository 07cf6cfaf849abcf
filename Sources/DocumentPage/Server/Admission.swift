internal import NIOHTTP1

/// The access control: only browsers on this machine that know the secret of this server's start are
/// admitted.
struct Admission: Sendable {
  /// The secret of the first address that a browser opens.
  let token = Admission.secret()
  /// The secret that the browser keeps from then on.
  private let session = Admission.secret()
  private let cookieName: String

  /// - Parameter name: distinguishes this server's cookie from those of others on the machine.
  init(name: String) { cookieName = "docversions-\(name)" }

  /// Returns the answer to a request that isn't admitted, or to the one with the token; nil for all others.
  func answer(to request: PageRequest) -> PageResponse? {
    guard let host = host(of: request) else {
      return PageResponse(PageError(.misdirectedRequest, "This server is for this machine alone."))
    }
    let origins = request.headers["Origin"]
    guard origins.allSatisfy({ $0 == "http://\(host)" }) else {
      return PageResponse(PageError(.forbidden, "Another site asks."))
    }
    if request.path == "/", request.method == .GET, !request["token"].isEmpty {
      guard Self.isSame(request["token"], token) else { return refusal }
      return welcome
    }
    guard isKnown(request) else { return refusal }
    guard request.method == .GET || request.method == .POST else {
      return PageResponse(PageError(.methodNotAllowed, "There is no such request."))
    }
    // A form of another site can send neither this type nor an origin of ours.
    let isJSON = request.headers["Content-Type"].first == "application/json"
    guard request.method == .GET || isJSON && !origins.isEmpty else {
      return PageResponse(PageError(.forbidden, "Only the page may change documents."))
    }
    return nil
  }

  /// Returns the host name by which the browser knows this server, which no other machine can have.
  ///
  /// Any port is allowed, because requests through a tunnel have the port of its other end.
  private func host(of request: PageRequest) -> String? {
    let hosts = request.headers["Host"]
    guard hosts.count == 1, let host = hosts.first else { return nil }
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, ["localhost", "127.0.0.1"].contains(parts[0]),
      parts.count == 1 || UInt16(parts[1]) != nil
    else { return nil }
    return host
  }

  private func isKnown(_ request: PageRequest) -> Bool {
    request.headers["Cookie"].flatMap { $0.split(separator: ";") }.contains { cookie in
      let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == cookieName && Self.isSame(String(parts[1]), session)
    }
  }

  private var refusal: PageResponse {
    PageResponse(
      PageError(.forbidden, "Open the address that `docversions open` shows, with its token."))
  }

  /// The response that sets the cookie.
  ///
  /// The page then opens itself, because a browser sends a strict cookie only with requests from one of our
  /// pages.
  private var welcome: PageResponse {
    let page =
      #"<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>docversions</title>"#
    var response = PageResponse(Array(page.utf8), type: "text/html; charset=utf-8")
    response.headers = [
      ("Set-Cookie", "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict")
    ]
    return response
  }

  /// Compares two texts in a time that doesn't depend on where they differ.
  private static func isSame(_ given: String, _ secret: String) -> Bool {
    let (given, secret) = (Array(given.utf8), Array(secret.utf8))
    guard given.count == secret.count else { return false }
    return zip(given, secret).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined(separator: "-")
  }
}
