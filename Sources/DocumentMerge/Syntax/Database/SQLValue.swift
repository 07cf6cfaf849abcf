/// A value in a database, as SQLite stores it.
///
/// Two values are equal only if they are stored alike: 1 is not 1.0, and “a” is not “A”, whatever a column's collation says.
enum SQLValue: Hashable, Sendable, CustomStringConvertible {
  case null
  case integer(Int64)
  /// A number with its bits, so that values can be compared and hashed.
  case real(UInt64)
  /// A text as bytes of UTF-8, which may hold NUL.
  case text([UInt8])
  case blob([UInt8])

  /// The value as SQL writes it, blobs by their first bytes.
  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let bits): String(Double(bitPattern: bits))
    case .text(let bytes):
      "'" + excerpt(bytes).replacing("'", with: "''") + "'"
    case .blob(let bytes):
      "x'" + bytes.prefix(16).map { hexadecimal($0) }.joined()
        + (bytes.count > 16 ? "…' (\(bytes.count) bytes)" : "'")
    }
  }

  /// The bytes that stand for the value in a question; `nil` for NULL.
  var shown: [UInt8]? {
    switch self {
    case .null: nil
    case .text(let bytes): bytes
    default: Array(description.utf8)
    }
  }

  /// The value that a user typed, of the type that a side's value has.
  init(typed bytes: [UInt8], like values: [SQLValue]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for value in values {
      switch value {
      case .integer:
        if let number = Int64(text) {
          self = .integer(number)
          return
        }
      case .real:
        if let number = Double(text) {
          self = .real(number.bitPattern)
          return
        }
      default: break
      }
    }
    self = .text(bytes)
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}

extension String {
  /// The name in quotes, as SQL writes names that may be anything.
  var quotedName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
