/// A key at the start of a line of settings.
struct SettingsKey {
  let name: [UInt8]
  let valueStart: Int

  /// Reads a key and the separator before its value; `nil` if there is none.
  init?(at content: ArraySlice<UInt8>, _ dialect: SettingsDialect) {
    let found =
      switch dialect {
      case .sections, .lists, .patterns: Self.readSetting(content)
      case .properties: Self.readProperty(content)
      }
    // Java allows an empty key.
    guard let found, dialect == .properties || !found.name.isEmpty else { return nil }
    (name, valueStart) = found
  }

  private static func readSetting(
    _ content: ArraySlice<UInt8>
  ) -> (name: [UInt8], valueStart: Int)? {
    let isQuoted = content.first == UInt8(ascii: "\"")
    let start =
      isQuoted
      ? content.dropFirst().firstIndex(of: UInt8(ascii: "\"")) ?? content.startIndex
      : content.startIndex
    let separator = separator(in: content[start...])
    guard let separator else {
      // A single word is a switch; several may be a key and a value.
      let isWord = !content.contains { $0.isSpace || "{}();$<>\\\"'".utf8.contains($0) }
      return isWord ? (Array(content), content.endIndex) : nil
    }
    var key = content[..<separator]
    while key.last?.isSpace ?? false { key.removeLast() }
    if key.starts(with: "export ".utf8) { key = key.dropFirst(7).drop { $0.isSpace } }
    let isKey =
      !key.contains { "{};$<>\\".utf8.contains($0) }
      && key.split(whereSeparator: \.isSpace).count <= 3
    guard isKey else { return nil }
    let value = content[(separator + 1)...].firstIndex { !$0.isSpace } ?? content.endIndex
    return (Array(key), value)
  }

  /// Returns the first equals sign, or the first colon if a space follows it or there is no equals sign.
  private static func separator(in content: ArraySlice<UInt8>) -> Int? {
    let equals = content.firstIndex(of: UInt8(ascii: "="))
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")), colon < equals ?? .max else {
      return equals
    }
    let isApart = colon + 1 == content.endIndex || content[colon + 1].isSpace
    return isApart ? colon : equals ?? colon
  }

  private static func readProperty(
    _ content: ArraySlice<UInt8>
  ) -> (name: [UInt8], valueStart: Int)? {
    var (end, isEscaped) = (content.startIndex, false)
    while end < content.endIndex, isEscaped || !"=: \t".utf8.contains(content[end]) {
      isEscaped = content[end] == UInt8(ascii: "\\") && !isEscaped
      end += 1
    }
    var value = content[end...].drop { $0.isSpace }
    if let first = value.first, "=:".utf8.contains(first) {
      value = value.dropFirst().drop { $0.isSpace }
    }
    return (Array(content[..<end]), value.startIndex)
  }
}
