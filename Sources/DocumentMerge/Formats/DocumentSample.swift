/// A document whose format is determined from its contents.
struct DocumentSample {
  let bytes: [UInt8]
  /// The text; empty if the document isn't text.
  let text: [UInt8]
  /// The first byte of the text that isn't space.
  let first: UInt8?
  /// The start of the text in lowercase.
  let head: String

  init(_ document: [UInt8]) {
    bytes = document
    text = DecodedText(document)?.text ?? []
    let content = text.drop(while: \.isSpace)
    first = content.first
    head = String(decoding: content.prefix(400), as: UTF8.self).lowercased()
  }

  /// Returns the tree of the document in a syntax; `nil` if it has a different syntax.
  func tree(_ format: some StructuredFormat) -> StructureTree? {
    do { return try format.parse(text) } catch { return nil }
  }
}

extension Catalogue {
  /// Returns the type that documents have by their contents; `nil` if it isn't certain, or they differ.
  ///
  /// Only unmistakable contents count: signatures, and documents that can be read completely.
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
