internal import CCurl
internal import DocumentFiles
internal import Foundation

/// A repository on a web server: git's smart protocol over https (`gitprotocol-http`), by libcurl.
final class WebTransport: GitTransport {
  private let web: OpaquePointer
  private let access: RemoteAccess
  private let service: GitService
  private let address: RemoteAddress
  /// The address of the repository, which a redirection may change.
  private var base: String
  private var credential: Credential?
  private(set) var traffic = Traffic()

  init(to service: GitService, of address: RemoteAddress, by access: RemoteAccess) throws {
    if let reason = docversions_web_load() {
      throw TransportError(
        .unavailable, "libcurl can’t be loaded: \(String(cString: reason)).",
        hint: "Install it: apt-get install libcurl3-gnutls")
    }
    guard let web = docversions_web_new() else {
      throw TransportError(.unavailable, "There is no memory for a connection.")
    }
    self.web = web
    self.access = access
    self.service = service
    self.address = address
    let host = address.host.utf8.contains(UInt8(ascii: ":")) ? "[\(address.host)]" : address.host
    let port = address.port.map { ":\($0)" } ?? ""
    var path = address.path
    while path.hasSuffix("/") { path.removeLast() }
    base = "\(address.scheme.rawValue)://\(host)\(port)\(path)"
  }

  deinit { docversions_web_free(web) }

  // MARK: The conversation

  func greet(_ receive: (ArraySlice<UInt8>) throws -> Bool) throws {
    var attempts = 0
    var redirections = 0
    while true {
      var isComplete = false
      let answer = try perform(
        "info/refs?service=\(service.rawValue)", accept: "x-\(service.rawValue)-advertisement"
      ) {
        isComplete = try receive($0) || isComplete
      }
      switch answer.status {
      case 200:
        if let credential { access.credentialResult(credentialRequest, credential, true) }
        guard isComplete else { throw TransportError.notGit }
        return
      case 401:
        let isWrong = credential != nil
        if let credential { access.credentialResult(credentialRequest, credential, false) }
        guard attempts < 3, let found = try access.credential(credentialRequest) else {
          throw TransportError(
            .signInFailed,
            isWrong
              ? "“\(address.host)” does not take that name and password."
              : "“\(address.host)” requires a name and a password.",
            hint: "Sign in with a password or token that may read and write the repository.")
        }
        attempts += 1
        credential = found
      case 301, 302, 303, 307, 308:
        redirections += 1
        guard redirections <= 5 else {
          throw TransportError(
            .refused, "“\(address.host)” sends from one address to the next without end.")
        }
        base = try redirected(to: answer.redirect)
      default: throw failure(answer)
      }
    }
  }

  func send(_ request: GitRequest, _ receive: (ArraySlice<UInt8>) throws -> Void) throws {
    let answer = try perform(
      service.rawValue, accept: "x-\(service.rawValue)-result", posting: request, receive)
    guard answer.status == 200 else { throw failure(answer) }
  }

  func leave() {}

  /// Returns the address of the repository after a redirection, which may lead only to another path on the same host.
  private func redirected(to place: String) throws(TransportError) -> String {
    let suffix = "/info/refs?service=\(service.rawValue)"
    let isUp = base.hasPrefix("http://") && place.hasPrefix("https://")
    guard place.hasSuffix(suffix),
      isUp || Self.origin(of: place) == Self.origin(of: base),
      Self.host(of: place) == Self.host(of: base)
    else {
      throw TransportError(
        .refused, "“\(address.host)” sends to another place: \(Readable.text(place))",
        hint: "If you trust that place, use its address.")
    }
    return String(place.dropLast(suffix.count))
  }

  private static func origin(of url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/").lowercased()
  }

  private static func host(of url: String) -> Substring {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count > 2 ? parts[2].prefix { $0 != ":" } : ""
  }

  private var credentialRequest: CredentialRequest {
    let host = address.port.map { "\(address.host):\($0)" } ?? address.host
    return CredentialRequest(
      scheme: address.scheme.rawValue, host: host, path: String(address.path.drop { $0 == "/" }),
      user: address.user)
  }

  // MARK: One request

  /// An answer.
  private struct Answer {
    var status: Int
    var redirect: String
    /// The beginning of an error response's body.
    var text: [UInt8]
  }

  /// The state of a request in progress.
  private struct Progress {
    var receive: (ArraySlice<UInt8>) throws -> Void
    var access: RemoteAccess
    var failure: (any Error)?
    var received = 0
    var sent = 0
    /// The beginning of an error page.
    var page: [UInt8] = []

    /// Receives a part of the answer, and returns whether to continue.
    mutating func take(_ bytes: ArraySlice<UInt8>, status: Int) -> Bool {
      received += bytes.count
      access.transferred(bytes.count, 0)
      guard failure == nil else { return false }
      guard status == 200 else {
        page += bytes.prefix(4_096)
        return page.count < 1 << 16
      }
      do {
        try receive(bytes)
        return true
      } catch {
        failure = error
        return false
      }
    }

    /// Receives the number of bytes sent so far, and returns whether to continue.
    mutating func proceed(sent: Int) -> Bool {
      // If the request is sent again, the number restarts.
      if sent > self.sent { access.transferred(0, sent - self.sent) }
      self.sent = sent
      do {
        try access.checkCancellation()
        return true
      } catch {
        failure = error
        return false
      }
    }
  }

