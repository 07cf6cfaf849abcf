/// An order of documents by one of their attributes (`NSSortDescriptor`).
///
/// Foundation's own type comes with the rules of all languages, which a program would load at every start.
public struct DocumentSortDescriptor: Sendable {
  /// Returns whether a document is before another one; nil where the attribute is the same.
  let precedes: @Sendable (DocumentMetadata, DocumentMetadata) -> Bool?

  /// Makes an order.
  ///
  /// - Parameters:
  ///   - key: the attribute.
  ///   - ascending: false for the largest first.
  public init<Value: Comparable & SendableMetatype>(
    _ key: any KeyPath<DocumentMetadata, Value> & Sendable, ascending: Bool = true
  ) {
    precedes = { left, right in
      let (one, other) = (left[keyPath: key], right[keyPath: key])
      return one == other ? nil : (one < other) == ascending
    }
  }
}
