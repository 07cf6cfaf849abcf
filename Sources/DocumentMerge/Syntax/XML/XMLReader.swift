/// Reads the tokens of XML.
struct XMLReader: ByteReader {
  static let fault = "This is not well-formed XML"

  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Around the elements

  /// Reads the declaration, the document type, comments and instructions before the first element.
  mutating func skipProlog() throws(MergeError) {
    if bytes.starts(with: "<?xml".utf8), bytes.count > 5, bytes[5].isSpace {
      try skip(past: "?>")
    }
    try skipMiscellany()
    guard take("<!DOCTYPE") else { return }
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      switch bytes[position] {
      case UInt8(ascii: "["), UInt8(ascii: "<"):
        throw invalid("a document type without declarations of its own")
      case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
        position += 1
        try skip(past: String(UnicodeScalar(quote)))
      default: position += 1
      }
    }
    try skip(past: ">")
    try skipMiscellany()
  }

  /// Reads space, comments and instructions.
  mutating func skipMiscellany() throws(MergeError) {
    while true {
      skipWhitespace()
      if take("<!--") {
        try skipComment()
      } else if take("<?") {
        try skipInstruction()
      } else {
        return
      }
    }
  }

  /// Reads the rest of a comment.
  mutating func skipComment() throws(MergeError) {
    try skip(past: "--")
    guard take(">") else { throw invalid("the end of the comment") }
  }

  /// Reads the rest of an instruction.
  mutating func skipInstruction() throws(MergeError) {
    let name = try name()
    guard String(decoding: bytes[name], as: UTF8.self).lowercased() != "xml" else {
      throw invalid("no declaration here")
    }
    try skip(past: "?>")
  }

  // MARK: Tags and text

  /// Reads a name.
  mutating func name() throws(MergeError) -> Range<Int> {
    let start = position
    while position < bytes.count, Self.isNamePart(bytes[position], isFirst: position == start) {
      position += 1
    }
    guard position > start else { throw invalid("a name") }
    return start..<position
  }

  private static func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      !isFirst
    default: false
    }
  }

  /// Reads an attribute.
  mutating func attribute() throws(MergeError) -> XMLElement.Attribute {
    let name = try name()
    skipWhitespace()
    guard take("=") else { throw invalid("“=”") }
    skipWhitespace()
    let start = position
    guard isAt("\"") || isAt("'") else { throw invalid("a value in quotes") }
    let quote = bytes[position]
    position += 1
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] != UInt8(ascii: "<") else { throw invalid("no “<” in a value") }
      try skipCharacter()
    }
    guard position < bytes.count else { throw invalid("the end of the value") }
    position += 1
    return XMLElement.Attribute(name: name, value: start..<position)
  }

  /// Reads text up to the next markup.
  mutating func skipText() throws(MergeError) {
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      guard !isAt("]]>") else { throw invalid("no “]]>” in text") }
      try skipCharacter()
    }
  }

  /// Reads a byte of text, or an entity.
  private mutating func skipCharacter() throws(MergeError) {
    let byte = bytes[position]
    guard byte >= 0x20 || byte.isSpace else { throw invalid("no control character") }
    guard byte == UInt8(ascii: "&") else {
      position += 1
      return
    }
    position += 1
    let start = position
    if take("#") {
      while position < bytes.count, Self.isNamePart(bytes[position], isFirst: false) {
        position += 1
      }
      guard XMLText.meaning(ofEntity: bytes[start..<position]) != nil else {
        throw invalid("the number of a character")
      }
    } else {
      _ = try name()
    }
    guard take(";") else { throw invalid("“;”") }
  }

  // MARK: Bytes
}
