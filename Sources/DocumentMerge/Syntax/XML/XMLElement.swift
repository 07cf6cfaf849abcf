/// An element, as the positions of its parts in the document.
struct XMLElement {
  /// An attribute.
  struct Attribute {
    let name: Range<Int>
    /// The value with its quotes.
    let value: Range<Int>
  }

  /// The start of the start tag.
  let start: Int
  let name: Range<Int>
  var attributes: [Attribute] = []
  /// The position of the start tag's `>` or `/>`.
  var tagEnd = 0
  /// The position of the end tag; the element's end if it has none.
  var contentEnd = 0
  var end = 0
  /// The element after this one and its contents.
  var next = 0
  /// True if the element has text other than layout.
  var hasText = false
  /// True if the element contains elements.
  var hasElements = false
  /// True if all space in the element is content.
  var keepsSpace = false

  /// True if the content is one value.
  var isLeaf: Bool { hasText || keepsSpace && contentEnd < end }
}
