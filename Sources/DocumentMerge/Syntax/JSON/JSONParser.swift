/// Reads JSON (RFC 8259), and also the comments and trailing commas of editor settings.
///
/// Anything else that isn't JSON is refused. Duplicate keys are allowed, because the merge checks them.
struct JSONParser: CommentReader {
  static let fault = "This is not JSON"

  let bytes: [UInt8]
  private var builder: StructureTreeBuilder
  var position = 0
  /// The closing byte of each open container.
  private var ends: [UInt8] = []
  /// The start of the next member's lead.
  private var start = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes, nodeCount: Self.count(bytes))
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try skipSpace()
    try value()
    while let end = ends.last {
      start = position
      try skipSpace()
      if peek == end {
        position += 1
        ends.removeLast()
        builder.close(tail: start, closing: position - 1, end: position)
        try endMember()
      } else if end == UInt8(ascii: "}") {
        try property()
      } else {
        try value()
      }
    }
    guard position == bytes.count else { throw invalid("nothing more") }
    return builder.finish()
  }

  /// Returns at least the number of values in the document.
  private static func count(_ bytes: [UInt8]) -> Int {
    var count = 1
    for byte in bytes where byte == 0x2C || byte == 0x5B || byte == 0x7B { count += 1 }
    return count
  }

  /// Reads a key and its value.
  private mutating func property() throws(MergeError) {
    guard peek == JSONString.quote else { throw invalid("a key or the end of the object") }
    let key = position
    let hasEscapes = try skipString()
    let literal = bytes[key..<position]
    let text = hasEscapes ? JSONString.text(of: literal) : nil
    try skipSpace()
    guard peek == UInt8(ascii: ":") else { throw invalid("a colon") }
    position += 1
    try skipSpace()
    try value(key: key, name: text?[...] ?? (hasEscapes ? literal : literal.dropFirst().dropLast()))
  }

  /// Reads a value, or the start of a container.
  private mutating func value(key: Int? = nil, name: ArraySlice<UInt8> = []) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: key, name: name)
    switch peek {
    case UInt8(ascii: "{"):
      try builder.open(.mapping)
      ends.append(UInt8(ascii: "}"))
      position += 1
      return
    case UInt8(ascii: "["):
      try builder.open(.list)
      ends.append(UInt8(ascii: "]"))
      position += 1
      return
    case JSONString.quote:
      let first = position
      let hasEscapes = try skipString()
      // The quotes stay, so that no string equals a number.
      let text = hasEscapes ? JSONString.text(of: bytes[first..<position]) : nil
      builder.leaf(upTo: position, value: text.map { [JSONString.quote] + $0 + [JSONString.quote] })
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default:
      try skipNumber()
      builder.leaf(upTo: position)
    }
    try endMember()
  }

  /// Reads the end of a member: a comma if more members may follow, and a comment that ends the line.
  private mutating func endMember() throws(MergeError) {
    let valueEnd = position
    guard let end = ends.last else {
      try skipSpace()
      return builder.endMember(separator: valueEnd..<valueEnd, end: position)
    }
    try skipSpace()
    var separator = valueEnd..<valueEnd
    if peek == UInt8(ascii: ",") {
      separator = position..<position + 1
      position += 1
    } else if peek == end {
      position = valueEnd
    } else {
      throw invalid("a comma or the end of the container")
    }
    try skipTrail()
    builder.endMember(separator: separator, end: position)
  }

  mutating func skipSpace(inLine: Bool) throws(MergeError) {
    while let byte = peek {
      if byte.isSpace {
        if inLine, byte == .lineFeed || byte == .carriageReturn { return }
        position += 1
      } else if byte == UInt8(ascii: "/") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(MergeError) {
    let second = position + 1 < bytes.count ? bytes[position + 1] : 0
    let rest = bytes[min(position + 2, bytes.count)...]
    if second == UInt8(ascii: "/") {
      let end = rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn }
      position = end ?? bytes.count
    } else if second == UInt8(ascii: "*") {
      var end = rest.startIndex
      while end + 1 < bytes.count {
        if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") {
          position = end + 2
          return
        }
        end += 1
      }
      throw invalid("a comment that ends")
    } else {
      throw invalid("a value or a comment")
    }
  }

  /// Reads a string; returns whether it has escapes.
  private mutating func skipString() throws(MergeError) -> Bool {
    var hasEscapes = false
    position += 1
    while true {
      var end = position
      while end < bytes.count, bytes[end] != JSONString.quote, bytes[end] != JSONString.backslash,
        bytes[end] >= 0x20
      { end += 1 }
      position = end
      switch peek {
      case JSONString.quote:
        position += 1
        return hasEscapes
      case JSONString.backslash:
        hasEscapes = true
        try skipEscape()
      case nil: throw invalid("the end of the string")
      default: throw invalid("no control character")
      }
    }
  }

  private mutating func skipEscape() throws(MergeError) {
    position += 1
    guard let letter = peek, "\"\\/bfnrtu".utf8.contains(letter) else { throw invalid("an escape") }
    position += 1
    guard letter == UInt8(ascii: "u") else { return }
    for _ in 0..<4 {
      guard let digit = peek, Character(Unicode.Scalar(digit)).isHexDigit, digit < 0x80 else {
        throw invalid("four hexadecimal digits")
      }
      position += 1
    }
  }

  private mutating func word(_ word: StaticString) throws(MergeError) {
    for byte in "\(word)".utf8 {
      guard peek == byte else { throw invalid("“\(word)”") }
      position += 1
    }
    builder.leaf(upTo: position)
  }

  private mutating func skipNumber() throws(MergeError) {
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try skipDigits(orExpect: "a value") }
    if peek == UInt8(ascii: ".") {
      position += 1
      try skipDigits(orExpect: "a digit")
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      try skipDigits(orExpect: "a digit")
    }
  }

  private mutating func skipDigits(orExpect expected: String) throws(MergeError) {
    let first = position
    while let digit = peek, digit.isDigit {
      position += 1
    }
    if position == first { throw invalid(expected) }
  }
}
