/// Scans the bytes of a YAML document: lines, space, comments and scalars.
struct YAMLScanner: ByteReader {
  static let fault = "This YAML can’t be merged by its structure"

  /// The start of an item, with its column.
  struct Place {
    let position: Int
    let column: Int
  }

  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func isLineFeed(_ index: Int) -> Bool { index < bytes.count && bytes[index] == .lineFeed }

  /// Returns whether a space, the end of a line or the end of the document is at a position.
  func isBlank(_ index: Int) -> Bool {
    index >= bytes.count || bytes[index] == 0x20 || bytes[index] == .lineFeed
  }

  /// Returns whether an entry of a block list starts at a position.
  func isEntry(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: "-") && isBlank(index + 1)
  }

  /// Returns whether the line at a position starts or ends a document.
  func isMarker(_ line: Int) -> Bool {
    guard isBlank(line + 3) || bytes[line + 3] == 0x09 else { return false }
    return bytes[line...].starts(with: "---".utf8) || bytes[line...].starts(with: "...".utf8)
  }

  /// True if only a comment remains on the line.
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

  /// Returns the end of this line, on which only a comment may remain.
  func lineEnd() throws(MergeError) -> Int {
    guard isAtLineEnd else { throw invalid("the end of the line") }
    return bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
  }

  /// Reads a comment at the end of the line.
  mutating func skipTrail() throws(MergeError) {
    skipBlanks()
    position = try lineEnd()
  }

  /// Returns the next contents other than space and comments, from the end or the start of a line on.
  /// - Parameter throughMarkers: Whether to continue after the end of the document.
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

  /// Reads the comments after a block's last member that are still in the block.
  /// - Parameters:
  ///   - least: The minimum column of such a comment.
  ///   - next: The column of the next contents, which is less.
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

  /// Reads the name of an anchor or tag.
  /// - Parameter others: Further characters that it may contain.
  mutating func skipName(_ others: String = "") -> ArraySlice<UInt8> {
    let start = position
    while let byte = peek, byte.isInName || others.utf8.contains(byte) {
      position += 1
    }
    return bytes[start..<position]
  }

  /// Reads a reference to an anchor; returns its end.
  mutating func skipAlias() throws(MergeError) -> Int {
    position += 1
    _ = skipName()
    guard isBlank(position) || ",]}".utf8.contains(bytes[position]) else {
      throw invalid("a space")
    }
    return position
  }

  // MARK: In brackets and braces

  /// Reads space, line breaks and comments.
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

  /// Reads comments that end the line, without the line break.
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
