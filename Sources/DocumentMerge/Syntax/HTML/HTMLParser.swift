/// Reads HTML into a tree.
///
/// As in XML, an element is a record of its tag, its attributes and its content. The content is a list of
/// elements and runs of text, or a single value if it is a line of text. The words of a class are a list.
struct HTMLParser {
  private let bytes: [UInt8]
  private var elements: [HTMLScanner.Element] = []
  private var builder: StructureTreeBuilder

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    var scanner = HTMLScanner(bytes)
    try scanner.scan()
    elements = scanner.elements
    try builder.openDocument(.list)
    let end = try addMembers(from: 0, to: elements.count, in: 0..<bytes.count)
    for element in elements {
      if let id = text("id", of: element) { builder.addUnique(Array("id=".utf8) + id) }
    }
    return builder.finishDocument(tail: end)
  }

  /// Adds elements and the text between them, and returns the end of the last one.
  private mutating func addMembers(
    from first: Int, to last: Int, in range: Range<Int>
  ) throws(MergeError) -> Int {
    var position = range.lowerBound
    var next = first
    while true {
      let start = startOfText(from: position, to: range.upperBound)
      if next < last, elements[next].place.start <= start {
        position = try addElement(next, from: position)
        next = elements[next].place.next
        continue
      }
      guard start < range.upperBound else { return position }
      // A run of text continues up to the next independent element.
      while next < last, isInline(next) { next = elements[next].place.next }
      let limit = next < last ? elements[next].place.start : range.upperBound
      let end = bytes[start..<limit].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? limit
      builder.beginMember(at: position)
      builder.beginValue(at: start)
      builder.leaf(upTo: end)
      builder.endMember(at: end)
      position = end
    }
  }

  private func isInline(_ element: Int) -> Bool {
    let element = elements[element]
    return (HTMLNames.inline.contains(element.name) || element.isForeign) && !element.hasBlocks
  }

  /// Returns the start of text other than space, comments and document types; the limit if there is none.
  private func startOfText(from start: Int, to limit: Int) -> Int {
    var position = start
    while position < limit {
      let rest = bytes[position..<limit]
      if rest[position].isSpace {
        position += 1
      } else if rest.starts(with: "<!--".utf8) {
        position = rest.range(of: Array("-->".utf8))?.upperBound ?? limit
      } else if rest.starts(with: "<!".utf8) || rest.starts(with: "<?".utf8) {
        position = (rest.firstIndex(of: UInt8(ascii: ">")) ?? limit - 1) + 1
      } else {
        return position
      }
    }
    return limit
  }

  /// Adds an element, and returns the end of its member.
  private mutating func addElement(_ index: Int, from lead: Int) throws(MergeError) -> Int {
    let element = elements[index]
    let place = element.place
    builder.beginMember(at: lead)
    builder.beginValue(at: place.start)
    try builder.open(.record, name: name(of: element))
    builder.beginMember(at: place.start)
    builder.beginValue(at: place.name.lowerBound, key: place.start)
    builder.leaf(upTo: place.name.upperBound, value: Array(element.name.utf8))
    builder.endMember(at: place.name.upperBound)
    try addAttributes(of: place)
    try addContent(of: element, index)
    builder.close(tail: place.end, closing: place.end, end: place.end)
    builder.endMember(at: place.end)
    return place.end
  }

  private mutating func addAttributes(of element: XMLElement) throws(MergeError) {
    var position = element.name.upperBound
    builder.beginMember(at: position)
    builder.beginValue(at: position)
    try builder.open(.mapping, name: [])
    for attribute in element.attributes {
      let name = HTMLNames.lowercased(bytes[attribute.name])
      builder.beginMember(at: position)
      builder.beginValue(
        at: attribute.value.lowerBound, key: attribute.name.lowerBound, name: name[...])
      position = attribute.value.upperBound
      let text = text(of: attribute)
      let words = text.split(whereSeparator: \.isSpace)
      if name.elementsEqual("class".utf8), text.count < attribute.value.count, !words.isEmpty,
        Set(words).count == words.count
      {
        try addWords(words, in: attribute.value)
      } else {
        builder.leaf(upTo: position, value: XMLText.meaning(of: text))
      }
      builder.endMember(at: position)
    }
    builder.close(tail: position, closing: element.tagEnd, end: element.tagEnd)
    builder.endMember(at: element.tagEnd)
  }

  /// Adds the words of a quoted value.
  private mutating func addWords(
    _ words: [ArraySlice<UInt8>], in value: Range<Int>
  ) throws(MergeError) {
    try builder.open(.list)
    var position = value.lowerBound + 1
    for word in words {
      builder.beginMember(at: position)
      builder.beginValue(at: word.startIndex)
      builder.leaf(upTo: word.endIndex)
      builder.endMember(at: word.endIndex)
      position = word.endIndex
    }
    builder.close(tail: position, closing: value.upperBound, end: value.upperBound)
  }

  private mutating func addContent(
    of element: HTMLScanner.Element, _ index: Int
  ) throws(MergeError) {
    let place = element.place
    builder.beginMember(at: place.tagEnd)
    builder.beginValue(at: place.tagEnd)
    let isVoid =
      place.contentEnd == place.end && !element.hasEndTag && place.next == index + 1
      && !place.hasText
    let content = isVoid ? place.tagEnd..<place.tagEnd : place.tagEnd + 1..<place.contentEnd
    if place.keepsSpace && element.hasEndTag || place.hasText && !element.hasBlocks {
      builder.leaf(upTo: place.end, value: [0xFE] + bytes[content], name: [])
    } else {
      try builder.open(.list, name: [])
      let end = try addMembers(from: index + 1, to: place.next, in: content)
      builder.close(
        tail: end, closing: isVoid ? end : place.contentEnd, end: place.end)
    }
    builder.endMember(at: place.end)
  }

  /// Returns the name of an element among its siblings: an attribute such as `id=a`, or else its tag.
  private func name(of element: HTMLScanner.Element) -> [UInt8] {
    var keys = ["id", "name"]
    switch element.name {
    case "meta": keys += ["property", "http-equiv"]
    case "link": keys.append("href")
    case "script": keys.append("src")
    default: break
    }
    for key in keys {
      if let text = text(key, of: element) { return Array("\(key)=".utf8) + text }
    }
    return Array(element.name.utf8)
  }

  private func text(_ name: String, of element: HTMLScanner.Element) -> ArraySlice<UInt8>? {
    element.place.attributes.first {
      bytes[$0.name].elementsEqual(name.utf8, by: { ($0 | 0x20) == $1 })
    }.map { text(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func text(of attribute: XMLElement.Attribute) -> ArraySlice<UInt8> {
    let value = bytes[attribute.value]
    let isQuoted = value.first == UInt8(ascii: "\"") || value.first == UInt8(ascii: "'")
    return isQuoted ? value.dropFirst().dropLast() : value
  }
}
