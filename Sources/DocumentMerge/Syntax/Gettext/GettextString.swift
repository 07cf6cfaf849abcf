/// The quoted strings of gettext; consecutive strings are one text.
enum GettextString {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Returns the text of quoted strings with only space between them; unusual escapes keep their spelling.
  /// - Returns: `nil` for anything else.
  static func text(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = bytes.drop { $0.isSpace }
    guard !rest.isEmpty else { return nil }
    while let first = rest.popFirst() {
      guard first == quote, let end = takeText(&rest, into: &text) else { return nil }
      rest = rest[end...].drop { $0.isSpace }
    }
    return text
  }

  /// Reads up to the closing quote.
  /// - Returns: The position after the quote; `nil` if there is none.
  private static func takeText(
    _ rest: inout ArraySlice<UInt8>, into text: inout [UInt8]
  ) -> Int? {
    while let byte = rest.popFirst() {
      switch byte {
      case quote: return rest.startIndex
      case .lineFeed: return nil
      case backslash:
        guard let next = rest.popFirst(), next != .lineFeed else { return nil }
        text += unescaped(next)
      default: text.append(byte)
      }
    }
    return nil
  }

  private static func unescaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "n"): [.lineFeed]
    case UInt8(ascii: "t"): [0x09]
    case UInt8(ascii: "r"): [.carriageReturn]
    case quote, backslash: [byte]
    default: [backslash, byte]
    }
  }

  /// Returns an escaped text, without quotes around it.
  static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case .lineFeed: Array("\\n".utf8)
      case 0x09: Array("\\t".utf8)
      case .carriageReturn: Array("\\r".utf8)
      case quote, backslash: [backslash, byte]
      default: [byte]
      }
    }
  }

  /// Returns a text as gettext's programs write it: one string, or an empty string followed by one for each
  /// line.
  static func literal(for text: [UInt8]) -> [UInt8] {
    guard text.dropLast().contains(.lineFeed) else { return [quote] + escaped(text) + [quote] }
    var literal = [quote, quote]
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: .lineFeed).map { $0 + 1 } ?? rest.endIndex
      literal += [.lineFeed, quote] + escaped(rest[..<end]) + [quote]
      rest = rest[end...]
    }
    return literal
  }
}
