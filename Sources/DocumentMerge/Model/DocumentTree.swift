/// The values of a structured document, such as JSON, YAML, TOML or a property list, as a tree.
public struct DocumentTree: Sendable, Equatable, Codable {
  /// The kind of a value.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A text, without its quotes and escapes.
    case text
    /// Another value without members, as it is written.
    case scalar
    /// Members with names, whose order carries no meaning.
    case mapping
    /// Members in an order that carries meaning.
    case list
  }

  /// The kind of the value.
  public let kind: Kind
  /// The key in the mapping, or the name of an element; `nil` for a value without.
  public let name: String?
  /// The value; `nil` for one with members.
  public let text: String?
  /// The bytes of the value, in the document as UTF-8 with line feeds.
  public let range: Range<Int>
  /// The members, in the order of the document.
  public let members: [DocumentTree]
}
