/// The values of a structured document: the leaves of its tree, or the cells of its table.
package struct DocumentValues: Sendable {
  /// A value of a document.
  package struct Value: Sendable, Equatable {
    /// The place, as ``MergePlace/path`` names it, such as `/colors/0/name` or `row 7, column price`.
    package let path: String
    /// The value as it is written.
    package let text: [UInt8]
  }

  /// The values in the order of the document.
  package let values: [Value]
  private let reading: any ReadValues

  /// Reads the values of a document; `nil` if it has no structure whose values have places, isn't valid, or is too
  /// large.
  package init?(_ document: [UInt8], fileName: String, engines: MergeEngines = MergeEngines())
    throws
  {
    guard document.count <= StructureTreeBuilder.sizeLimit,
      let reader = engines.structureEngine(of: document, named: fileName) as? any ValueReader,
      let reading = try reader.values(of: document)
    else { return nil }
    self.reading = reading
    values = reading.values
  }

  /// For each value, the place of the same value in a former state of the document; `nil` if it wasn't there.
  package func places(in former: DocumentValues) -> [Int?] {
    reading.places(in: former.reading)
  }
}

/// A document that was read as values.
protocol ReadValues: Sendable {
  var values: [DocumentValues.Value] { get }

  /// For each value, the place of the same value in a former state of the document; `nil` if it wasn't there.
  func places(in former: any ReadValues) -> [Int?]
}

/// An engine that knows the values of its documents.
protocol ValueReader {
  /// Reads a document; `nil` if it isn't valid.
  func values(of document: [UInt8]) throws -> (any ReadValues)?
}
