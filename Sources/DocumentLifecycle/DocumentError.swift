public import DocumentFiles
public import Foundation

/// An error of a document: a call that its present state doesn't allow, or its removal.
public struct DocumentError: CodedError {
  /// The code of a document error.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// The document is closed.
    case closed
    /// The document is already open.
    case open
    /// The document can't be changed, because it was opened read-only.
    case readOnly = "read-only"
    /// Another program removed the document while it had unsaved changes; they are a version, and the document is
    /// closed.
    case removed
    /// The subclass doesn't override ``Document/contents(forType:)``.
    case notImplemented = "not-implemented"
  }

  /// The code of the error.
  public let code: Code
  /// The document.
  public let document: URL
  /// A message for people.
  public let message: String
  /// Always `nil`; the message describes the next step.
  public var recovery: ErrorRecovery? { nil }
  /// Always `nil`; no other error causes a document error.
  public var cause: (any Error)? { nil }

  init(_ code: Code, _ document: URL, _ message: String) {
    self.code = code
    self.document = document
    self.message = message
  }

  package static func isClosed(_ document: URL) -> DocumentError {
    DocumentError(.closed, document, "“\(document.lastPathComponent)” is closed.")
  }

  /// Returns the error for changing a document that was opened read-only.
  package static func isReadOnly(_ document: URL, named name: String) -> DocumentError {
    DocumentError(.readOnly, document, "“\(name)” was opened read-only.")
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
