/// The faults of markup, whether it can be read or not: duplicate attributes in a tag, and tags that don't
/// nest.
struct MarkupFaults {
  private let doubledAttributes: Int
  private let crossedTags: Int

  /// Reads markup.
  init(in bytes: [UInt8]) {
    doubledAttributes = DoubledAttributes.count(in: bytes)
    crossedTags = Self.crossedTags(in: bytes)
  }

  /// Returns the reason why a merged document may be wrong although no side is; `nil` if it has no new
  /// faults.
  func reason(notIn sides: [[UInt8]]) -> String? {
    guard doubledAttributes > 0 || crossedTags > 0 else { return nil }
    let faults = sides.map { MarkupFaults(in: $0) }
    if faults.allSatisfy({ $0.doubledAttributes < doubledAttributes }) {
      return "With both changes, an element has one attribute twice."
    }
    return faults.allSatisfy({ $0.crossedTags < crossedTags })
      ? "With both changes, elements do not nest." : nil
  }

  /// Returns the number of end tags that don't end the innermost open element.
  private static func crossedTags(in bytes: [UInt8]) -> Int {
    var (count, open): (Int, [ArraySlice<UInt8>]) = (0, [])
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = rest.range(of: Array("-->".utf8)).map { rest[$0.upperBound...] } ?? []
        continue
      }
      let isEnd = rest.first == UInt8(ascii: "/")
      if isEnd { rest = rest.dropFirst() }
      let name = rest.prefix { $0.isLetter || $0 == 0x2D }
      guard !name.isEmpty else { continue }
      let text = String(decoding: HTMLNames.lowercased(name), as: UTF8.self)
      // Elements with an optional end tag show nothing.
      guard !HTMLNames.void.contains(text), !HTMLNames.optional.contains(text) else { continue }
      if isEnd {
        if open.last == name { open.removeLast() } else { count += 1 }
      } else {
        var quote: UInt8?
        let end = rest.firstIndex { byte in
          if byte == quote {
            quote = nil
          } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            quote = byte
          }
          return quote == nil && byte == UInt8(ascii: ">")
        }
        guard let end else { break }
        if rest[..<end].last != UInt8(ascii: "/") { open.append(name) }
        rest = rest[end...]
      }
    }
    return count
  }
}
