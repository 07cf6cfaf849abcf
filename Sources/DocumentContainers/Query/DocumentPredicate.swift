public import DocumentStore
internal import Foundation

/// A condition on documents, made of comparisons (`NSPredicate`).
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
  /// Whether contents have to be read.
  fileprivate let readsText: Bool
  /// Whether the relation to the versions is asked for.
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

  /// All documents.
  public static let all = DocumentPredicate(.test { _ in true })

  /// A text that is like a pattern: `*` stands for any characters, `?` for one, and `\` before one of them for itself.
  public static func like(
    _ key: any KeyPath<DocumentMetadata, String> & Sendable, _ pattern: String
  ) -> DocumentPredicate {
    let pattern = WildcardPattern(pattern)
    return DocumentPredicate(key) { pattern.matches($0) }
  }

  /// A value that is one of several.
  public static func isIn<Value: Hashable & Sendable>(
    _ key: any KeyPath<DocumentMetadata, Value> & Sendable, _ values: Set<Value>
  ) -> DocumentPredicate {
    DocumentPredicate(key) { values.contains($0) }
  }

  /// Documents of a type or of a kind of it, such as `public.text`.
  public static func conforms(to type: String) -> DocumentPredicate {
    let type = type.lowercased()
    return DocumentPredicate(\.contentTypeTree) { tree in
      tree.contains { $0.lowercased() == type }
    }
  }

  /// Documents with a text in a line of their contents as they are on disk; of packages, of a member's.
  public static func contains(_ pattern: LinePattern) -> DocumentPredicate {
    DocumentPredicate(.text(pattern), readsText: true)
  }

  /// Both.
  public static func && (left: DocumentPredicate, right: DocumentPredicate) -> DocumentPredicate {
    // What reads contents comes last.
    let isSwapped = left.readsText && !right.readsText
    return DocumentPredicate(
      isSwapped ? .and(right.node, left.node) : .and(left.node, right.node),
      readsText: left.readsText || right.readsText,
      readsEditState: left.readsEditState || right.readsEditState)
  }

  /// At least one of both.
  public static func || (left: DocumentPredicate, right: DocumentPredicate) -> DocumentPredicate {
    let isSwapped = left.readsText && !right.readsText
    return DocumentPredicate(
      isSwapped ? .or(right.node, left.node) : .or(left.node, right.node),
      readsText: left.readsText || right.readsText,
      readsEditState: left.readsEditState || right.readsEditState)
  }

  /// The contrary.
  public static prefix func ! (predicate: DocumentPredicate) -> DocumentPredicate {
    DocumentPredicate(
      .not(predicate.node), readsText: predicate.readsText,
      readsEditState: predicate.readsEditState)
  }

  /// Returns whether it holds of a document.
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

/// A value that equals another one.
public func == <Value: Equatable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 == value }
}

/// A value that differs from another one.
public func != <Value: Equatable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 != value }
}

/// A value below another one.
public func < <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 < value }
}

/// A value that is at most another one.
public func <= <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 <= value }
}

/// A value above another one.
public func > <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 > value }
}

/// A value that is at least another one.
public func >= <Value: Comparable & Sendable>(
  key: any KeyPath<DocumentMetadata, Value> & Sendable, value: Value
) -> DocumentPredicate {
  DocumentPredicate(key) { $0 >= value }
}
