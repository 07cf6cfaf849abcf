internal import DocumentVersions
internal import NIOHTTP1

/// A failure that is sent to the page.
struct PageError: Error {
  let status: HTTPResponseStatus
  let message: String

  init(_ status: HTTPResponseStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Creates the failure for any error, in a form for people.
  init(_ error: any Error) {
    switch error {
    case let error as PageError: self = error
    case let error as any CodedError:
      let sentences = [error.message, error.recoverySuggestion].compactMap { $0 }
      self.init(.conflict, sentences.joined(separator: " "))
    default: self.init(.conflict, "\(error)")
    }
  }
}
