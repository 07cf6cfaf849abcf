/// Makes bytes from outside, such as names and messages, safe to display.
///
/// Characters that could control a terminal or deceive a reader are escaped.
package enum Printable {
  /// Returns text for one line.
  ///
  /// Control characters, bidirectional overrides, invisible characters and invalid UTF-8 become `\n`,
  /// `\u{202E}` or `\xFF`; a backslash stays unchanged.
  ///
  /// - Parameter bytes: the raw bytes, which need not be valid UTF-8.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var shown = ""
    var decoder = UTF8Segments(Array(bytes))
    while let segment = decoder.next() {
      switch segment {
      case .plain(let bytes): shown += String(decoding: bytes, as: UTF8.self)
      case .scalar(let scalar): shown += escaped(scalar)
      case .invalid(let byte): shown += "\\x" + hexadecimal(UInt32(byte), digits: 2)
      }
    }
    return shown
  }

  /// Returns text for one line from a string.
  package static func text(_ string: String) -> String {
    text(string.utf8)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0x00...0x1F, 0x7F: "\\x" + hexadecimal(scalar.value, digits: 2)
    // C1 controls, directional marks and overrides, invisible characters, line separators, and the byte-order
    // mark.
    case 0x80...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x200B...0x200F,
      0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB,
      0xE0000...0xE0FFF:
      "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    default: String(scalar)
    }
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// Splits bytes into runs of printable ASCII, other valid scalars, and single invalid bytes.
private struct UTF8Segments {
  enum Segment {
    case plain(ArraySlice<UInt8>)
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  mutating func next() -> Segment? {
    guard let first = bytes.first else { return nil }
    let plain = bytes.prefix { (0x20...0x7E).contains($0) }
    if !plain.isEmpty {
      bytes = bytes.dropFirst(plain.count)
      return .plain(plain)
    }
    let length =
      switch first {
      case 0x00...0x7F: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    if length > 0, let text = String(validating: bytes.prefix(length), as: UTF8.self),
      text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first
    {
      bytes = bytes.dropFirst(length)
      return .scalar(scalar)
    }
    bytes = bytes.dropFirst()
    return .invalid(first)
  }
}
