internal import Foundation

extension PropertyListValue {
  /// Returns the property list in XML.
  /// - Parameter isExtended: Whether to write values that XML's property lists lack, in our own elements.
  /// - Returns: `nil` if such values exist and aren't written.
  func text(isExtended: Bool) -> [UInt8]? {
    var text = Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8) + [.lineFeed]
    text += Array(#"<plist version="1.0">"#.utf8) + [.lineFeed]
    guard write(to: &text, depth: 0, isExtended) else { return nil }
    text += Array("</plist>\n".utf8)
    return text
  }

  private func write(to text: inout [UInt8], depth: Int, _ isExtended: Bool) -> Bool {
    let indent = [UInt8](repeating: 0x09, count: depth)
    text += indent
    func leaf(_ element: String, _ content: some Sequence<UInt8>) {
      text += Array("<\(element)>".utf8) + content + Array("</\(element)>\n".utf8)
    }
    switch self {
    case .null:
      text += Array("<null/>\n".utf8)
      return isExtended
    case .bool(let value): text += Array("<\(value)/>\n".utf8)
    case .integer(let value): leaf("integer", value.description.utf8)
    case .real(let value): leaf("real", PropertyListNumber.text(value).utf8)
    case .float(let value):
      leaf(isExtended ? "float" : "real", PropertyListNumber.text(value).utf8)
    case .date(let value):
      leaf("date", PropertyListDate.text(isExtended ? value : value.rounded(.down)).utf8)
    case .data(let value): leaf("data", Data(value).base64EncodedString().utf8)
    case .string(let value): leaf("string", Self.escaped(value))
    case .uid(let value) where isExtended: leaf("uid", value.description.utf8)
    case .uid(let value):
      text.removeLast(indent.count)
      let reference = PropertyListValue.integer(Int128(value))
      return PropertyListValue.dictionary([(Array("CF$UID".utf8), reference)])
        .write(to: &text, depth: depth, isExtended)
    case .array(let values):
      return write(values, "array", to: &text, indent, isExtended)
    case .set(let values):
      return write(values, "set", to: &text, indent, isExtended) && isExtended
    case .dictionary(let members):
      guard !members.isEmpty else {
        text += Array("<dict/>\n".utf8)
        return true
      }
      text += Array("<dict>\n".utf8)
      for member in members {
        text += indent + [0x09]
        leaf("key", Self.escaped(member.key))
        guard member.value.write(to: &text, depth: depth + 1, isExtended) else { return false }
      }
      text += indent + Array("</dict>\n".utf8)
    }
    return true
  }

  private func write(
    _ values: [PropertyListValue], _ element: String, to text: inout [UInt8], _ indent: [UInt8],
    _ isExtended: Bool
  ) -> Bool {
    guard !values.isEmpty else {
      text += Array("<\(element)/>\n".utf8)
      return true
    }
    text += Array("<\(element)>\n".utf8)
    for value in values {
      guard value.write(to: &text, depth: indent.count + 1, isExtended) else { return false }
    }
    text += indent + Array("</\(element)>\n".utf8)
    return true
  }

  /// Returns text whose only control characters are line feeds and tabs, so that it can't be mistaken for
  /// anything else.
  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    var written: [UInt8] = []
    for byte in XMLText.escaped(text) {
      let isPlain = byte >= 0x20 || byte == .lineFeed || byte == 0x09
      written += isPlain ? [byte] : Array("&#\(byte);".utf8)
    }
    return written
  }
}

extension PropertyListValue {
  /// Reads a value from a property list in XML.
  /// - Returns: `nil` if a number, a date or data isn't valid.
  init?(_ tree: StructureTree, _ node: Int = StructureTree.root) {
    let bytes = tree.bytes[tree[node].value]
    let element = String(
      decoding: bytes.dropFirst().prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") },
      as: UTF8.self)
    if tree[node].kind == .mapping {
      var members: [(key: [UInt8], value: PropertyListValue)] = []
      for member in tree.members(of: node) {
        let key = tree.bytes[tree[member].key]
        guard let name = PropertyListParser.text(ofElement: key),
          let value = PropertyListValue(tree, member)
        else { return nil }
        members.append((name, value))
      }
      self = .dictionary(members)
    } else if tree[node].kind == .list {
      let values = tree.members(of: node).map { PropertyListValue(tree, $0) }
      let known = values.compactMap(\.self)
      guard known.count == values.count else { return nil }
      self = element == "set" ? .set(known) : .array(known)
    } else {
      self.init(element, PropertyListParser.text(ofElement: bytes) ?? [])
    }
  }

  private init?(_ element: String, _ content: [UInt8]) {
    if element == "string" {
      self = .string(content)
      return
    }
    let text = String(decoding: content.filter { !$0.isSpace }, as: UTF8.self)
    let value: PropertyListValue? =
      switch element {
      case "null": .null
      case "true": .bool(true)
      case "false": .bool(false)
      case "integer":
        (text.lowercased().hasPrefix("0x") ? Int128(text.dropFirst(2), radix: 16) : Int128(text))
          .map { .integer($0) }
      case "real": PropertyListNumber.double(text).map { .real($0) }
      case "float": PropertyListNumber.float(text).map { .float($0) }
      case "date": PropertyListDate.seconds(text).map { .date($0) }
      case "uid": UInt64(text).map { .uid($0) }
      case "data": Data(base64Encoded: text).map { .data(Array($0)) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
