/// A value in a database, as SQLite stores it.
///
/// Two values are equal only if they are stored in the same way: 1 isn't equal to 1.0, nor “a” to “A”,
/// regardless of a column's collation.
enum SQLValue: Hashable, Sendable, CustomStringConvertible {
  case null
  case integer(Int64)
  /// A number as its bits, so that values can be compared and hashed.
  case real(UInt64)
  /// A text as UTF-8 bytes, which may contain NUL.
  case text([UInt8])
  case blob([UInt8])

  /// The value as SQL writes it, with blobs shortened to their first bytes.
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

  /// The bytes that represent the value in a question; `nil` for NULL.
  var shown: [UInt8]? {
    switch self {
    case .null: nil
    case .text(let bytes): bytes
    default: Array(description.utf8)
    }
  }

  /// Creates the value that a user typed, with the type of a side's value.
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
  /// The name in quotes, as SQL writes arbitrary names.
  var quotedName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
