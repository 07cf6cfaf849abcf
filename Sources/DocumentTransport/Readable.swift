/// Text from a server, made safe to show to people.
enum Readable {
  /// Returns text without control characters, cut to a length.
  static func text(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(most).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
        Character(" ")
      default: Character(scalar)
      }
    }
    return String(plain).split(separator: " ").joined(separator: " ")
  }

  /// Returns the last lines of a program's output.
  static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes.suffix(8_192), as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { text(String($0)) }.filter { !$0.isEmpty }
  }

  private static let most = 1_000
}
