/// A scalar in single or double quotes.
struct YAMLQuoted {
  /// The text of the scalar.
  private(set) var text: [UInt8] = []
  /// The end of the scalar, after its quotes.
  private(set) var end: Int
  /// True if the scalar has a line break.
  private(set) var isMultiline = false

  /// Reads a scalar; `nil` if no valid one starts there.
  init?(at start: Int, in bytes: ArraySlice<UInt8>) {
    guard start < bytes.endIndex else { return nil }
    let quote = bytes[start]
    let isDouble = quote == UInt8(ascii: "\"")
    guard isDouble || quote == UInt8(ascii: "'") else { return nil }
    end = start + 1
    // The length of the text without the space before a line break.
    var kept = 0
    while end < bytes.endIndex {
      let byte = bytes[end]
      if byte == quote {
        end += 1
        let isEscaped = !isDouble && end < bytes.endIndex && bytes[end] == quote
        guard isEscaped else { return }
        text.append(quote)
        end += 1
        kept = text.count
      } else if isDouble, byte == UInt8(ascii: "\\") {
        end += 1
        guard readEscape(in: bytes) else { return nil }
        kept = text.count
      } else if byte == .lineFeed {
        text.removeSubrange(kept...)
        guard fold(in: bytes, joined: false) else { return nil }
        kept = text.count
      } else {
        text.append(byte)
        end += 1
        if byte != 0x20, byte != 0x09 { kept = text.count }
      }
    }
    return nil
  }

  /// Reads line breaks, and the space at the starts of lines.
  private mutating func fold(in bytes: ArraySlice<UInt8>, joined: Bool) -> Bool {
    isMultiline = true
    var breaks = 0
    while end < bytes.endIndex, bytes[end] == .lineFeed {
      breaks += 1
      end += 1
      let line = bytes[end...]
      let isMarker = line.starts(with: "---".utf8) || line.starts(with: "...".utf8)
      if isMarker, line.dropFirst(3).first?.isSpace ?? true { return false }
      while end < bytes.endIndex, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    }
    if breaks > 1 {
      text += [UInt8](repeating: .lineFeed, count: breaks - 1)
    } else if !joined {
      text.append(0x20)
    }
    return true
  }

  /// Reads the escape after a backslash.
  private mutating func readEscape(in bytes: ArraySlice<UInt8>) -> Bool {
    guard end < bytes.endIndex else { return false }
    let escape = bytes[end]
    if escape == .lineFeed { return fold(in: bytes, joined: true) }
    end += 1
    if let meaning = Self.meanings[escape] {
      text += meaning
      return true
    }
    guard let count = Self.digits[escape] else { return false }
    let digits = bytes[end...].prefix(count)
    guard digits.count == count,
      digits.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { return false }
    text += Array(String(scalar).utf8)
    end += count
    return true
  }

  private static let digits: [UInt8: Int] = [
    UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
  ]

  private static let meanings: [UInt8: [UInt8]] = [
    UInt8(ascii: "0"): [0], UInt8(ascii: "a"): [7], UInt8(ascii: "b"): [8], UInt8(ascii: "t"): [9],
    0x09: [9], UInt8(ascii: "n"): [10], UInt8(ascii: "v"): [11], UInt8(ascii: "f"): [12],
    UInt8(ascii: "r"): [13], UInt8(ascii: "e"): [27], UInt8(ascii: " "): [32],
    UInt8(ascii: "\""): [34], UInt8(ascii: "/"): [47], UInt8(ascii: "\\"): [92],
    UInt8(ascii: "N"): Array("\u{85}".utf8), UInt8(ascii: "_"): Array("\u{A0}".utf8),
    UInt8(ascii: "L"): Array("\u{2028}".utf8), UInt8(ascii: "P"): Array("\u{2029}".utf8),
  ]
}
