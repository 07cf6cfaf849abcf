/// Reads bare, quoted and dotted keys.
struct TOMLKeyReader {
  let bytes: ArraySlice<UInt8>
  var position: Int

  /// Starts at the first byte.
  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  /// Reads the parts of a key, and the space after it; returns `nil` if there is none.
  mutating func path() -> [[UInt8]]? {
    var path: [[UInt8]] = []
    while true {
      skipBlanks()
      guard let part = part() else { return nil }
      path.append(part)
      skipBlanks()
      guard peek == UInt8(ascii: ".") else { return path }
      position += 1
    }
  }

  private mutating func skipBlanks() {
    while peek == 0x20 || peek == 0x09 { position += 1 }
  }

  private mutating func part() -> [UInt8]? {
    if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
      guard let string = TOMLString(at: position, in: bytes), !string.isMultiline else {
        return nil
      }
      position = string.end
      return string.text
    }
    let start = position
    while let byte = peek, byte.isInName { position += 1 }
    return position > start ? Array(bytes[start..<position]) : nil
  }

  /// Returns one spelling for all spellings of a key.
  static func name(_ path: [[UInt8]]) -> [UInt8] {
    let parts = path.map { part in
      !part.isEmpty && part.allSatisfy(\.isInName) ? part : JSONString.literal(for: part)
    }
    return Array(parts.joined(separator: [UInt8(ascii: ".")]))
  }

  /// Returns one spelling for a table's header, which differs from that of a key.
  static func header(_ path: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + name(path) + [UInt8(ascii: "]")]
  }
}
