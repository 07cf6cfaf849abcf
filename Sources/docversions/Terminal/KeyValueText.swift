internal import DocumentVersions
internal import Foundation

/// Values as a person types and reads them.
enum KeyValueText {
  /// A string as it is, everything else as JSON.
  static func text(_ value: KeyValue) throws -> String {
    if case .string(let text) = value { return Printable.text(text) }
    return try JSON.text(value)
  }

  /// The value of a text: what JSON makes of it, or the text itself.
  static func value(_ text: String) -> KeyValue {
    do {
      return try JSONDecoder().decode(KeyValue.self, from: Data(text.utf8))
    } catch {
      return .string(text)
    }
  }

  /// A line for each key, in order.
  static func lines(_ values: [String: KeyValue]) throws -> [String] {
    var table = Table()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      table.rows.append([
        Table.Cell(Printable.text(key)), Table.Cell(try text(value), room: .rest),
      ])
    }
    return table.lines()
  }
}
