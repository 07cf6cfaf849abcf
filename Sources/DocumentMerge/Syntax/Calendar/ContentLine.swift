/// A line of a calendar or an address book with a name, parameters and a value, possibly folded into several
/// lines.
struct ContentLine {
  /// The name in uppercase, with the group before it.
  let name: [UInt8]
  /// The start of the name.
  let start: Int
  /// The start of the parameters, or of the colon before the value.
  let restStart: Int
  /// The end of the value, before the line break.
  let contentEnd: Int
  /// The start of the next line.
  let end: Int
  /// The parameters and the value, unfolded.
  let rest: [UInt8]

  /// Reads the line at a position; `nil` if it has no name, or no value.
  init?(at start: Int, in bytes: [UInt8]) {
    self.start = start
    var end = start
    var contentEnd = start
    var unfolded: [UInt8] = []
    repeat {
      // A continuation starts with a space.
      let first = end == start ? start : end + 1
      let feed = bytes[first...].firstIndex(of: .lineFeed)
      contentEnd = feed ?? bytes.count
      unfolded += bytes[first..<contentEnd]
      end = feed.map { $0 + 1 } ?? bytes.count
    } while end < bytes.count && (bytes[end] == 0x20 || bytes[end] == 0x09)
    let key = bytes[start...].prefix { $0.isInName || $0 == UInt8(ascii: ".") }
    guard let separator = unfolded.dropFirst(key.count).first, !key.isEmpty,
      separator == UInt8(ascii: ":") || separator == UInt8(ascii: ";"),
      Self.valueStart(in: unfolded[key.count...]) != nil
    else { return nil }
    name = key.capitals
    restStart = start + key.count
    (self.contentEnd, self.end) = (contentEnd, end)
    rest = Array(unfolded.dropFirst(key.count))
  }

  /// The value alone.
  var value: ArraySlice<UInt8> {
    Self.valueStart(in: rest[...]).map { rest[$0...] } ?? []
  }

  /// The parameters, each with the semicolon before it.
  var parameters: ArraySlice<UInt8> {
    Self.valueStart(in: rest[...]).map { rest[..<($0 - 1)] } ?? []
  }

  /// Returns the start of the value, after the first colon outside quotes.
  private static func valueStart(in rest: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for (index, byte) in zip(rest.indices, rest) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return index + 1 }
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// The bytes in uppercase.
  var capitals: [UInt8] { map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 } }
}
