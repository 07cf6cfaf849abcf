/// Lines are compared unfolded, so different folding isn't a clash.
struct CalendarFormat: StructuredFormat {
  var name: String { "calendar" }

  func parse(_ text: [UInt8]) throws -> StructureTree { try CalendarParser(text).parse() }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] { key.capitals }

  /// Returns the value after the colon of a property without parameters.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    guard leaf.first == UInt8(ascii: ":") else { return nil }
    return CalendarText.text(of: leaf.dropFirst())
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    model.first == UInt8(ascii: ":") ? CalendarText.value(for: text) : nil
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings {
    CardNames(trees, self).rulings.adding(ReplacedKeys(self).rulings(on: trees, options.labels))
  }

  /// Folded lines belong to the line before, so they aren't indented.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] { Array(bytes) }

  var entries: any EntryReader { ComponentEntries() }
}

/// The spelling of texts in calendars and address books.
enum CalendarText {
  /// The maximum number of bytes in a line.
  private static let lineLength = 75

  /// Returns the text of a folded and escaped value; `nil` if it has escapes that texts don't have.
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
        // The value has several fields.
        return nil
      } else {
        text.append(byte)
      }
    }
    return text
  }

  /// Returns a text escaped and folded, as a value after its colon.
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
