/// Reads documents of one format into trees, and knows the spelling of its keys and leaves.
///
/// To add a format, start here:
/// ``parse(_:)`` reads text into a ``StructureTree`` through a ``StructureTreeBuilder``, which receives the
/// positions of each member's parts. Every byte must belong to a part. Invalid documents are refused.
///
/// The text is UTF-8 with line feeds, including one at the end; the engine handles encodings and line
/// endings.
protocol DocumentSyntax: Sendable {
  /// The engine's name, as people and settings write it.
  var name: String { get }

  /// Reads a document.
  /// - Throws: ``MergeError`` with `.invalidDocument` or `.tooDeep`.
  func parse(_ text: [UInt8]) throws -> StructureTree

  /// Reads a key from its bytes (``StructureTree/Node/key``), so that all spellings of one key have one name.
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8]

  /// Returns the text of a leaf; `nil` if it isn't a text, such as a number.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]?

  /// Returns a leaf with a text; `nil` if the format can't write it in the form of `model`.
  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]?
}

extension DocumentSyntax {
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] { Array(key) }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? { nil }
}
