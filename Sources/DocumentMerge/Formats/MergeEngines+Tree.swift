extension MergeEngines {
  /// Reads the values of a document.
  /// - Parameters:
  ///   - document: The document's bytes.
  ///   - fileName: The file's name or path, which determines the format, unless the contents do.
  /// - Returns: The tree; `nil` for a format without one, and for a document that isn't text.
  /// - Throws: ``MergeError`` for a document that isn't valid for its format, or is too large.
  public func tree(of document: [UInt8], named fileName: String) throws -> DocumentTree? {
    guard
      let reader = structureEngine(of: document, named: fileName) as? any DocumentTreeReader,
      let text = DecodedText(document)
    else { return nil }
    return try reader.tree(of: text.endedLines)
  }
}
