/// Reads property lists in text form, including files of localized strings.
///
/// The grammar is that of Apple's own reader: quoted strings with escapes, unquoted words of letters, digits
/// and `_$/:.-`, and both kinds of comments.
struct OpenStepParser: CommentReader {
  static let fault = "This is not a property list as text"

  let bytes: [UInt8]
  private var builder: StructureTreeBuilder
  var position = 0
  /// The closing byte of each open container; `nil` for the file itself.
  private var ends: [UInt8?] = []
  /// The start of the next member's lead.
  private var start = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    let first = position
    try skipSpace()
    if peek == UInt8(ascii: "{") || peek == UInt8(ascii: "(") {
      try value(key: nil)
    } else {
      // A strings file is a dictionary without braces.
      position = first
      builder.beginMember(at: first)
      builder.beginValue(at: first)
      try builder.open(.mapping)
      ends.append(nil)
    }
    while let end = ends.last {
      start = position
      while end == UInt8(ascii: "}"), let section = sectionMark(after: start) {
        takeSectionMark(section)
      }
      try skipSpace()
      if peek == end {
        let closing = position
        if end != nil { position += 1 }
        ends.removeLast()
        builder.close(tail: start, closing: closing, end: position)
        try endMember()
      } else if end == UInt8(ascii: ")") {
        try value(key: nil)
      } else {
        try pair()
      }
    }
    guard position == bytes.count else { throw invalid("nothing more") }
    return builder.finish()
  }

  // MARK: Values

  private mutating func pair() throws(MergeError) {
    let key = position
    try skipLiteral(orExpect: "a key")
    guard let name = Self.text(ofLiteral: bytes[key..<position]) else { throw invalid("a key") }
    let end = position
    try skipSpace()
    guard peek == UInt8(ascii: "=") else {
      // In a strings file, a key without a value stands for itself.
      position = end
      guard ends.last == .some(nil) else { throw invalid("“=”") }
      builder.beginMember(at: start)
      builder.beginValue(at: key, key: key, name: name[...])
      builder.leaf(upTo: end, value: name)
      return try endMember()
    }
    position += 1
    try skipSpace()
    try value(key: key, name: name)
  }

  private mutating func value(key: Int?, name: [UInt8] = []) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: key, name: name[...])
    switch peek {
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      let isDictionary = peek == UInt8(ascii: "{")
      try builder.open(isDictionary ? .mapping : .list)
      ends.append(UInt8(ascii: isDictionary ? "}" : ")"))
      position += 1
    case UInt8(ascii: "<"):
      let first = position
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
        throw invalid("the end of the data")
      }
      position = end + 1
      builder.leaf(upTo: position, value: bytes[first..<position].filter { !$0.isSpace })
      try endMember()
    default:
      let first = position
      try skipLiteral(orExpect: "a value")
      guard let text = Self.text(ofLiteral: bytes[first..<position]) else {
        throw invalid("a string")
      }
      builder.leaf(upTo: position, value: text)
      try endMember()
    }
  }

  /// Reads the end of a member: the separator, and a comment that ends the line.
  private mutating func endMember() throws(MergeError) {
    let valueEnd = position
    guard let end = ends.last else {
      try skipSpace()
      return builder.endMember(separator: valueEnd..<valueEnd, end: position)
    }
    try skipSpace()
    let separator = UInt8(ascii: end == UInt8(ascii: ")") ? "," : ";")
    guard peek == separator else {
      // Only the last member of an array may lack a separator.
      guard end == UInt8(ascii: ")"), peek == end else { throw invalid("a separator") }
      position = valueEnd
      try skipTrail()
      return builder.endMember(separator: valueEnd..<valueEnd, end: position)
    }
    let place = position
    position += 1
    try skipTrail()
    builder.endMember(separator: place..<place + 1, end: position)
  }

  // MARK: Sections

  /// Returns the comment that begins or ends a section of a project, if only space is before it.
  private func sectionMark(after start: Int) -> Range<Int>? {
    guard let first = bytes[start...].firstIndex(where: { !$0.isSpace }) else { return nil }
    let rest = bytes[first...]
    guard rest.starts(with: "/* Begin ".utf8) || rest.starts(with: "/* End ".utf8),
      let end = rest.range(of: Array("*/".utf8))?.upperBound,
      bytes[first..<end].reversed().starts(with: " section */".utf8.reversed())
    else { return nil }
    return first..<end
  }

  /// Reads the comment as a named member, so that it occurs only once.
  private mutating func takeSectionMark(_ mark: Range<Int>) {
    builder.beginMember(at: start)
    builder.beginValue(at: mark.upperBound, key: mark.lowerBound, name: bytes[mark])
    builder.leaf(upTo: mark.upperBound, value: [])
    builder.endMember(at: mark.upperBound)
    (start, position) = (mark.upperBound, mark.upperBound)
  }

  // MARK: Literals

  private mutating func skipLiteral(orExpect expected: String) throws(MergeError) {
    if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
      guard let end = Self.end(ofQuotedAt: position, in: bytes[...]) else {
        throw invalid("the end of the string")
      }
      position = end
      return
    }
    let first = position
    while let byte = peek, Self.isPlain(byte) {
      // A comment may directly follow a word.
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { break }
      position += 1
    }
    guard position > first else { throw invalid(expected) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "_$/:.-".utf8.contains(byte)
  }

  /// Returns the end of a quoted string, after its quote.
  static func end(ofQuotedAt start: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    let quote = bytes[start]
    var index = start + 1
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
      } else if bytes[index] == quote {
        return index + 1
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Returns the text of the literal at the start of some bytes; escapes other than those of quotes keep
  /// their spelling.
  static func text(ofLiteral literal: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = literal.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    else {
      return Array(literal.prefix { isPlain($0) })
    }
    guard let end = end(ofQuotedAt: literal.startIndex, in: literal) else { return nil }
    var text: [UInt8] = []
    var rest = literal[(literal.startIndex + 1)..<(end - 1)]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        text.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): text.append(next)
      case UInt8(ascii: "n"): text.append(.lineFeed)
      default: text += [byte, next]
      }
      rest.removeFirst()
    }
    return text
  }

  /// Returns whether there are escapes that keep their spelling, which couldn't be written again.
  static func hasOtherEscapes(_ literal: ArraySlice<UInt8>) -> Bool {
    var rest = literal
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else { continue }
      if !"\"'\\n".utf8.contains(next) { return true }
    }
    return false
  }

  // MARK: Space

  mutating func skipSpace(inLine: Bool) throws(MergeError) {
    while let byte = peek {
      if byte.isSpace {
        if inLine, byte == .lineFeed { return }
        position += 1
        continue
      }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      guard byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") || next == UInt8(ascii: "*") else {
        return
      }
      if next == UInt8(ascii: "/") {
        position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      } else {
        guard let end = bytes[(position + 2)...].range(of: Array("*/".utf8)) else {
          throw invalid("a comment that ends")
        }
        position = end.upperBound
      }
    }
  }
}