  private func perform(
    _ path: String, accept: String, posting body: GitRequest? = nil,
    _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws -> Answer {
    try withoutActuallyEscaping(receive) { receive in
      var progress = Progress(receive: receive, access: access)
      var answer = docversions_web_answer()
      withUnsafeMutablePointer(to: &progress) { progress in
        send(path, accept: accept, body, progress, &answer)
      }
      traffic.received += progress.received
      traffic.sent += body?.size ?? 0
      let status = Int(answer.status)
      if let failure = progress.failure { throw failure }
      // Only the beginning of an error page is needed.
      let isDone = answer.result == DOCVERSIONS_WEB_DONE
      let isRefused = status != 0 && status != 200
      guard isDone || isRefused else { throw failure(of: answer) }
      return Answer(status: status, redirect: Self.text(of: answer.redirect), text: progress.page)
    }
  }

  private func send(
    _ path: String, accept: String, _ body: GitRequest?,
    _ progress: UnsafeMutablePointer<Progress>, _ answer: inout docversions_web_answer
  ) {
    var request = docversions_web_request()
    request.context = UnsafeMutableRawPointer(progress)
    request.connect_seconds = access.connectTimeout.waitingSeconds
    request.idle_seconds = access.idleTimeout.waitingSeconds
    request.file = body?.file?.descriptor ?? -1
    request.file_size = Int64(body?.file?.size ?? 0)
    request.body_size = body?.bytes.count ?? 0
    request.receive = { context, status, bytes, count in
      guard let progress = context?.assumingMemoryBound(to: Progress.self), let bytes else {
        return 1
      }
      let part = Array(UnsafeBufferPointer(start: bytes, count: count))
      return progress.pointee.take(part[...], status: status) ? 0 : 1
    }
    request.proceed = { context, sent in
      guard let progress = context?.assumingMemoryBound(to: Progress.self) else { return 1 }
      return progress.pointee.proceed(sent: Int(sent)) ? 0 : 1
    }
    let texts = [
      "\(base)/\(path)", credential?.user, credential?.password,
      access.certificates?.path(percentEncoded: false), access.proxy,
      access.withoutProxy, "git/2.0 (docversions)", "application/\(accept)",
      "application/x-\(service.rawValue)-request",
    ]
    let copies = texts.map { $0.map { Self.copy($0) } }
    defer { for copy in copies { copy?.deallocate() } }
    func pointer(_ number: Int) -> UnsafePointer<CChar>? {
      copies[number].map { UnsafePointer($0) }
    }
    request.url = pointer(0)
    request.user = pointer(1)
    request.password = pointer(2)
    request.certificates = pointer(3)
    request.proxy = pointer(4)
    request.without_proxy = pointer(5)
    request.user_agent = pointer(6)
    request.accept = pointer(7)
    request.content_type = pointer(8)
    if let body {
      body.bytes.withUnsafeBytes {
        request.body = $0.baseAddress
        docversions_web_send(web, &request, &answer)
      }
    } else {
      docversions_web_send(web, &request, &answer)
    }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (number, byte) in bytes.enumerated() { copy[number] = byte }
    return copy
  }

  /// Returns the text in a C array.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  // MARK: Failures

  /// Returns the error for a request without an answer.
  private func failure(of answer: docversions_web_answer) -> TransportError {
    let reason = Readable.text(Self.text(of: answer.reason))
    let host = address.host
    return switch answer.result {
    case DOCVERSIONS_WEB_NO_HOST:
      TransportError(.unreachable, "“\(host)” is not known: \(reason)", hint: "Is there a network?")
    case DOCVERSIONS_WEB_NO_CONNECTION:
      TransportError(
        .unreachable, "“\(host)” can’t be reached: \(reason)", hint: "Is there a network?")
    case DOCVERSIONS_WEB_TIMED_OUT:
      TransportError(.timedOut, "“\(host)” does not answer: \(reason)", hint: "Try again later.")
    case DOCVERSIONS_WEB_NOT_TRUSTED:
      TransportError(
        .notTrusted, "The certificate of “\(host)” is not trusted: \(reason)",
        recovery: .trustAuthority)
    default:
      TransportError(.cut, "The connection to “\(host)” failed: \(reason)", hint: "Try again.")
    }
  }

  /// Returns the error for a status.
  private func failure(_ answer: Answer) -> TransportError {
    let host = address.host
    switch answer.status {
    case 401:
      return TransportError(.signInFailed, "“\(host)” does not take that name and password.")
    case 403:
      return TransportError(
        .refused, "“\(host)” does not permit it (403)\(said(answer)).",
        hint: "Does the account, or the token, have the right to write there?")
    case 404, 410:
      return TransportError(
        .noRepository,
        "There is no repository at \(base) (\(answer.status)), or you may not see it.")
    case 413:
      return TransportError(
        .refused, "“\(host)” does not take as much at once (413).",
        hint: "Raise the limit there: client_max_body_size of nginx, LimitRequestBody of Apache.")
    case 408, 429, 500...:
      return TransportError(
        .cut, "“\(host)” has a fault (\(answer.status))\(said(answer)).", hint: "Try again later.")
    default:
      return TransportError(
        .malformed, "“\(host)” answers with status \(answer.status).", hint: "Check the address.")
    }
  }

  /// Returns the text of an error, if it is one line for people.
  private func said(_ answer: Answer) -> String {
    let lines = Readable.lines(answer.text)
    guard let line = lines.first, lines.count < 3, !line.utf8.contains(UInt8(ascii: "<")) else {
      return ""
    }
    return ": \(line)"
  }
}
