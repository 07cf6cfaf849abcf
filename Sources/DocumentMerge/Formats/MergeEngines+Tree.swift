extension MergeEngines {
  /// Reads the values of a document.
  /// - Parameters:
  ///   - document: The document's bytes.
  ///   - fileName: The file's name or path, which determines the format.
  /// - Returns: The tree; `nil` for a format without one, and for a document that isn't text.
  /// - Throws: ``MergeError`` for a document that isn't valid for its format, or is too large.
  public func tree(of document: [UInt8], named fileName: String) throws -> DocumentTree? {
    var engine = engine(forFileName: fileName)
    if let fields = engine as? FieldsMergeEngine { engine = fields.engine }
    if let format = engine as? FormatMergeEngine { engine = format.engine }
    guard let reader = engine as? any DocumentTreeReader, let text = DecodedText(document) else {
      return nil
    }
    var lines = LineEnding(of: text.text, outside: .none)?.normalised(text.text, outside: .none)
    if lines?.last != .lineFeed { lines?.append(.lineFeed) }
    return try reader.tree(of: lines ?? text.text)
  }
}
