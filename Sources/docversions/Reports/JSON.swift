internal import DocumentVersions
internal import Foundation

/// The JSON that every command writes: one line, with sorted keys.
enum JSON {
  /// Returns the value as one line, with characters escaped that could control a terminal.
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Escapes non-ASCII characters, which occur only in strings, where an escape means the same.
  private static func escaped(_ text: String) -> String {
    guard Printable.text(text) != text else { return text }
    return text.unicodeScalars.map { scalar in
      let character = String(scalar)
      guard Printable.text(character) != character else { return character }
      return character.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }
}

/// A value that is null in JSON if there is none, so that the keys are always the same.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}
