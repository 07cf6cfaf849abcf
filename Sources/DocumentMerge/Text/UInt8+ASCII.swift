/// The ASCII characters in the syntax of formats.
extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")

  /// True if the byte is a space, a tab or part of a line break.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
  /// True if the byte is a digit.
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// True if the byte is a letter.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  /// True if the byte is a capital letter.
  var isCapital: Bool { (0x41...0x5A).contains(self) }
  /// True if the byte may be in a plain name: a letter, a digit, a hyphen or an underscore.
  var isInName: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
  /// The byte in lowercase, if it is a capital letter.
  var inSmallLetters: UInt8 { isCapital ? self | 0x20 : self }
}
