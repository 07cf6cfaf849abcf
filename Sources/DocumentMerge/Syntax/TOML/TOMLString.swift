/// A string of any of TOML's four kinds.
struct TOMLString {
  /// The text of the string.
  private(set) var text: [UInt8] = []
  /// The end of the string, after its quotes.
  private(set) var end: Int
  /// True if the string has three quotes on each side.
  let isMultiline: Bool

  /// Reads a string; `nil` if no valid one starts there.
  init?(at start: Int, in bytes: ArraySlice<UInt8>) {
    guard start < bytes.endIndex else { return nil }
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    isMultiline = bytes[start...].starts(with: [quote, quote, quote])
    end = start + (isMultiline ? 3 : 1)
    if isMultiline { end += Self.lineBreak(at: end, in: bytes) }
    while end < bytes.endIndex {
      let byte = bytes[end]
      if byte == quote {
        let quotes = bytes[end...].prefix(isMultiline ? 5 : 1).prefix { $0 == quote }.count
        end += quotes
        // Two quotes may be directly before the three closing ones.
        let content = isMultiline && quotes >= 3 ? quotes - 3 : isMultiline ? quotes : 0
        text += [UInt8](repeating: quote, count: content)
        if !isMultiline || quotes >= 3 { return }
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        end += 1
        guard readEscape(in: bytes) else { return nil }
      } else if byte < 0x20 && byte != 0x09 || byte == 0x7F {
        let length = Self.lineBreak(at: end, in: bytes)
        guard isMultiline, length > 0 else { return nil }
        text.append(.lineFeed)
        end += length
      } else {
        text.append(byte)
        end += 1
      }
    }
    return nil
  }

  /// Returns the number of bytes of a line break; 0 if there is none.
  private static func lineBreak(at index: Int, in bytes: ArraySlice<UInt8>) -> Int {
    guard index < bytes.endIndex else { return 0 }
    if bytes[index] == .lineFeed { return 1 }
    return bytes[index...].starts(with: [.carriageReturn, .lineFeed]) ? 2 : 0
  }

  /// Reads the escape after a backslash.
  private mutating func readEscape(in bytes: ArraySlice<UInt8>) -> Bool {
    guard end < bytes.endIndex else { return false }
    let escape = bytes[end]
    if let meaning = Self.meanings[escape] {
      text.append(meaning)
      end += 1
      return true
    }
    if escape == UInt8(ascii: "u") || escape == UInt8(ascii: "U") {
      let digits = bytes[(end + 1)...].prefix(escape == UInt8(ascii: "u") ? 4 : 8)
      guard digits.count == (escape == UInt8(ascii: "u") ? 4 : 8),
        digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return false }
      text += Array(String(scalar).utf8)
      end = digits.endIndex
      return true
    }
    return skipToNextLine(in: bytes)
  }

  /// Reads the space from a backslash at the end of a line to the next contents on any line.
  private mutating func skipToNextLine(in bytes: ArraySlice<UInt8>) -> Bool {
    var hasBreak = false
    while end < bytes.endIndex {
      let length = Self.lineBreak(at: end, in: bytes)
      hasBreak = hasBreak || length > 0
      guard length > 0 || bytes[end] == 0x20 || bytes[end] == 0x09 else { break }
      end += max(length, 1)
    }
    return isMultiline && hasBreak
  }

  private static let meanings: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "f"): 0x0C, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "\\"): UInt8(ascii: "\\"),
  ]
}
