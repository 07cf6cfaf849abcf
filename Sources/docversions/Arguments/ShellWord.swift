internal import DocumentVersions

/// Words of commands that people paste into a shell.
enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-~".unicodeScalars)

  /// Returns the text as one word, quoted only if the shell would read it differently.
  static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    // A tilde may stand for a folder at the beginning, and after an apparent assignment.
    let hasTilde = scalars.first == "~" || scalars.contains("~") && scalars.contains("=")
    if !text.isEmpty, !hasTilde, scalars.allSatisfy(isPlain) { return text }
    guard Printable.text(text).hasBytes(of: text) else {
      return "$'\(text.utf8.map(escaped).joined())'"
    }
    // This goes by Unicode scalars: a quotation mark with an accent is a different character, but still ends
    // the word.
    return "'\(scalars.map { $0 == "'" ? "'\\''" : String($0) }.joined())'"
  }

  /// Returns the path as one word that no command mistakes for an option.
  static func path(_ path: String) -> String {
    quoted(path.hasPrefix("-") ? "./" + path : path)
  }

  /// Returns whether a scalar has no special meaning for a shell; letters of other scripts have none.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    plain.contains(scalar) || (!scalar.isASCII && scalar.properties.isAlphabetic)
  }

  /// Returns a byte inside `$'…'`, which holds characters that can't be shown.
  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
    case 0x20...0x7E: String(Unicode.Scalar(byte))
    default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
