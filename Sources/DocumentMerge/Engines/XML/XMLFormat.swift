/// XML by elements: attributes by name, elements by the values that distinguish them from their siblings.
struct XMLFormat: StructuredFormat {
  var name: String { "xml" }

  var hasPlainValues: Bool { true }

  /// Returns the text between tags, and the values of attributes; `nil` for tags, which are part of the path.
  func plainValue(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    switch leaf.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return XMLText.meaning(of: leaf.dropFirst().dropLast())
    case UInt8(ascii: ">"):
      // The content before the end tag.
      let content = leaf[..<(leaf.lastIndex(of: UInt8(ascii: "<")) ?? leaf.endIndex)].dropFirst()
      return content.contains(UInt8(ascii: "<")) ? Array(content) : XMLText.meaning(of: content)
    case UInt8(ascii: "/"): return []
    default: return nil
    }
  }

  /// Elements may belong to those around them, such as words to a sentence.
  var hasIndependentMembers: Bool { false }

  /// The records of maps, tracks, feeds and outlines, which are independent.
  private static let records: Set<String> = [
    "Placemark", "Folder", "GroundOverlay", "wpt", "trk", "rte", "outline", "item", "entry", "url",
    "sitemap",
  ]

  func isCombined(_ member: Int, in tree: StructureTree) -> Bool {
    guard tree[member].kind == .record, let tag = tree.members(of: member).first else {
      return false
    }
    let name = String(decoding: tree.bytes[tree[tag].value], as: UTF8.self)
    return Self.records.contains(name)
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings { RevisionRulings(trees, self, options.revisedFields).rulings }

  func parse(_ text: [UInt8]) throws -> StructureTree { try XMLParser(text).parse() }

  /// Returns `@` and the name for an attribute, and `<` for a tag.
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    if key.first == UInt8(ascii: "<") { return Array(key) }
    return [UInt8(ascii: "@")] + key.prefix { !$0.isSpace && $0 != UInt8(ascii: "=") }
  }

  /// Returns whether the name is a place of its own, unlike those of some parts of an element.
  func isPlace(_ name: [UInt8]) -> Bool { !name.isEmpty }

  /// Returns text between tags; numbers and the values of attributes aren't merged inside.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    guard leaf.first == UInt8(ascii: ">"), let end = leaf.range(of: Array("</".utf8)) else {
      return nil
    }
    // Scripts and style sheets aren't prose.
    let name = String(
      decoding: leaf[end.upperBound...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard !["style", "script"].contains(name.split(separator: ":").last?.lowercased()) else {
      return nil
    }
    let text = XMLText.meaning(of: leaf[(leaf.startIndex + 1)..<end.lowerBound])
    // A text that would be written differently is left unchanged.
    guard self.leaf(holding: text, like: leaf)?[...] == leaf else { return nil }
    let digits = text.count(where: \.isDigit)
    let letters = text.count { (UInt8(ascii: "A")...UInt8(ascii: "z")).contains($0) || $0 >= 0x80 }
    return letters > digits ? text : nil
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    guard let end = model.lastIndex(of: UInt8(ascii: "<")),
      text.allSatisfy({ $0 >= 0x20 || $0 == .lineFeed || $0 == 0x09 }), !text.contains(0xFF)
    else { return nil }
    return [UInt8(ascii: ">")] + XMLText.escaped(text) + model[end...]
  }

  /// An attribute that occurs twice in a tag has lost one of its values.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    MarkupFaults(in: lines).reason(notIn: sides.all)
  }

  /// Space in text, values and comments is content; if that isn't clear, all space is.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    guard !shift.isNothing else { return Array(bytes) }
    if bytes.allSatisfy(\.isSpace) { return shift.applied(to: bytes) }
    guard bytes.range(of: Array("<![CDATA[".utf8)) == nil,
      bytes.range(of: Array("xml:space".utf8)) == nil,
      bytes.range(of: Array("<pre".utf8)) == nil
    else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      let space = rest.prefix { $0.isSpace }
      let next = rest.dropFirst(space.count)
      guard next.isEmpty || next.first == UInt8(ascii: "<") else {
        // Text must end with an end tag, and not follow one.
        let text = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest.dropFirst(text.count)
        guard rest.starts(with: "</".utf8) else { return Array(bytes) }
        result += text
        continue
      }
      result += shift.applied(to: space)
      let markup = markup(next)
      result += markup.isComment ? Array(markup.bytes) : indentedTag(markup.bytes, shift)
      rest = next.dropFirst(markup.bytes.count)
    }
    return result
  }

  private func markup(
    _ bytes: ArraySlice<UInt8>
  ) -> (bytes: ArraySlice<UInt8>, isComment: Bool) {
    for (start, end) in [("<!--", "-->"), ("<?", "?>")] where bytes.starts(with: start.utf8) {
      let found = bytes.range(of: Array(end.utf8))
      return (bytes[..<(found?.upperBound ?? bytes.endIndex)], true)
    }
    var quote: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return (bytes[...index], false)
      }
    }
    return (bytes, false)
  }

  /// Returns a tag with changed indentation; its line breaks are layout, except in quotes.
  private func indentedTag(_ tag: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: tag, outside: "\"'") { quote in
      tag[(quote + 1)...].firstIndex(of: tag[quote]).map { $0 + 1 } ?? tag.endIndex
    }
  }
}
