/// An element, by where its parts lie in the document.
struct XMLElement {
  /// An attribute.
  struct Attribute {
    let name: Range<Int>
    /// The value with its quotes.
    let value: Range<Int>
  }

  /// Where its start tag starts.
  let start: Int
  let name: Range<Int>
  var attributes: [Attribute] = []
  /// Where the start tag's `>` or `/>` stands.
  var tagEnd = 0
  /// Where its end tag stands, or its end if it has none.
  var contentEnd = 0
  var end = 0
  /// The element after this one and all in it.
  var next = 0
  /// Whether it has text of its own that is more than layout.
  var hasText = false
  /// Whether it has elements in it.
  var hasElements = false
  /// Whether all space in it is content.
  var keepsSpace = false

  /// Whether what is in it is one value.
  var isLeaf: Bool { hasText || keepsSpace && contentEnd < end }
}
