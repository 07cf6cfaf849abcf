public import DocumentFiles
public import Foundation

/// A call that a document refuses in its present state, or an end that it came to.
public struct DocumentError: CodedError {
  /// A kind of refusal.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The document is closed.
    case closed
    /// The document is open already.
    case open
    /// The document can't be changed, because it was opened read-only.
    case readOnly = "read-only"
    /// Another program removed the document while it had unsaved changes: they are a version, and it is closed.
    case removed
    /// The subclass does not say what the document holds.
    case notImplemented = "not-implemented"
  }

  /// The kind of refusal.
  public let code: Code
  /// The document.
  public let document: URL
  /// A sentence for a person.
  public let message: String
  /// Nil: the sentence says what leads on.
  public var recovery: ErrorRecovery? { nil }
  /// Nil: no other error is behind it.
  public var cause: (any Error)? { nil }

  init(_ code: Code, _ document: URL, _ message: String) {
    self.code = code
    self.document = document
    self.message = message
  }

  static func isClosed(_ document: URL) -> DocumentError {
    DocumentError(.closed, document, "“\(document.lastPathComponent)” is closed.")
  }

  static func isOpen(_ document: URL) -> DocumentError {
    DocumentError(.open, document, "“\(document.lastPathComponent)” is open already.")
  }

  static func wasRemoved(_ document: URL) -> DocumentError {
    DocumentError(
      .removed, document,
      """
      “\(document.lastPathComponent)” was removed by another program. What was not saved is a version of it, which can be \
      restored.
      """)
  }
}
