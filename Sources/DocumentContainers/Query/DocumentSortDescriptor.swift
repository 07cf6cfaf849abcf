/// An order of documents by one of their attributes (`NSSortDescriptor`).
///
/// Foundation's type would make a program load the collation rules of all languages at every start.
public struct DocumentSortDescriptor: Sendable {
  /// Returns whether a document precedes another one; `nil` if the attribute is equal.
  let precedes: @Sendable (DocumentMetadata, DocumentMetadata) -> Bool?

  /// Creates a sort descriptor.
  ///
  /// - Parameters:
  ///   - key: the attribute to sort by.
  ///   - ascending: whether the smallest value comes first.
  public init<Value: Comparable & SendableMetatype>(
    _ key: any KeyPath<DocumentMetadata, Value> & Sendable, ascending: Bool = true
  ) {
    precedes = { left, right in
      let (one, other) = (left[keyPath: key], right[keyPath: key])
      return one == other ? nil : (one < other) == ascending
    }
  }
}
