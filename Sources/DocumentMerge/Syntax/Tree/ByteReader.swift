/// Reads a document byte by byte.
protocol ByteReader {
  /// What a document that cannot be read is not, as the beginning of a sentence.
  static var fault: String { get }

  var bytes: [UInt8] { get }
  var position: Int { get set }
}

extension ByteReader {
  /// The byte at the position; `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The error for something else than expected at the position.
  func invalid(_ expected: String) -> MergeError {
    MergeError(.invalidDocument, "\(Self.fault): at byte \(position), \(expected) was expected.")
  }

  func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Takes a text, if it is there.
  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8.count
    return true
  }

  /// Takes the bytes of some kind.
  mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = bytes[position...].prefix(while: isPart)
    position = taken.endIndex
    return taken
  }

  /// Takes all up to a text, and that.
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
