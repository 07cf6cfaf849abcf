/// A document whose format is looked for in its contents.
struct DocumentSample {
  let bytes: [UInt8]
  /// The text; empty for what is no text.
  let text: [UInt8]
  /// The first byte of the text that is no space.
  let first: UInt8?
  /// The start of the text in small letters.
  let head: String

  init(_ document: [UInt8]) {
    bytes = document
    text = DecodedText(document)?.text ?? []
    let content = text.drop(while: \.isSpace)
    first = content.first
    head = String(decoding: content.prefix(400), as: UTF8.self).lowercased()
  }

  /// The tree of the document in a syntax; `nil` if it is of another one.
  func tree(_ format: some StructuredFormat) -> StructureTree? {
    do { return try format.parse(text) } catch { return nil }
  }
}

extension Catalogue {
  /// The type that some documents say they are; `nil` for nothing certain, or where they are not of one type.
  ///
  /// Only what cannot well be anything else counts: signatures, and what can be read as a whole.
  static func kind(ofContents documents: [[UInt8]]) -> MergeEngines.Kind? {
    var found: MergeEngines.Kind?
    for document in documents where !document.allSatisfy(\.isSpace) {
      guard let kind = kind(ofContents: document), found == nil || found == kind else { return nil }
      found = kind
    }
    return found
  }

  private static func kind(ofContents document: [UInt8]) -> MergeEngines.Kind? {
    let sample = DocumentSample(document)
    return signed.first { $0.signature?(sample) ?? false }?.kind
  }

  private static let signed = all.filter { $0.signature != nil }
}
