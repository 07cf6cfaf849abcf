/// A literal or folded scalar.
struct YAMLBlockScalar {
  /// The first line, up to a comment.
  let header: ArraySlice<UInt8>
  /// The start of the scalar's lines, after the first line and its line break.
  let start: Int
  /// The end of the scalar, before its last line break.
  let end: Int
  /// The indentation of its lines.
  let indent: Int
  private let bytes: ArraySlice<UInt8>

  /// True if its line breaks are spaces.
  var isFolded: Bool { header.first == UInt8(ascii: ">") }

  /// Reads a scalar in a block with a column; `nil` if no valid one starts there.
  init?(at first: Int, in bytes: ArraySlice<UInt8>, column: Int) {
    self.bytes = bytes
    var index = first + 1
    var (digit, isKeeping): (Int?, Bool?) = (nil, nil)
    while index < bytes.endIndex {
      let byte = bytes[index]
      if digit == nil, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) {
        digit = Int(byte - UInt8(ascii: "0"))
      } else if isKeeping == nil, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        isKeeping = byte == UInt8(ascii: "+")
      } else {
        break
      }
      index += 1
    }
    header = bytes[first..<index]
    let blanks = bytes[index...].prefix { $0 == 0x20 }.count
    let comment = bytes[(index + blanks)...].prefix { $0 != .lineFeed }
    guard comment.isEmpty || blanks > 0 && comment.first == UInt8(ascii: "#") else { return nil }

    // The lines, and which of them belong to the scalar.
    var end = comment.endIndex
    start = min(end + 1, bytes.endIndex)
    var indent = digit.map { max(column, 0) + $0 }
    var (line, mostBlanks, lastEnd) = (end, 0, end)
    while line < bytes.endIndex {
      let text = bytes[(line + 1)...].prefix { $0 != .lineFeed }
      let spaces = text.prefix { $0 == 0x20 }.count
      let isEmpty = spaces == text.count
      if isEmpty, spaces <= indent ?? .max {
        mostBlanks = max(mostBlanks, spaces)
        if text.endIndex == bytes.endIndex { break }
        lastEnd = text.endIndex
      } else {
        if indent == nil {
          guard text.dropFirst(spaces).first != 0x09 else { return nil }
          guard spaces > max(column, 0) || column < 0 && spaces > 0 else { break }
          guard mostBlanks <= spaces else { return nil }
          indent = spaces
        }
        guard spaces >= indent ?? 0 else { break }
        (end, lastEnd) = (text.endIndex, text.endIndex)
      }
      line = text.endIndex
    }
    if isKeeping == true {
      guard end > comment.endIndex else { return nil }
      end = lastEnd
    }
    // Without lines, blanks in the lines below may be read as one.
    guard end > comment.endIndex || mostBlanks == 0 else { return nil }
    self.end = end
    self.indent = indent ?? 0
  }

  /// The lines without their indentation, the last one without its line break.
  var lines: [UInt8] {
    guard end > start else { return [] }
    let lines = bytes[start..<end].split(separator: .lineFeed, omittingEmptySubsequences: false)
    return Array(lines.map { $0.dropFirst(min(indent, $0.count)) }.joined(separator: [.lineFeed]))
  }

  /// The contents of the scalar, with its style.
  var value: [UInt8] { header.filter { !(0x31...0x39).contains($0) } + [.lineFeed] + lines }
}
