/// The reading of scalars.
extension YAMLScanner {
  /// Reads a plain scalar, which may continue on the lines below.
  /// - Returns: Its text, if its bytes differ from it.
  mutating func plain(in column: Int) throws(MergeError) -> [UInt8]? {
    guard YAMLScalar.mayStartPlain(bytes[position...]) else { throw invalid("a value") }
    let first = try plainLine()
    var text: [UInt8]?
    var isCommented = first.isCommented
    while !isCommented, let next = plainContinuation(after: position, in: column) {
      text = text ?? Array(bytes[first.start..<position])
      let breaks = bytes[position..<next].count { $0 == .lineFeed }
      text?.append(
        contentsOf: breaks == 1 ? [0x20] : Array(repeating: .lineFeed, count: breaks - 1))
      position = next
      let line = try plainLine()
      isCommented = line.isCommented
      text?.append(contentsOf: bytes[line.start..<position])
    }
    return text
  }

  private mutating func plainLine() throws(MergeError) -> (start: Int, isCommented: Bool) {
    let start = position
    var end = start
    while let byte = peek, byte != .lineFeed {
      if byte == UInt8(ascii: "#"), end < position {
        position = end
        return (start, true)
      }
      guard byte != 0x09 else { throw invalid("no tab") }
      if byte == UInt8(ascii: ":"), isBlank(position + 1) { throw invalid("no second colon") }
      position += 1
      if byte != 0x20 { end = position }
    }
    position = end
    return (start, false)
  }

  /// Returns the place where a plain scalar continues.
  private func plainContinuation(after end: Int, in column: Int) -> Int? {
    var index = end
    while index < bytes.count {
      let line = index
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      guard index < bytes.count else { return nil }
      if bytes[index] == .lineFeed {
        index += 1
        continue
      }
      let isEnd = bytes[index] == UInt8(ascii: "#") || bytes[index] == 0x09
      return isEnd || line == end || index - line <= column || isMarker(line) ? nil : index
    }
    return nil
  }

  /// Reads a literal or folded scalar; returns its content.
  mutating func blockScalar(in column: Int) throws(MergeError) -> [UInt8] {
    guard let scalar = YAMLBlockScalar(at: position, in: bytes[...], column: column) else {
      throw invalid("a block scalar")
    }
    position = scalar.end
    return scalar.value
  }

  /// Reads a quoted scalar.
  mutating func quoted() throws(MergeError) -> YAMLQuoted {
    guard let quoted = YAMLQuoted(at: position, in: bytes[...]) else {
      throw invalid("a string in quotes")
    }
    position = quoted.end
    return quoted
  }

  /// Reads a plain scalar, which must be on one line.
  mutating func flowPlain() throws(MergeError) -> ArraySlice<UInt8> {
    let start = position
    guard YAMLScalar.mayStartPlain(bytes[start...]), bytes[start] != UInt8(ascii: ":") else {
      throw invalid("a value")
    }
    var end = start
    loop: while let byte = peek {
      switch byte {
      case .lineFeed, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): break loop
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "?"), 0x09: throw invalid("a value")
      case UInt8(ascii: "#") where end < position: break loop
      case UInt8(ascii: ":"):
        if isBlank(position + 1) { break loop }
        guard !",[]{}".utf8.contains(bytes[position + 1]) else { throw invalid("a space") }
      default: break
      }
      position += 1
      if byte != 0x20 { end = position }
    }
    position = end
    guard end > start, !(end == start + 1 && bytes[start] == UInt8(ascii: "-")) else {
      throw invalid("a value")
    }
    return bytes[start..<end]
  }
}
