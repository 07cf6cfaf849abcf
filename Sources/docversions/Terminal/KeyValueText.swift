internal import DocumentVersions
internal import Foundation

/// The form of values that people type and read.
enum KeyValueText {
  /// Returns a string unchanged, and everything else as JSON.
  static func text(_ value: KeyValue) throws -> String {
    switch value {
    case .string(let text): text
    // The JSON form shows that it isn't an integer.
    case .double(let number): "\(number)"
    default: try JSON.text(value)
    }
  }

  /// Returns the value of a text: its JSON value, or else the text itself, also for an integer that is too
  /// large.
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

  /// Returns a line for each key, in order.
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
