/// Reads markup, byte by byte.
protocol MarkupReader {
  var bytes: [UInt8] { get }
  var position: Int { get set }

  /// The error for something else than expected at the position.
  func invalid(_ expected: String) -> MergeError
}

extension MarkupReader {
  func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Takes a text, if it is there.
  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8.count
    return true
  }

  /// Takes all up to a text, and that.
  mutating func skip(past text: String) throws(MergeError) {
    guard let found = bytes[position...].range(of: Array(text.utf8)) else {
      throw invalid("“\(text)”")
    }
    position = found.upperBound
  }
}
