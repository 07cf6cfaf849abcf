/// Keys that are running numbers, such as `step1.title`, with the fields of each number.
///
/// Keys are read line by line. Keys of one place that differ only in a number are a group, and all keys with
/// one number are a record.
struct NumberedKeys {
  enum Form {
    /// Keys before an equals sign or a colon.
    case lines
    /// Elements with a `name`.
    case attributes
    /// Property lists.
    case propertyList
    /// Catalogs of gettext.
    case messages
    /// Tables with the keys in the first column.
    case rows
  }

  struct Group: Hashable {
    let scope: [ArraySlice<UInt8>]
    let prefix: ArraySlice<UInt8>
  }

  /// The values of a record, by the part of their keys after the number.
  typealias Fields = [ArraySlice<UInt8>: ArraySlice<UInt8>]

  private(set) var groups: [Group: [Int: Fields]] = [:]
  /// The groups with duplicate keys.
  private var doubled: Set<Group> = []
  /// The lines above a line, each with its column.
  private var open: [(column: Int, key: ArraySlice<UInt8>)] = []
  private var section: ArraySlice<UInt8> = []
  private let form: Form
  private let text: TextLines

  init(_ text: TextLines, _ form: Form) {
    (self.text, self.form) = (text, form)
    var last: (group: Group, number: Int, field: ArraySlice<UInt8>)?
    for line in text {
      let content = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = content.first, first > 0x20, !isComment(content) else {
        last = nil
        continue
      }
      if first == UInt8(ascii: "["), form == .lines {
        (section, open, last) = (content, [], nil)
        continue
      }
      guard let (key, value) = entry(content) else {
        // A value may continue, or be below its key.
        if let last, let known = groups[last.group]?[last.number]?[last.field] {
          groups[last.group]?[last.number]?[last.field] =
            text.bytes[known.startIndex..<line.endIndex]
        }
        continue
      }
      last = nil
      let scope = scope(of: key, at: content.startIndex - line.startIndex)
      guard let parts = Self.cut(key) else { continue }
      let group = Group(scope: scope, prefix: parts.prefix)
      let old = groups[group, default: [:]][parts.number, default: [:]]
        .updateValue(value, forKey: parts.field)
      if old != nil { doubled.insert(group) }
      last = (group, parts.number, parts.field)
    }
    for group in doubled { groups[group] = nil }
    groups = groups.filter { $0.value.count > 1 }
  }

  private func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    ["#", "//", "/*", ";", "!", "<!--"].contains { line.starts(with: $0.utf8) }
  }

  private mutating func scope(
    of key: ArraySlice<UInt8>, at column: Int
  ) -> [ArraySlice<UInt8>] {
    guard form == .lines else { return [] }
    while let last = open.last, last.column >= column { open.removeLast() }
    let scope = (section.isEmpty ? [] : [section]) + open.map(\.key)
    open.append((column, key))
    return scope
  }

  /// Returns the key at the start of a line, and the rest.
  private func entry(
    _ line: ArraySlice<UInt8>
  ) -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    switch form {
    case .lines, .rows:
      let quote = line.first == UInt8(ascii: "\"")
      let start = quote ? line.dropFirst() : line
      let key = start.prefix { Self.isKeyPart($0) }
      let rest = start[key.endIndex...].drop { $0 == 0x20 || $0 == UInt8(ascii: "\"") }
      let separators = form == .rows ? ",;\t" : "=:"
      guard !key.isEmpty, let sign = rest.first, separators.utf8.contains(sign) else { return nil }
      return (key, Self.trimmed(rest.dropFirst()))
    case .attributes:
      guard let start = line.range(of: Array(" name=\"".utf8)) else { return nil }
      let key = line[start.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
      return (key, Self.trimmed(line[key.endIndex...].drop { $0 != UInt8(ascii: ">") }))
    case .propertyList:
      guard line.starts(with: "<key>".utf8) else { return nil }
      let key = line.dropFirst(5).prefix { $0 != UInt8(ascii: "<") }
      return (key, line[line.endIndex...])
    case .messages:
      guard line.starts(with: "msgid \"".utf8) else { return nil }
      let key = line.dropFirst(7).prefix { $0 != UInt8(ascii: "\"") }
      return (key, line[line.endIndex...])
    }
  }

  private static func isKeyPart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "_.-/".utf8.contains(byte)
  }

  /// Returns a value without its line's end and a final comma, which the last value lacks.
  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value.drop { $0 == 0x20 }
    while let last = value.last, last <= 0x20 || last == UInt8(ascii: ",") { value.removeLast() }
    return value
  }

  /// Divides a key at its first number; returns `nil` if it has none.
  private static func cut(
    _ key: ArraySlice<UInt8>
  ) -> (prefix: ArraySlice<UInt8>, number: Int, field: ArraySlice<UInt8>)? {
    guard let start = key.firstIndex(where: \.isDigit) else { return nil }
    let digits = key[start...].prefix(while: \.isDigit)
    guard digits.count < 7, let number = Int(String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    return (key[..<start], number, key[digits.endIndex...])
  }
}
