/// Calendars and address books: components by their identifiers, properties by their names.
///
/// Lines are compared unfolded, so that a side that only folded them anew clashes with nothing.
struct CalendarFormat: StructuredFormat {
  var name: String { "calendar" }

  func parse(_ text: [UInt8]) throws -> StructureTree { try CalendarParser(text).parse() }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] { key.capitals }

  /// The value of a property without parameters, behind its colon.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    guard leaf.first == UInt8(ascii: ":") else { return nil }
    return CalendarText.text(of: leaf.dropFirst())
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    model.first == UInt8(ascii: ":") ? CalendarText.value(for: text) : nil
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings { CardNames(trees, self).rulings }

  /// What is behind a line break belongs to the line before.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] { Array(bytes) }

  var entries: any EntryReader { ComponentEntries() }
}

/// Texts as calendars and address books write them.
enum CalendarText {
  /// The most bytes of a line.
  private static let lineLength = 75

  /// What a folded and escaped value says; `nil` for escapes that are none of a text.
  static func text(of value: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      if byte == .lineFeed {
        rest = rest.dropFirst()
      } else if byte == UInt8(ascii: "\\") {
        switch rest.popFirst() {
        case UInt8(ascii: "n"), UInt8(ascii: "N"): text.append(.lineFeed)
        case let next? where ",;\\".utf8.contains(next): text.append(next)
        default: return nil
        }
      } else if byte == UInt8(ascii: ";") {
        // A value of several fields.
        return nil
      } else {
        text.append(byte)
      }
    }
    return text
  }

  /// A text as a value behind its colon, escaped and folded.
  static func value(for text: [UInt8]) -> [UInt8] {
    var value = [UInt8(ascii: ":")]
    var length = lineLength / 2
    for character in String(decoding: text, as: UTF8.self) {
      let bytes = escaped(character)
      if length + bytes.count > lineLength {
        value += [.lineFeed, 0x20]
        length = 1
      }
      value += bytes
      length += bytes.count
    }
    return value
  }

  private static func escaped(_ character: Character) -> [UInt8] {
    switch character {
    case "\n": Array("\\n".utf8)
    case ",", ";", "\\": [UInt8(ascii: "\\")] + character.utf8
    default: Array(character.utf8)
    }
  }
}
