import DocumentTestSupport
import DocumentVersions
import Foundation
import NIOHTTP1

@testable import DocumentPage

/// The page's requests on a folder, without a server.
@MainActor
struct PageWorld {
  let files: ScratchFolder
  let folder: PageFolder
  let admission = Admission(name: "test")
  let routes: PageRoutes
  private let following: Task<Void, Never>

  /// - Parameter documents: the documents of the folder, by name.
  init(_ documents: [String: String], links: [String: String] = [:]) async throws {
    files = try ScratchFolder()
    for (name, text) in documents { try files.write(text, to: name) }
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: files[name].path, withDestinationPath: target)
    }
    let folder = PageFolder(files["notes"], store: VersionStore())
    self.folder = folder
    routes = PageRoutes(folder, admission: admission)
    following = Task { await folder.follow() }
    guard try await comesTrue({ folder.isListed }) else { throw CancellationError() }
  }

  /// Closes the open documents.
  func end() async throws {
    try await folder.closeAll()
    following.cancel()
  }

  /// Returns the cookie for which the token is exchanged.
  func cookie() async -> String {
    let answer = await send(.GET, "/?token=\(admission.token)", ["Host": "localhost:1"])
    let cookie = answer.headers.first { $0.0 == "Set-Cookie" }?.1 ?? ""
    return String(cookie.prefix { $0 != ";" })
  }

  /// Sends a request as it is.
  func send(
    _ method: HTTPMethod, _ uri: String, _ headers: [String: String], body: String = ""
  ) async -> PageResponse {
    let head = HTTPRequestHead(
      version: .http1_1, method: method, uri: uri,
      headers: HTTPHeaders(headers.map { ($0.key, $0.value) }))
    return await routes.answer(PageRequest(head, body: Array(body.utf8)))
  }

  /// Sends a GET request as the page does.
  func get(_ path: String, _ query: [String: String] = [:]) async -> PageResponse {
    var components = URLComponents()
    components.path = path
    components.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
    return await send(
      .GET, components.string ?? path, ["Host": "localhost:1", "Cookie": await cookie()])
  }

  /// Sends a POST request as the page does.
  func post(_ path: String, _ body: [String: Any]) async throws -> PageResponse {
    let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
    return await send(
      .POST, path,
      [
        "Host": "localhost:1", "Origin": "http://localhost:1", "Cookie": await cookie(),
        "Content-Type": "application/json",
      ], body: json)
  }
}

extension PageResponse {
  /// The body as text.
  var text: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  /// A value of an answer in JSON.
  subscript(key: String) -> Any? {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return object?[key]
  }
}
