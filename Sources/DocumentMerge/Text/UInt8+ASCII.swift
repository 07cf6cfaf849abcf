/// The characters of ASCII that formats are made of.
extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")

  /// Whether this is a space, a tab or part of a line break.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
  /// Whether this is a digit.
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether this is a letter.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  /// Whether this is a capital letter.
  var isCapital: Bool { (0x41...0x5A).contains(self) }
  /// Whether this may be in a plain name: a letter, a digit, a hyphen or an underscore.
  var isInName: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
  /// The small letter of a capital one; anything else as it is.
  var inSmallLetters: UInt8 { isCapital ? self | 0x20 : self }
}
