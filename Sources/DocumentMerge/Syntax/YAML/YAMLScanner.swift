/// Goes through the bytes of a YAML document: lines, space, comments and scalars.
struct YAMLScanner: ByteReader {
  static let fault = "This YAML can’t be merged by its structure"

  /// The start of something, and its column.
  struct Place {
    let position: Int
    let column: Int
  }

  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func isLineFeed(_ index: Int) -> Bool { index < bytes.count && bytes[index] == .lineFeed }

  /// Returns whether a space, the end of a line or the end of the document is there.
  func isBlank(_ index: Int) -> Bool {
    index >= bytes.count || bytes[index] == 0x20 || bytes[index] == .lineFeed
  }

  /// Returns whether an entry of a block list starts there.
  func isEntry(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: "-") && isBlank(index + 1)
  }

  /// Returns whether a line that starts there starts or ends a document.
  func isMarker(_ line: Int) -> Bool {
    guard isBlank(line + 3) || bytes[line + 3] == 0x09 else { return false }
    return bytes[line...].starts(with: "---".utf8) || bytes[line...].starts(with: "...".utf8)
  }

  /// Whether nothing but a comment is left of the line.
  var isAtLineEnd: Bool {
    guard let byte = peek else { return true }
    return byte == .lineFeed
      || byte == UInt8(ascii: "#") && (position == 0 || bytes[position - 1].isSpace)
  }

  func column(of index: Int) -> Int {
    var start = index
    while start > 0, bytes[start - 1] != .lineFeed { start -= 1 }
    return index - start
  }

  mutating func skipBlanks() {
    while peek == 0x20 { position += 1 }
  }

  /// The end of this line, on which nothing but a comment is left.
  func lineEnd() throws(MergeError) -> Int {
    guard isAtLineEnd else { throw invalid("the end of the line") }
    return bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
  }

  /// Takes a comment at the end of the line.
  mutating func skipTrail() throws(MergeError) {
    skipBlanks()
    position = try lineEnd()
  }

  /// The next thing that is no space and no comment, from the end or the start of a line on.
  /// - Parameter throughMarkers: Whether what is behind the end of the document counts.
  func content(after end: Int, throughMarkers: Bool = false) throws(MergeError) -> Place? {
    var line = isLineFeed(end) ? end + 1 : end
    while line < bytes.count {
      var index = line
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case .lineFeed: line = index + 1
      case UInt8(ascii: "#"):
        line = (bytes[index...].firstIndex(of: .lineFeed) ?? bytes.count) + 1
      case 0x09:
        var scanner = self
        scanner.position = index
        throw scanner.invalid("no tab")
      default:
        if !throughMarkers, isMarker(line) { return nil }
        return Place(position: index, column: index - line)
      }
    }
    return nil
  }

  /// Takes the comments behind a block's last member that are still in the block.
  /// - Parameters:
  ///   - least: The least column of such a comment.
  ///   - next: The column of what follows, which is less.
  mutating func skipTail(from least: Int, above next: Int) {
    var line = position
    while isLineFeed(line) {
      var index = line + 1
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      guard index < bytes.count else { return }
      if bytes[index] == UInt8(ascii: "#") {
        let column = index - line - 1
        guard column >= least, column > next else { return }
        position = bytes[index...].firstIndex(of: .lineFeed) ?? bytes.count
        line = position
      } else if bytes[index] == .lineFeed {
        line = index
      } else {
        return
      }
    }
  }

  // MARK: Names

  /// Takes the name of an anchor or tag.
  /// - Parameter others: Further characters that it may have.
  mutating func skipName(_ others: String = "") -> ArraySlice<UInt8> {
    let start = position
    while let byte = peek, byte.isInName || others.utf8.contains(byte) {
      position += 1
    }
    return bytes[start..<position]
  }

  /// Takes a reference to an anchor; returns its end.
  mutating func skipAlias() throws(MergeError) -> Int {
    position += 1
    _ = skipName()
    guard isBlank(position) || ",]}".utf8.contains(bytes[position]) else {
      throw invalid("a space")
    }
    return position
  }

  // MARK: In brackets and braces

  /// Takes space, line breaks and comments.
  mutating func skipFlowSpace() throws(MergeError) {
    while let byte = peek {
      if byte == 0x20 {
        position += 1
      } else if byte == .lineFeed {
        position += 1
        guard position >= bytes.count || !isMarker(position) else {
          throw invalid("no end of the document")
        }
      } else if byte == UInt8(ascii: "#"), position > 0, bytes[position - 1].isSpace {
        position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      } else {
        return
      }
    }
  }

  /// Takes a comment to which this line belongs alone, without the line break.
  mutating func skipFlowTrail() {
    let start = position
    skipBlanks()
    if position > start, peek == UInt8(ascii: "#") {
      position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
    } else {
      position = start
    }
  }
}
