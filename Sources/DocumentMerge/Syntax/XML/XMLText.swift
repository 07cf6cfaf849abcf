/// Text in XML, and its spelling.
enum XMLText {
  /// Returns the text of an entity that every reader knows: XML's five entities, and numbers.
  static func meaning(ofEntity name: ArraySlice<UInt8>) -> [UInt8]? {
    switch String(decoding: name, as: UTF8.self) {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    case let name where name.hasPrefix("#"):
      let digits = name.dropFirst()
      let number =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
    default: return nil
    }
  }

  /// Returns a text escaped as the content of an element.
  static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    var written: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): written += "&amp;".utf8
      case UInt8(ascii: "<"): written += "&lt;".utf8
      case UInt8(ascii: ">"): written += "&gt;".utf8
      default: written.append(byte)
      }
    }
    return written
  }

  /// Returns the text without markup, with unknown entities kept by their names.
  static func meaning(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&"), let semicolon = rest.firstIndex(of: UInt8(ascii: ";"))
      else {
        text.append(byte)
        continue
      }
      let name = rest[..<semicolon]
      // This byte doesn't occur in UTF-8, so an entity never equals text.
      text += meaning(ofEntity: name) ?? [0xFF] + name + [0xFF]
      rest = rest[(semicolon + 1)...]
    }
    return text
  }
}
