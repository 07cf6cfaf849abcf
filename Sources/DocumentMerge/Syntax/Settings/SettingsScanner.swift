/// The header of a section, or a key with its value.
struct SettingsItem {
  let isHeader: Bool
  let name: [UInt8]
  /// The start of the comments and blank lines before the item.
  let start: Int
  let keyStart: Int
  let valueStart: Int
  /// The end of the value, or of a header's name.
  let valueEnd: Int
  /// The start of the next line.
  let end: Int
}

/// Finds the headers and keys of settings.
///
/// A value continues after a backslash at the end of its line, in lines further right than its section's
/// keys, and up to its closing quote.
struct SettingsScanner {
  private let lines: TextLines
  private let dialect: SettingsDialect
  private var line = 0
  /// The column of the section's keys; `nil` before the first one.
  private var column: Int?
  private(set) var items: [SettingsItem] = []

  init(_ bytes: [UInt8], _ dialect: SettingsDialect) {
    lines = TextLines(bytes)
    self.dialect = dialect
  }

  /// Reads the document.
  mutating func scan() throws(MergeError) {
    while true {
      let start = position
      skipComments()
      guard line < lines.count else { return }
      let content = lines.content(of: line)
      if dialect != .properties, content.first == UInt8(ascii: "[") {
        try header(content, from: start)
      } else {
        try entry(content, from: start)
      }
    }
  }

  private var position: Int { lines.start(of: line) }

  private func invalid(_ expected: String) -> MergeError {
    MergeError(
      .invalidDocument,
      "These are not settings in a known format: in line \(line + 1), \(expected) was expected.")
  }

  /// Skips empty lines and comments.
  private mutating func skipComments() {
    while line < lines.count {
      let first = lines.content(of: line).first
      guard first.map(dialect.comments.contains) ?? true else { return }
      line += 1
    }
  }

  private mutating func header(
    _ content: ArraySlice<UInt8>, from start: Int
  ) throws(MergeError) {
    guard let end = content.lastIndex(of: UInt8(ascii: "]")),
      content[(end + 1)...].first(where: { !$0.isSpace }).map(dialect.comments.contains) ?? true
    else { throw invalid("the end of a section's name") }
    let place = lines.place(of: line)
    items.append(
      SettingsItem(
        isHeader: true, name: Array(content[...end]), start: start, keyStart: place.lowerBound,
        valueStart: end + 1, valueEnd: end + 1, end: place.upperBound))
    column = nil
    line += 1
  }

  private mutating func entry(
    _ content: ArraySlice<UInt8>, from start: Int
  ) throws(MergeError) {
    let place = lines.place(of: line)
    guard let key = SettingsKey(at: content, dialect) else { throw invalid("a key") }
    column = column ?? content.startIndex - place.lowerBound
    // The space after a key whose value begins on the next line is part of the separator.
    let isBelow = key.valueStart == content.endIndex && goesOn(from: line)
    let valueStart = isBelow ? place.upperBound - 1 : key.valueStart
    let end = takeValue(from: key, content)
    items.append(
      SettingsItem(
        isHeader: false, name: key.name, start: start, keyStart: place.lowerBound,
        valueStart: valueStart, valueEnd: end, end: position))
  }

  // MARK: Values

  /// Reads the lines of a value; returns its end, without trailing space.
  private mutating func takeValue(from key: SettingsKey, _ content: ArraySlice<UInt8>) -> Int {
    var end = content.endIndex
    if let last = lastLine(ofQuotedAt: key.valueStart) {
      line = last
      end = lines.content(of: line).endIndex
    }
    while goesOn(from: line) {
      line += 1
      let content = lines.content(of: line)
      if !content.isEmpty { end = content.endIndex }
    }
    line += 1
    return end
  }

  /// Returns whether the value of a line continues on the next one.
  private func goesOn(from line: Int) -> Bool {
    guard line + 1 < lines.count else { return false }
    let content = lines.content(of: line)
    let backslash = UInt8(ascii: "\\")
    if content.last == backslash {
      return !content.reversed().prefix { $0 == backslash }.count.isMultiple(of: 2)
    }
    guard dialect != .properties, let column else { return false }
    let next = lines.content(of: line + 1)
    guard let first = next.first else { return false }
    let indent = next.startIndex - lines.place(of: line + 1).lowerBound
    return indent > column && !dialect.comments.contains(first) && first != UInt8(ascii: "[")
  }

  /// Returns the last line of a quoted value with several lines; `nil` for other values.
  private func lastLine(ofQuotedAt start: Int) -> Int? {
    guard dialect == .sections, start < lines.bytes.count, "\"'".utf8.contains(lines.bytes[start])
    else { return nil }
    let quote = lines.bytes[start]
    guard !hasEnd(of: quote, in: lines.content(of: line)[(start + 1)...]) else { return nil }
    // A quote without an end is an ordinary character.
    return (line + 1..<lines.count).prefix(200).first {
      hasEnd(of: quote, in: lines.content(of: $0))
    }
  }

  private func hasEnd(of quote: UInt8, in content: ArraySlice<UInt8>) -> Bool {
    var rest = content
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
      if byte == quote { return true }
    }
    return false
  }
}

extension SettingsDialect {
  /// The bytes that start a comment.
  fileprivate var comments: Set<UInt8> {
    self == .properties
      ? [UInt8(ascii: "#"), UInt8(ascii: "!")] : [UInt8(ascii: "#"), UInt8(ascii: ";")]
  }
}
