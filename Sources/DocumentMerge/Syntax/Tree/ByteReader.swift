/// Reads a document byte by byte.
protocol ByteReader {
  /// The start of a sentence about a document that can't be read.
  static var fault: String { get }

  var bytes: [UInt8] { get }
  var position: Int { get set }
}

extension ByteReader {
  /// The byte at the position; `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the error for a byte other than the expected one at the position.
  func invalid(_ expected: String) -> MergeError {
    MergeError(.invalidDocument, "\(Self.fault): at byte \(position), \(expected) was expected.")
  }

  func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Reads a text, if it is at the position.
  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8.count
    return true
  }

  /// Reads bytes while they satisfy a condition.
  mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = bytes[position...].prefix(while: isPart)
    position = taken.endIndex
    return taken
  }

  /// Skips everything up to and including a text.
  mutating func skip(past text: String) throws(MergeError) {
    guard let found = bytes[position...].range(of: Array(text.utf8)) else {
      throw invalid("“\(text)”")
    }
    position = found.upperBound
  }

  mutating func skipWhitespace() {
    while let byte = peek, byte.isSpace { position += 1 }
  }
}

/// Reads a document in which comments may be between the values.
protocol CommentReader: ByteReader {
  /// Reads space and comments.
  /// - Parameter inLine: Whether to stop at the first line break.
  mutating func skipSpace(inLine: Bool) throws(MergeError)
}

extension CommentReader {
  /// Reads space and comments.
  mutating func skipSpace() throws(MergeError) { try skipSpace(inLine: false) }

  /// Reads comments that end the line, without the line break.
  mutating func skipTrail() throws(MergeError) {
    let start = position
    try skipSpace(inLine: true)
    let isComment = !bytes[start..<position].allSatisfy(\.isSpace)
    guard isComment, peek == .lineFeed || peek == .carriageReturn else {
      position = start
      return
    }
  }
}
