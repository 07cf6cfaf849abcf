public import DocumentStore
internal import Foundation

/// A condition on documents, built from comparisons (`NSPredicate`).
///
/// ```swift
/// .like(\.name, "*.txt") && \.size > 1_000 && !(\.hasUnresolvedConflicts == true)
/// ```
public struct DocumentPredicate: Sendable {
  fileprivate indirect enum Node: Sendable {
    case test(@Sendable (DocumentMetadata) -> Bool)
    case text(LinePattern)
    case and(Node, Node)
    case or(Node, Node)
    case not(Node)
  }

  fileprivate let node: Node
  /// True if the predicate reads contents.
  fileprivate let readsText: Bool
  /// True if the predicate uses the edit state.
  let readsEditState: Bool

  fileprivate init(_ node: Node, readsText: Bool = false, readsEditState: Bool = false) {
    self.node = node
    self.readsText = readsText
    self.readsEditState = readsEditState
  }

  fileprivate init<Value>(
    _ key: any KeyPath<DocumentMetadata, Value> & Sendable,
    _ test: @escaping @Sendable (Value) -> Bool
  ) {
    self.init(
      .test { test($0[keyPath: key]) }, readsEditState: key == \DocumentMetadata.editState)
  }

  /// Matches all documents.
  public static let all = DocumentPredicate(.test { _ in true })

  /// Matches documents with a text that fits a pattern.
  ///
  /// In the pattern, `*` stands for any characters, and `?` for one character; `\` before either of them stands for the
  /// character itself.
  public static func like(
    _ key: any KeyPath<DocumentMetadata, String> & Sendable, _ pattern: String
  ) -> DocumentPredicate {
    let pattern = WildcardPattern(pattern)
    return DocumentPredicate(key) { pattern.matches($0) }
  }

  /// Matches documents below a folder.
  static func isBelow(_ folder: URL) -> DocumentPredicate {
    let start = Array((folder.path + "/").utf8)
    return DocumentPredicate(\.path) { $0.utf8.starts(with: start) }
  }

  /// Matches documents with one of several values.
  public static func isIn<Value: Hashable & Sendable>(
    _ key: any KeyPath<DocumentMetadata, Value> & Sendable, _ values: Set<Value>
  ) -> DocumentPredicate {
    DocumentPredicate(key) { values.contains($0) }
  }

  /// Matches documents of a type, such as `public.text`, or of a type that conforms to it.
  public static func conforms(to type: String) -> DocumentPredicate {
    let type = type.lowercased()
    return DocumentPredicate(\.contentTypeTree) { tree in
      tree.contains { $0.lowercased() == type }
    }
  }

  /// Matches documents with a text in a line of their contents on disk, or, for packages, of a member's contents.
  public static func contains(_ pattern: LinePattern) -> DocumentPredicate {
    DocumentPredicate(.text(pattern), readsText: true)
  }

  /// Matches documents that fulfill both conditions.
  public static func && (left: DocumentPredicate, right: DocumentPredicate) -> DocumentPredicate {
    // Conditions that read contents come last.
    let isSwapped = left.readsText && !right.readsText
    return DocumentPredicate(
      isSwapped ? .and(right.node, left.node) : .and(left.node, right.node),
      readsText: left.readsText || right.readsText,
      readsEditState: left.readsEditState || right.readsEditState)
  }

  /// Matches documents that fulfill at least one of both conditions.
  public static func || (left: DocumentPredicate, right: DocumentPredicate) -> DocumentPredicate {
    let isSwapped = left.readsText && !right.readsText
    return DocumentPredicate(
      isSwapped ? .or(right.node, left.node) : .or(left.node, right.node),
      readsText: left.readsText || right.readsText,
      readsEditState: left.readsEditState || right.readsEditState)
  }

  /// Matches documents that don't fulfill a condition.
  public static prefix func ! (predicate: DocumentPredicate) -> DocumentPredicate {
    DocumentPredicate(
      .not(predicate.node), readsText: predicate.readsText,
      readsEditState: predicate.readsEditState)
  }

  /// Returns whether a document matches.
  ///
  /// - Parameter hasText: searches the document's contents.
  func holds(of document: DocumentMetadata, hasText: (LinePattern) -> Bool) -> Bool {
    node.holds(of: document, hasText)
  }
}

extension DocumentPredicate.Node {
  fileprivate func holds(of document: DocumentMetadata, _ hasText: (LinePattern) -> Bool) -> Bool {
    switch self {
    case .test(let test): test(document)
    case .text(let pattern): hasText(pattern)
    case .and(let left, let right):
      left.holds(of: document, hasText) && right.holds(of: document, hasText)
    case .or(let left, let right):
      left.holds(of: document, hasText) || right.holds(of: document, hasText)
    case .not(let node): !node.holds(of: document, hasText)
    }
  }
}

/// Matches documents whose attribute equals a value.
public func == <Value: Equatable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 == value }
}

/// Matches documents whose attribute differs from a value.
public func != <Value: Equatable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 != value }
}

/// Matches documents whose attribute is less than a value.
public func < <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 < value }
}

/// Matches documents whose attribute is less than or equal to a value.
public func <= <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 <= value }
}

/// Matches documents whose attribute is greater than a value.
public func > <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 > value }
}

/// Matches documents whose attribute is greater than or equal to a value.
public func >= <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 >= value }
}
