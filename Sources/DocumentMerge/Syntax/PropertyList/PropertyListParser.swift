/// Reads property lists in XML, as defined by Apple's DTD: `plist`, `dict`, `array` and the leaves.
///
/// Only XML's own entities are known, and no DTD is read. Comments are kept.
struct PropertyListParser: CommentReader {
  static let fault = "This is not a property list in XML"

  let bytes: [UInt8]
  private var builder: StructureTreeBuilder
  var position = 0
  /// The element of each open container.
  private var open: [String] = []
  /// True if there are elements for values that only binary property lists have.
  private let isExtended: Bool
  /// The start of the next member's lead.
  private var start = 0

  init(_ bytes: [UInt8], isExtended: Bool = false) {
    self.bytes = bytes
    self.isExtended = isExtended
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try skipProlog()
    try value(key: nil)
    while let element = open.last {
      start = position
      try skipSpace()
      if take("</\(element)>") {
        builder.close(
          tail: start, closing: position - element.utf8.count - 3, end: position)
        open.removeLast()
        try endMember()
      } else if element == "dict" {
        try pair()
      } else {
        try value(key: nil)
      }
    }
    guard position == bytes.count else { throw invalid("nothing more") }
    return builder.finish()
  }

  // MARK: Around the values

  /// Reads the XML declaration, the document type and the start of `plist`.
  private mutating func skipProlog() throws(MergeError) {
    try skipSpace()
    if take("<?xml") { try skip(past: "?>") }
    try skipSpace()
    if take("<!DOCTYPE") {
      let type = position
      try skip(past: ">")
      guard !bytes[type..<position].contains(UInt8(ascii: "[")) else {
        throw invalid("a document type without declarations of its own")
      }
    }
    try skipSpace()
    guard take("<plist") else { throw invalid("<plist>") }
    try skip(past: ">")
    guard bytes[position - 2] != UInt8(ascii: "/") else { throw invalid("a value") }
    try skipSpace()
  }

  /// Reads the end of a member: at the top level, the end of the list; otherwise, a comment that ends the
  /// line.
  private mutating func endMember() throws(MergeError) {
    let end = position
    guard !open.isEmpty else {
      try skipSpace()
      guard take("</plist>") else { throw invalid("</plist>") }
      try skipSpace()
      return builder.endMember(separator: end..<end, end: position)
    }
    try skipTrail()
    builder.endMember(separator: end..<end, end: position)
  }

  // MARK: Values

  private mutating func pair() throws(MergeError) {
    let key = position
    guard take("<key>") else { throw invalid("<key> or </dict>") }
    try skip(past: "</key>")
    guard let name = Self.text(ofElement: bytes[key..<position]) else { throw invalid("a key") }
    try skipSpace()
    try value(key: key, name: name)
  }

  private mutating func value(key: Int?, name: [UInt8] = []) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: key, name: name[...])
    for element in isExtended ? ["dict", "array", "set"] : ["dict", "array"] {
      let isDictionary = element == "dict"
      if take("<\(element)>") {
        open.append(element)
        return try builder.open(isDictionary ? .mapping : .list)
      }
      if take("<\(element)/>") {
        // The whole element is the end, so that the start comes from a side with members.
        let first = position - element.utf8.count - 3
        try builder.open(isDictionary ? .mapping : .list)
        builder.close(tail: first, closing: position, end: position)
        return try endMember()
      }
    }
    try leaf()
    try endMember()
  }

  private mutating func leaf() throws(MergeError) {
    let first = position
    for element in ["true", "false"] + (isExtended ? ["null"] : [])
    where take("<\(element)/>") || take("<\(element)></\(element)>") {
      return builder.leaf(upTo: position, value: Array(element.utf8))
    }
    let elements = ["string", "integer", "real", "date", "data"]
    for element in elements + (isExtended ? ["float", "uid"] : []) {
      if take("<\(element)/>") {
        return builder.leaf(upTo: position, value: Array("\(element):".utf8))
      }
      guard take("<\(element)>") else { continue }
      try skip(past: "</\(element)>")
      guard var text = Self.text(ofElement: bytes[first..<position]) else {
        throw invalid("text in <\(element)>")
      }
      if element != "string" { text.removeAll { $0.isSpace } }
      return builder.leaf(upTo: position, value: Array("\(element):".utf8) + text)
    }
    throw invalid("a value")
  }

  // MARK: Text

  /// Returns the text of an element without inner elements; `nil` if it isn't well-formed.
  static func text(ofElement element: ArraySlice<UInt8>) -> [UInt8]? {
    guard let start = element.firstIndex(of: UInt8(ascii: ">")),
      let end = element.lastIndex(of: UInt8(ascii: "<")), start < end
    else { return nil }
    var rest = element[(start + 1)..<end]
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "&"):
        guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")),
          let said = XMLText.meaning(ofEntity: rest[..<semicolon])
        else { return nil }
        text += said
        rest = rest[(semicolon + 1)...]
      case UInt8(ascii: "<"):
        let opening = Array("![CDATA[".utf8)
        guard rest.starts(with: opening), let close = rest.range(of: Array("]]>".utf8)) else {
          return nil
        }
        text += rest[(rest.startIndex + opening.count)..<close.lowerBound]
        rest = rest[close.upperBound...]
      default: text.append(byte)
      }
    }
    return text
  }

  // MARK: Bytes

  mutating func skipSpace(inLine: Bool) throws(MergeError) {
    while position < bytes.count {
      if bytes[position].isSpace {
        if inLine, bytes[position] == .lineFeed { return }
        position += 1
      } else if take("<!--") {
        try skip(past: "-->")
      } else {
        return
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the first occurrence of bytes.
  func range(of other: [UInt8]) -> Range<Int>? {
    guard let first = other.first else { return nil }
    var rest = self
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: other) { return start..<start + other.count }
      rest = rest.dropFirst()
    }
    return nil
  }
}
