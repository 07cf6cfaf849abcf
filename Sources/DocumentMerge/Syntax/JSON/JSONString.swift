/// JSON's string literals.
enum JSONString {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  /// Returns the text of a literal, as UTF-8.
  /// - Returns: `nil` if it isn't a text because of half a surrogate pair.
  static func text(of literal: ArraySlice<UInt8>) -> [UInt8]? {
    let inner = literal.dropFirst().dropLast()
    guard inner.contains(backslash) else { return Array(inner) }
    var text: [UInt8] = []
    text.reserveCapacity(inner.count)
    var rest = inner
    while let byte = rest.popFirst() {
      guard byte == backslash, let escape = rest.popFirst() else {
        text.append(byte)
        continue
      }
      if escape == UInt8(ascii: "u") {
        guard let scalar = scalar(from: &rest) else { return nil }
        text += Array(String(scalar).utf8)
      } else {
        text.append(meanings[escape] ?? escape)
      }
    }
    return text
  }

  /// Returns the literal for a text, with only the required escapes.
  static func literal(for text: [UInt8]) -> [UInt8] {
    var literal = [quote]
    for byte in text {
      if byte == quote || byte == backslash {
        literal += [backslash, byte]
      } else if byte >= 0x20 {
        literal.append(byte)
      } else if let letter = meanings.first(where: { $0.value == byte })?.key {
        literal += [backslash, letter]
      } else {
        literal += Array("\\u00".utf8) + [hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      }
    }
    return literal + [quote]
  }

  /// The bytes after a backslash, with their meanings.
  private static let meanings: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    Array("0123456789abcdef".utf8)[Int(value)]
  }

  /// Returns the scalar of one `\u` escape, or of a pair.
  private static func scalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = unit(from: &rest) else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(UInt32(first)) }
    guard
      rest.popFirst() == backslash, rest.popFirst() == UInt8(ascii: "u"),
      let second = unit(from: &rest), UTF16.isTrailSurrogate(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
  }

  private static func unit(from rest: inout ArraySlice<UInt8>) -> UInt16? {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return digits.count == 4 ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
