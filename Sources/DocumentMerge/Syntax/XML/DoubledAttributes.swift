/// Counts the tags with a duplicate attribute, whether the document can be read or not.
///
/// Readers use one of the two values, and ignore the other.
enum DoubledAttributes {
  /// Returns the number of such tags.
  static func count(in bytes: [UInt8]) -> Int {
    var (count, rest) = (0, bytes[...])
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      guard let first = rest.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else { continue }
      var names: Set<String> = []
      var isDoubled = false
      rest = rest.drop { !isEnd($0) }
      while let byte = rest.first, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
        guard !isEnd(byte), byte != UInt8(ascii: "=") else {
          rest = rest.dropFirst()
          continue
        }
        let name = rest.prefix { !isEnd($0) && $0 != UInt8(ascii: "=") }
        rest = rest[name.endIndex...]
        let text = String(decoding: name, as: UTF8.self).lowercased()
        if !names.insert(text).inserted { isDoubled = true }
        skipValue(&rest)
      }
      if isDoubled { count += 1 }
    }
    return count
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  private static func skipValue(_ rest: inout ArraySlice<UInt8>) {
    let behind = rest.drop(while: \.isSpace)
    guard behind.first == UInt8(ascii: "=") else { return }
    rest = behind.dropFirst().drop(while: \.isSpace)
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      rest = rest.dropFirst().drop { $0 != quote }.dropFirst()
    } else {
      rest = rest.drop { !$0.isSpace && $0 != UInt8(ascii: ">") }
    }
  }
}
