/// Lists that are sorted where both sides added items.
extension ProseContext {
  /// The number of items that are checked before and after the added ones.
  private static let reach = 3

  /// Returns whether the items that each side added, and the items around them, are sorted on both sides.
  func isSorted(
    items: ProseUnit, _ ours: Range<Int>, _ theirs: Range<Int>
  ) -> Bool {
    guard case .listItem(let marker) = items.kind, marker.number == nil else { return false }
    let indentation = marker.indentation
    return Self.isSorted(text.ours, kinds.ours, around: ours, indentation)
      && Self.isSorted(text.theirs, kinds.theirs, around: theirs, indentation)
  }

  private static func isSorted(
    _ text: TextLines, _ kinds: [ProseLine], around lines: Range<Int>, _ indentation: Int
  ) -> Bool {
    func key(_ line: Int) -> String? {
      guard case .listItem(let marker) = kinds[line], marker.indentation == indentation else {
        return nil
      }
      return ProseUnit.itemKey(of: text[line].dropFirst(marker.length))
    }
    func neighbours(_ lines: some Sequence<Int>) -> [String] {
      let list = lines.prefix { line in
        guard case .listItem(let marker) = kinds[line] else { return kinds[line] == .paragraph }
        return marker.indentation >= indentation
      }
      return Array(list.lazy.compactMap(key).prefix(reach))
    }
    let before = neighbours((0..<lines.lowerBound).reversed())
    let after = neighbours(lines.upperBound..<kinds.count)
    let keys = before.reversed() + lines.compactMap(key) + after
    return before.count + after.count >= reach
      && zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
  }
}

extension ProseContext {
  /// Returns the bullet of ours' item before a line.
  func bullet(before line: Int) -> UInt8? {
    for line in (0..<line).reversed() {
      switch kinds.ours[line] {
      case .listItem(let marker):
        return marker.number == nil
          ? text.ours[line].first { !$0.isSpace } : nil
      case .blank, .paragraph: continue
      default: return nil
      }
    }
    return nil
  }
}

extension ProseUnit {
  /// The bullet of a list item without a number.
  var bullet: UInt8? {
    guard case .listItem(let marker) = kind, marker.number == nil else { return nil }
    return bytes.first { !$0.isSpace }
  }

  /// The mark after the number of a numbered item.
  var numberMark: UInt8? {
    guard case .listItem(let marker) = kind, marker.number != nil else { return nil }
    return bytes.dropFirst(marker.prefix + marker.digits).first
  }

  /// Returns the same item with another bullet.
  func with(bullet: UInt8) -> ProseUnit {
    guard self.bullet != nil, let place = bytes.firstIndex(where: { !$0.isSpace }) else {
      return self
    }
    var bytes = bytes
    bytes[place] = bullet
    return ProseUnit(kind: kind, lines: lines, bytes: bytes, words: words)
  }
}

extension ProseUnit {
  /// The letters and digits of an item in lowercase, by which lists are sorted.
  var itemKey: String { Self.itemKey(of: content) }

  fileprivate static func itemKey(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
      .filter { $0.isLetter || $0.isNumber || $0 == " " }.lowercased()
  }
}
