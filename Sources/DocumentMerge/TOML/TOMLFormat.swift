/// TOML 1.0: tables by their full name, lists of tables by what tells their members apart.
///
/// A table's members are lines; only inline tables and arrays have separators.
struct TOMLFormat: StructuredFormat {
  var name: String { "toml" }

  func separator(in kind: StructureTree.Kind) -> [UInt8] {
    kind.isLines ? [] : [UInt8(ascii: ",")]
  }

  /// Names, then what lock files, linters' overrides and sites' redirects are told apart by.
  var identities: [MemberIdentity] {
    [
      MemberIdentity("id"), MemberIdentity("name"),
      MemberIdentity("name", "version", optional: ["source"], isReplaceable: true),
      MemberIdentity("module"), MemberIdentity("from"), MemberIdentity("for"),
      MemberIdentity("key"), MemberIdentity("path"), MemberIdentity("url"),
    ]
  }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    var parser = TOMLParser(text)
    return try parser.parse()
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    var parser = TOMLKeyReader(bytes: key)
    let isHeader = key.first == UInt8(ascii: "[")
    if isHeader { parser.position += 1 }
    guard let path = parser.path() else { return Array(key) }
    return isHeader ? TOMLKeyReader.header(path) : TOMLKeyReader.name(path)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    TOMLString(at: leaf.startIndex, in: leaf)?.text
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    guard !text.contains(0x7F) else { return nil }
    for quotes in ["\"\"\"", "'''"].map({ Array($0.utf8) }) where model.starts(with: quotes) {
      // Long texts keep their lines, if nothing in them has to be escaped.
      let isPlain = text.allSatisfy { $0 >= 0x20 || $0 == .lineFeed || $0 == 0x09 }
      guard isPlain, !text.contains(quotes[0]), !(text + model).contains(JSONString.backslash)
      else { return nil }
      let start: [UInt8] = model.dropFirst(3).first == .lineFeed ? [.lineFeed] : []
      guard !start.isEmpty || text.first != .lineFeed else { return nil }
      return quotes + start + text + quotes
    }
    return JSONString.literal(for: text)
  }

  /// Line breaks inside strings are content.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    guard !shift.isNothing else { return Array(bytes) }
    var result: [UInt8] = []
    var (start, index) = (bytes.startIndex, bytes.startIndex)
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "#"):
        index = bytes[index...].firstIndex(of: .lineFeed) ?? bytes.endIndex
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = TOMLString(at: index, in: bytes)?.end ?? bytes.endIndex
        result += shift.applied(to: bytes[start..<index]) + bytes[index..<end]
        (start, index) = (end, end)
      default: index += 1
      }
    }
    return result + shift.applied(to: bytes[start...])
  }
}
