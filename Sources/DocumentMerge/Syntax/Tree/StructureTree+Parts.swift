internal import Foundation

/// The parts of a member.
extension StructureTree.Node {
  var whole: Range<Int> { Int(start)..<Int(end) }
  var lead: Range<Int> { Int(start)..<Int(keyStart) }
  var key: Range<Int> { Int(keyStart)..<Int(valueStart) }
  var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  var gap: Range<Int> { Int(valueEnd)..<Int(separatorStart) }
  var separator: Range<Int> { Int(separatorStart)..<Int(separatorEnd) }
  var trail: Range<Int> { Int(separatorEnd)..<Int(end) }
  /// The bytes before the separator.
  var body: Range<Int> { Int(start)..<Int(separatorStart) }
  /// The bytes after a container's last member, including its end.
  var tail: Range<Int> { Int(tailStart)..<Int(valueEnd) }

  subscript(part: StructureTree.Part) -> Range<Int> {
    switch part {
    case .lead: lead
    case .key: key
    case .value: value
    case .gap: gap
    case .trail: trail
    case .body: body
    case .tail: tail
    }
  }
}

extension StructureTree {
  /// The names of a member's parts.
  enum Part { case lead, key, value, gap, trail, body, tail }

  /// Returns whether a range of bytes is equal to one of another document.
  func hasEqual(_ range: Range<Int>, _ other: StructureTree, _ otherRange: Range<Int>) -> Bool {
    guard range.count == otherRange.count else { return false }
    return bytes.withUnsafeBytes { one in
      other.bytes.withUnsafeBytes { two in
        guard !range.isEmpty, let one = one.baseAddress, let two = two.baseAddress else {
          return true
        }
        return memcmp(one + range.lowerBound, two + otherRange.lowerBound, range.count) == 0
      }
    }
  }

  /// True if the document has comments in lines of their own, and neither a key nor a value.
  var hasOnlyComments: Bool {
    let isWithoutMembers = (0..<count).allSatisfy { node in
      self[node].key.isEmpty && (self[node].kind != .leaf || self[node].value.isEmpty)
    }
    let lines = isWithoutMembers ? bytes.split(separator: .lineFeed) : []
    let texts = lines.map { $0.drop { $0.isSpace } }.filter { !$0.isEmpty }
    return !texts.isEmpty
      && texts.allSatisfy { "#;%!".utf8.contains($0[$0.startIndex]) || $0.starts(with: "//".utf8) }
  }
}
