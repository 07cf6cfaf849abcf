/// A line of a calendar or an address book: a name, parameters and a value, perhaps folded into several lines.
struct ContentLine {
  /// The name in capitals, with the group before it.
  let name: [UInt8]
  /// Where the name starts.
  let start: Int
  /// Where the parameters start, or the colon before the value.
  let restStart: Int
  /// Where the value ends, without the line break.
  let contentEnd: Int
  /// Where the next line starts.
  let end: Int
  /// The parameters and the value, unfolded.
  let rest: [UInt8]

  /// Reads the line that starts at a place; `nil` if there is no name, or no value.
  init?(at start: Int, in bytes: [UInt8]) {
    self.start = start
    var end = start
    var contentEnd = start
    var unfolded: [UInt8] = []
    repeat {
      // What goes on starts with a space.
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

  /// Where the value starts, behind the first colon that no quotes are around.
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
  /// The bytes with small letters as capitals.
  var capitals: [UInt8] { map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 } }
}
