/// HTML by elements: attributes by name, classes as sets of words, elements by the values that distinguish
/// them from their siblings.
struct HTMLFormat: StructuredFormat {
  private let xml = XMLFormat()

  var name: String { "html" }

  var pairsInPlace: Bool { true }

  var hasIndependentMembers: Bool { false }

  func parse(_ text: [UInt8]) throws -> StructureTree { try HTMLParser(text).parse() }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    HTMLNames.lowercased(xml.name(ofKey: key))
  }

  func isPlace(_ name: [UInt8]) -> Bool { xml.isPlace(name) }

  /// Items, options and rows, which both sides may add at the same place.
  func isCombined(_ member: Int, in tree: StructureTree) -> Bool {
    let name = tree.name(of: member, self)
    return ["li", "option", "tr"].contains(String(decoding: name, as: UTF8.self))
  }

  /// Returns text including its elements; `nil` for scripts, style sheets and preformatted text.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    guard leaf.first == UInt8(ascii: ">") else { return Array(leaf) }
    let end = Self.endTag(of: leaf)
    let name = HTMLNames.lowercased(leaf[end...])
    guard !["</script", "</style", "</pre"].contains(where: { name.starts(with: $0.utf8) }) else {
      return nil
    }
    return Array(leaf[..<end].dropFirst())
  }

  /// Only text with properly nested elements is written.
  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    let isContent = model.first == UInt8(ascii: ">")
    let first = model.first.map { [UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0) } ?? true
    guard isContent || !first, text.contains(where: \.isSpace) else { return nil }
    do {
      var scanner = HTMLScanner(text)
      try scanner.scan()
    } catch { return nil }
    return isContent ? [UInt8(ascii: ">")] + text + model[Self.endTag(of: model)...] : text
  }

  /// Returns the start of a leaf's end tag; the end of the leaf if it has none.
  private static func endTag(of leaf: ArraySlice<UInt8>) -> Int {
    guard leaf.last == UInt8(ascii: ">"), leaf.count > 1,
      let start = leaf.lastIndex(of: UInt8(ascii: "<")),
      leaf[start...].dropFirst().first == UInt8(ascii: "/")
    else { return leaf.endIndex }
    return start
  }

  /// An attribute that occurs twice in a tag has lost one of its values.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    MarkupFaults(in: lines).reason(notIn: sides.all)
  }

  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    guard !shift.isNothing else { return Array(bytes) }
    let text = String(decoding: HTMLNames.lowercased(bytes), as: UTF8.self)
    guard !["<pre", "<textarea", "<script", "<style"].contains(where: { text.contains($0) }) else {
      return Array(bytes)
    }
    return xml.indented(bytes, shift)
  }
}
