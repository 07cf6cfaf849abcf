/// Reads documents of one format into trees, and knows how its keys and leaves are spelled.
///
/// To add a format, start here: ``parse(_:)`` reads text into a ``StructureTree`` through a ``StructureTreeBuilder``,
/// which learns where the parts of each member are. Every byte must belong to a part. What is not valid is refused.
///
/// The text is UTF-8 with line feeds, the last line ended; the engine keeps encodings and line endings.
protocol DocumentSyntax: Sendable {
  /// The engine's name, as people and settings write it.
  var name: String { get }

  /// Reads a document.
  /// - Throws: ``MergeError`` with `.invalidDocument` or `.tooDeep`.
  func parse(_ text: [UInt8]) throws -> StructureTree

  /// Reads a key from its bytes (``StructureTree/Node/key``), so that all spellings of one key have one name.
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8]

  /// The text that a leaf holds; `nil` if it is a number or the like.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]?

  /// A leaf that holds a text; `nil` if the format cannot write it as `model` is written.
  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]?
}

extension DocumentSyntax {
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] { Array(key) }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? { nil }
}
