/// Measures the nesting of an XML text's elements without recursion, because a parser recurses that deep and its stack
/// is limited.
enum XMLNesting {
  /// Returns whether elements are nested deeper than a number of levels.
  static func isDeeper(_ bytes: [UInt8], than limit: Int) -> Bool {
    var depth = 0
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      // These contain no elements.
      if let end = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
        .first(where: { rest.starts(with: $0.0.utf8) })?.1
      {
        rest = rest.after(Array(end.utf8))
        continue
      }
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      let tag = rest[..<close]
      rest = rest[(close + 1)...]
      switch tag.first {
      case UInt8(ascii: "/"): depth = max(0, depth - 1)
      case UInt8(ascii: "!"): break
      default: depth += tag.last == UInt8(ascii: "/") ? 0 : 1
      }
      if depth > limit { return true }
    }
    return false
  }
}

extension ArraySlice<UInt8> {
  /// Returns the bytes after the first occurrence of others; none if they don't occur.
  fileprivate func after(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = self
    while let start = rest.firstIndex(of: bytes[0]) {
      if rest[start...].starts(with: bytes) { return rest[(start + bytes.count)...] }
      rest = rest[(start + 1)...]
    }
    return rest.suffix(0)
  }
}
