/// Reads well-formed XML into a tree.
///
/// An element is a record of its tag, its attributes and its content. The content is a list of elements, or a
/// single value if there is text. Comments and instructions belong to the member below them. The outermost
/// list contains the document's element.
struct XMLParser {
  /// The attributes that distinguish an element from its siblings, the most reliable first.
  private static let keys = [
    "id", "xml:id", "android:id", "name", "android:name", "key", "android:key", "identifier",
    "sceneID", "resname", "Include", "xmlUrl",
  ]

  private let bytes: [UInt8]
  private var scanner: XMLScanner
  private var builder: StructureTreeBuilder
  private var elements: [XMLElement] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    scanner = XMLScanner(bytes)
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try scanner.scan()
    elements = scanner.elements
    try builder.openDocument(.list)
    let end = try addElement(0, from: 0)
    for identifier in scanner.identifiers { builder.addUnique(Array("id=".utf8) + identifier) }
    for prefix in scanner.undeclared {
      // A prefix without a namespace is a fault from its first occurrence on.
      for _ in 0..<2 { builder.addUnique(Array("xmlns:".utf8) + prefix) }
    }
    return builder.finishDocument(tail: end)
  }

  /// Adds an element, and returns the end of its member.
  private mutating func addElement(_ index: Int, from lead: Int) throws(MergeError) -> Int {
    let element = elements[index]
    builder.beginMember(at: lead)
    builder.beginValue(at: element.start)
    // There is only one outermost element, whatever its attributes.
    let name = index == 0 ? Array(bytes[element.name]) : name(of: element)
    try builder.open(.record, name: name)

    builder.beginMember(at: element.start)
    builder.beginValue(at: element.name.lowerBound, key: element.start)
    builder.leaf(upTo: element.name.upperBound)
    builder.endMember(at: element.name.upperBound)
    try addAttributes(of: element)
    try addContent(of: element, index)

    builder.close(tail: element.end, closing: element.end, end: element.end)
    let end = index == 0 ? element.end : endOfTrail(from: element.end)
    builder.endMember(separator: element.end..<element.end, end: end)
    return end
  }

  private mutating func addAttributes(of element: XMLElement) throws(MergeError) {
    var position = element.name.upperBound
    builder.beginMember(at: position)
    builder.beginValue(at: position)
    try builder.open(.mapping, name: [])
    for attribute in element.attributes {
      builder.beginMember(at: position)
      builder.beginValue(
        at: attribute.value.lowerBound, key: attribute.name.lowerBound,
        name: bytes[attribute.name])
      position = attribute.value.upperBound
      builder.leaf(upTo: position, value: XMLText.meaning(of: text(of: attribute)))
      builder.endMember(at: position)
    }
    builder.close(tail: position, closing: element.tagEnd, end: element.tagEnd)
    builder.endMember(at: element.tagEnd)
  }

  private mutating func addContent(of element: XMLElement, _ index: Int) throws(MergeError) {
    builder.beginMember(at: element.tagEnd)
    builder.beginValue(at: element.tagEnd)
    if element.isLeaf {
      let content = bytes[(element.tagEnd + 1)..<element.contentEnd]
      let hasMarkup = content.contains(UInt8(ascii: "<"))
      // With markup, the bytes are the value; the mark distinguishes the two cases.
      let value = hasMarkup ? [0xFE] + content : XMLText.meaning(of: content)
      builder.leaf(upTo: element.end, value: value, name: [])
    } else {
      try builder.open(.list, name: [])
      let isEmpty = element.contentEnd == element.end
      var position = element.tagEnd + (isEmpty ? 0 : 1)
      var child = index + 1
      while child < element.next {
        position = try addElement(child, from: position)
        child = elements[child].next
      }
      builder.close(
        tail: position, closing: isEmpty ? position : element.contentEnd, end: element.end)
    }
    builder.endMember(at: element.end)
  }

  /// Returns the name of an element among its siblings: an attribute such as `id=a`, or else its tag.
  private func name(of element: XMLElement) -> [UInt8] {
    for key in Self.keys {
      for attribute in element.attributes where bytes[attribute.name].elementsEqual(key.utf8) {
        return Array("\(key)=".utf8) + text(of: attribute)
      }
    }
    return Array(bytes[element.name])
  }

  private func text(of attribute: XMLElement.Attribute) -> ArraySlice<UInt8> {
    bytes[attribute.value].dropFirst().dropLast()
  }

  /// Returns the end of comments that end the line.
  private func endOfTrail(from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != .lineFeed {
      if bytes[position].isSpace {
        position += 1
      } else if bytes[position...].starts(with: "<!--".utf8),
        let end = bytes[position...].range(of: Array("-->".utf8))
      {
        position = end.upperBound
      } else {
        return start
      }
    }
    return bytes[start..<position].allSatisfy(\.isSpace) ? start : position
  }
}
