internal import Foundation
internal import NIOHTTP1

/// A complete request of limited size.
struct PageRequest: Sendable {
  let method: HTTPMethod
  /// The path, without the query.
  let path: String
  let headers: HTTPHeaders
  let body: [UInt8]
  private let query: [String: String]

  init(_ head: HTTPRequestHead, body: [UInt8]) {
    method = head.method
    headers = head.headers
    self.body = body
    let components = URLComponents(string: head.uri)
    path = components?.path ?? ""
    query = Dictionary(
      (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// A value of the query; empty if there is none.
  subscript(name: String) -> String { query[name] ?? "" }

  /// Returns the decoded body.
  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw PageError(.badRequest, "The request is not understood.")
    }
  }
}
