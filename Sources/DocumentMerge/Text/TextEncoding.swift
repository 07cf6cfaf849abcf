/// The encoding of a text's characters as bytes, including its byte-order mark.
enum TextEncoding: String, Sendable {
  case utf8 = "UTF-8"
  case utf8WithMark = "UTF-8 with a byte-order mark"
  case utf16LittleEndian = "UTF-16, little-endian"
  case utf16BigEndian = "UTF-16, big-endian"
  /// Another encoding, such as Latin-1, whose bytes are merged unchanged.
  case unknown = "an unknown encoding"

  /// The bytes at the start of a text in this encoding.
  var mark: [UInt8] {
    switch self {
    case .utf8, .unknown: []
    case .utf8WithMark: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    }
  }

  /// Returns the bytes of a text that is given as UTF-8, or in its original bytes if the encoding is unknown.
  /// - Returns: `nil` if the text isn't UTF-8, but must be.
  func encode(_ text: [UInt8]) -> [UInt8]? {
    if self == .unknown { return text }
    guard let string = String(validating: text, as: UTF8.self) else { return nil }
    switch self {
    case .utf8, .utf8WithMark, .unknown:
      return mark + text
    case .utf16LittleEndian:
      return mark + string.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BigEndian:
      return mark + string.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
  }
}
