internal import DocumentVersions
internal import Foundation

/// Values as a person types and reads them.
enum KeyValueText {
  /// A string as it is, everything else as JSON.
  static func text(_ value: KeyValue) throws -> String {
    switch value {
    case .string(let text): text
    // As JSON, it says that it is no integer.
    case .double(let number): "\(number)"
    default: try JSON.text(value)
    }
  }

  /// The value of a text: what JSON makes of it, or the text itself, also of an integer that no type holds.
  static func value(_ text: String) -> KeyValue {
    do {
      let value = try JSONDecoder().decode(KeyValue.self, from: Data(text.utf8))
      if case .double = value, text.utf8.allSatisfy({ $0 != 0x2E && $0 | 0x20 != 0x65 }) {
        return .string(text)
      }
      return value
    } catch {
      return .string(text)
    }
  }

  /// A line for each key, in order.
  static func lines(_ values: [String: KeyValue]) throws -> [String] {
    var table = Table()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      table.rows.append([
        Table.Cell(Printable.text(key)), Table.Cell(Printable.text(try text(value)), room: .rest),
      ])
    }
    return table.lines()
  }
}
