public import Foundation

/// A call that a document refuses in its present state, or an end that it came to.
public struct DocumentError: Error, Sendable, CustomStringConvertible {
  /// A kind of refusal.
  ///
  /// New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The document is closed.
    public static let closed = Code(rawValue: "closed")
    /// The document is open already.
    public static let open = Code(rawValue: "open")
    /// The document can't be changed, because it was opened read-only.
    public static let readOnly = Code(rawValue: "read-only")
    /// Another program removed the document while it had unsaved changes: they are a version, and it is closed.
    public static let removed = Code(rawValue: "removed")
    /// The subclass does not say what the document holds.
    public static let notImplemented = Code(rawValue: "not-implemented")
  }

  /// The kind of refusal.
  public let code: Code
  /// The document.
  public let document: URL
  /// A sentence for a person.
  public let message: String

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

  /// The sentence.
  public var description: String { message }
}

extension DocumentError: LocalizedError {
  /// The sentence.
  public var errorDescription: String? { message }
}
