/// Reads a BibTeX bibliography into a tree.
///
/// Entries are mappings of their fields, named by their keys; strings, preambles and comments are values.
/// Everything else in the document is a comment that belongs to the entry below it.
struct BibliographyParser: ByteReader {
  static let fault = "This is not a BibTeX bibliography"

  let bytes: [UInt8]
  private var builder: StructureTreeBuilder
  var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    while true {
      let start = position
      guard let entry = nextEntry() else {
        position = bytes.count
        return builder.finishDocument(tail: start)
      }
      position = entry + 1
      let word = take { Self.isWord($0) }
      skipWhitespace()
      guard peek == UInt8(ascii: "{") else { throw invalid("“{”") }
      position += 1
      switch String(decoding: word, as: UTF8.self).lowercased() {
      case "comment", "preamble": try text(at: entry, from: start)
      case "string": try string(at: entry, from: start)
      default: try work(word, at: entry, from: start)
      }
    }
  }

  /// Returns the next sign that begins an entry: an “@” at the start of a line.
  private func nextEntry() -> Int? {
    var index = position
    while let found = bytes[index...].firstIndex(of: UInt8(ascii: "@")) {
      let line = bytes[..<found].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
      if bytes[max(line, position)..<found].allSatisfy(\.isSpace) { return found }
      index = found + 1
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte > 0x20 && !"{}(),=\"#%@".utf8.contains(byte)
  }

  // MARK: Entries

  /// Reads a comment or a preamble, which is named by its contents.
  private mutating func text(at entry: Int, from start: Int) throws(MergeError) {
    position -= 1
    try skipBraces()
    let name = bytes[entry..<position].filter { !$0.isSpace }
    builder.beginMember(at: start)
    builder.beginValue(at: entry, name: name[...])
    builder.leaf(upTo: position, value: name, name: name)
    endEntry(closing: position)
  }

  private mutating func string(at entry: Int, from start: Int) throws(MergeError) {
    skipWhitespace()
    let word = take { Self.isWord($0) }
    skipWhitespace()
    guard peek == UInt8(ascii: "="), !word.isEmpty else { throw invalid("a name and “=”") }
    position += 1
    skipWhitespace()
    let name = Array("@string ".utf8) + word.smallLetters
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: entry, name: name[...])
    let first = position
    try skipValue()
    let end = position
    builder.leaf(upTo: end, value: Self.said(bytes[first..<end]), name: name)
    skipWhitespace()
    guard peek == UInt8(ascii: "}") else { throw invalid("“}”") }
    position += 1
    endEntry(closing: position)
  }

  private mutating func work(
    _ word: ArraySlice<UInt8>, at entry: Int, from start: Int
  ) throws(MergeError) {
    skipWhitespace()
    let key = take { $0 > 0x20 && !"{},=\"".utf8.contains($0) }
    guard !key.isEmpty else { throw invalid("a key") }
    let name = key.smallLetters
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: entry, name: name[...])
    // The type is in the key, but is part of the entry.
    try builder.open(.mapping, comments: entry..<word.endIndex, name: name)
    skipWhitespace()
    if peek == UInt8(ascii: ",") { position += 1 }
    while true {
      let lead = position
      skipWhitespace()
      if peek == UInt8(ascii: "}") {
        position += 1
        builder.close(tail: lead, closing: position - 1, end: position)
        return endEntry(closing: position)
      }
      try field(from: lead)
    }
  }

  private mutating func field(from lead: Int) throws(MergeError) {
    let key = position
    let word = take { Self.isWord($0) }
    skipWhitespace()
    guard peek == UInt8(ascii: "="), !word.isEmpty else { throw invalid("a field") }
    position += 1
    skipWhitespace()
    builder.beginMember(at: lead)
    builder.beginValue(at: position, key: key, name: word.smallLetters[...])
    let first = position
    try skipValue()
    let end = position
    builder.leaf(upTo: end, value: Self.said(bytes[first..<end]))
    skipWhitespace()
    guard peek == UInt8(ascii: ",") else {
      guard peek == UInt8(ascii: "}") else { throw invalid("“,” or “}”") }
      position = end
      return builder.endMember(at: end)
    }
    position += 1
    builder.endMember(separator: position - 1..<position, end: position)
  }

  /// Ends an entry with the rest of its line, if that is blank.
  private mutating func endEntry(closing: Int) {
    let feed = bytes[position...].firstIndex(of: .lineFeed)
    let rest = bytes[position..<(feed ?? bytes.count)]
    if rest.allSatisfy(\.isSpace) { position = feed.map { $0 + 1 } ?? bytes.count }
    builder.endMember(separator: closing..<closing, end: position)
  }

  // MARK: Values

  /// Skips texts in braces or quotes, words and numbers, joined by “#”.
  private mutating func skipValue() throws(MergeError) {
    while true {
      switch peek {
      case UInt8(ascii: "{"): try skipBraces()
      case UInt8(ascii: "\""): try skipQuotes()
      default: if take(while: Self.isWord).isEmpty { throw invalid("a value") }
      }
      let end = position
      skipWhitespace()
      guard peek == UInt8(ascii: "#") else {
        position = end
        return
      }
      position += 1
      skipWhitespace()
    }
  }

  private mutating func skipBraces() throws(MergeError) {
    let start = position
    var depth = 0
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth == 0, position <= bytes.count { return }
    }
    position = start
    throw invalid("braces that close")
  }

  private mutating func skipQuotes() throws(MergeError) {
    let start = position
    var depth = 0
    position += 1
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\"") where depth == 0: return
      default: break
      }
    }
    position = start
    throw invalid("a quote that closes")
  }

  /// Returns a value in which any space is a single one.
  private static func said(_ value: ArraySlice<UInt8>) -> [UInt8] {
    Array(value.split(whereSeparator: \.isSpace).joined(separator: [0x20]))
  }
}

extension ArraySlice<UInt8> {
  /// The bytes in lowercase.
  var smallLetters: [UInt8] { map(\.inSmallLetters) }
}
