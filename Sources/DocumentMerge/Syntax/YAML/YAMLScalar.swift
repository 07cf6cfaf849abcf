/// The properties of a scalar that its bytes alone determine.
enum YAMLScalar {
  /// Refuses bytes that aren't text, and characters that YAML readers disagree about.
  static func checkCharacters(of bytes: [UInt8]) throws(MergeError) {
    func invalid(_ index: Int) -> MergeError {
      MergeError(
        .invalidDocument,
        "\(YAMLScanner.fault): the character at byte \(index) is not allowed."
      )
    }
    var isPlain = true
    for (index, byte) in bytes.enumerated() {
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == .lineFeed else {
        throw invalid(index)
      }
      isPlain = isPlain && byte < 0x80
    }
    guard !isPlain else { return }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw invalid(0) }
    for index in bytes.indices where bytes[index] >= 0xC2 {
      let rest = bytes[(index + 1)...].prefix(2)
      switch (bytes[index], rest.first ?? 0, rest.last ?? 0) {
      case (0xC2, 0x80...0x9F, _), (0xE2, 0x80, 0xA8...0xA9), (0xEF, 0xBB, 0xBF),
        (0xEF, 0xBF, 0xBE...0xBF):
        throw invalid(index)
      default: break
      }
    }
  }

  /// Returns whether a plain scalar may start with these bytes.
  static func mayStartPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    switch first {
    case 0x20, 0x09, .lineFeed: return false
    case _ where ",[]{}#&*!|>'\"%@`".utf8.contains(first): return false
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      return bytes.dropFirst().first.map { !$0.isSpace } ?? false
    default: return true
    }
  }

  /// Returns the value of a quoted text, which equals that of a plain scalar if it is also a text.
  static func value(ofQuoted text: [UInt8]) -> [UInt8] {
    isText(text[...]) ? text : [UInt8(ascii: "\"")] + text
  }

  /// Returns whether a plain scalar is certainly a text, not a number, a date or a Boolean value.
  static func isText(_ plain: ArraySlice<UInt8>) -> Bool {
    guard let first = plain.first else { return false }
    if plain.count <= 5, words.contains(String(decoding: plain, as: UTF8.self).lowercased()) {
      return false
    }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return !plain.allSatisfy {
        ("0"..."9").contains(Character(Unicode.Scalar($0)))
          || "abcdefxotzABCDEFXOTZ_.:+- ".utf8.contains($0)
      }
    default: return true
    }
  }

  private static let words: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ".inf", ".nan", "=", "<<",
    "+.inf", "-.inf",
  ]
}

/// A key of a block mapping: plain or quoted, on one line; after a question mark, the colon is on the next
/// one.
struct YAMLKey {
  /// The maximum length of a key, in bytes.
  static let limit = 1000

  /// The text of the key.
  let name: [UInt8]
  /// The end of the key, after its colon.
  let end: Int
  /// The column of the colon, if it is on its own line.
  private(set) var colonColumn: Int?

  /// Reads a key; `nil` if none starts there.
  init?(_ bytes: ArraySlice<UInt8>) {
    var index = bytes.startIndex
    func isBlank(_ index: Int) -> Bool {
      index >= bytes.endIndex || bytes[index] == 0x20 || bytes[index] == .lineFeed
    }
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "?"), isBlank(index + 1) {
      guard let key = YAMLKey(explicit: bytes) else { return nil }
      self = key
      return
    }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      guard let quoted = YAMLQuoted(at: index, in: bytes), !quoted.isMultiline else { return nil }
      name = quoted.text
      index = quoted.end
      while index < bytes.endIndex, bytes[index] == 0x20 { index += 1 }
      guard index < bytes.endIndex, bytes[index] == UInt8(ascii: ":") else { return nil }
    } else {
      guard YAMLScalar.mayStartPlain(bytes) else { return nil }
      var end = index
      while true {
        guard index < bytes.endIndex, bytes[index] != .lineFeed, bytes[index] != 0x09 else {
          return nil
        }
        if bytes[index] == UInt8(ascii: "#"), end < index { return nil }
        if bytes[index] == UInt8(ascii: ":"), isBlank(index + 1) { break }
        index += 1
        if bytes[index - 1] != 0x20 { end = index }
      }
      name = Array(bytes[..<end])
    }
    end = index + 1
    guard isBlank(end), end - bytes.startIndex < Self.limit else { return nil }
  }
}

extension YAMLKey {
  /// Reads a key of one line after a question mark, and the colon on the line below.
  private init?(explicit bytes: ArraySlice<UInt8>) {
    let key = bytes.dropFirst().drop { $0 == 0x20 }
    let line = key.prefix { $0 != .lineFeed }
    let below = key[line.endIndex...].dropFirst()
    let colon = below.drop { $0 == 0x20 }
    let isEnd = colon.dropFirst().first.map { $0 == 0x20 || $0 == .lineFeed } ?? true
    guard colon.first == UInt8(ascii: ":"), isEnd, line.last != 0x20,
      colon.startIndex - bytes.startIndex < Self.limit,
      // In its usual form, it must be a complete key.
      let usual = YAMLKey(Array(line) + [UInt8(ascii: ":")]), usual.end == line.count + 1
    else { return nil }
    name = usual.name
    end = colon.startIndex + 1
    colonColumn = colon.startIndex - below.startIndex
  }
}
