/// The keys and anchors that the lines of an unreadable document seem to contain.
///
/// Lines of texts may also count as keys, because only names that a merge has more often than its sides
/// matter.
struct YAMLClaimedLines {
  /// How often each key occurs, by the hash of its path.
  private var keys: [Int: Int] = [:]
  /// How often each anchor is defined.
  private var anchors: [ArraySlice<UInt8>: Int] = [:]

  /// The anchors that are defined several times, so that a reference may refer to a different one with the
  /// same name.
  private var doubledAnchors: [ArraySlice<UInt8>] {
    anchors.filter { $0.value > 1 }.map { Array($0.key)[...] }
  }

  /// Returns whether a changed text contains an anchor that is defined several times.
  func hasDoubledAnchor(in changed: [ArraySlice<UInt8>]) -> Bool {
    doubledAnchors.contains { anchor in
      changed.contains { line in
        "&*".utf8.contains { line.range(of: [$0] + anchor) != nil }
      }
    }
  }

  /// Returns whether each duplicate key is at least as frequent in one of the other documents.
  func isCovered(by others: [YAMLClaimedLines]) -> Bool {
    keys.allSatisfy { key, count in
      count == 1 || others.contains { $0.keys[key, default: 0] >= count }
    }
  }

  init(_ text: [UInt8]) {
    var open: [(column: Int, way: Int)] = []
    var number = 0
    /// Enters a member in a column, and returns the hash of its path, which consists of the path of the
    /// enclosing member and its name.
    func enter(_ name: [UInt8], at column: Int) -> Int {
      while let last = open.last, last.column >= column { open.removeLast() }
      var hasher = Hasher()
      hasher.combine(open.last?.way ?? 0)
      hasher.combine(name)
      let way = hasher.finalize()
      open.append((column, way))
      return way
    }
    for line in text.split(separator: .lineFeed) {
      count(anchorsIn: line)
      var rest = line.drop { $0 == 0x20 }
      if line.starts(with: "---".utf8) {
        open = []
        rest = []
        number += 1
        _ = enter(Array("--- \(number)".utf8), at: -1)
      }
      while rest.first == UInt8(ascii: "-"), rest.dropFirst().first == 0x20 {
        number += 1
        _ = enter(Array("- \(number)".utf8), at: rest.startIndex - line.startIndex)
        rest = rest.dropFirst().drop { $0 == 0x20 }
      }
      let column = rest.startIndex - line.startIndex
      while rest.first == UInt8(ascii: "&") || rest.first == UInt8(ascii: "!") {
        rest = rest.drop { $0 != 0x20 }.drop { $0 == 0x20 }
      }
      guard rest.first != UInt8(ascii: "#"), let key = YAMLKey(rest) else { continue }
      keys[enter(key.name, at: column), default: 0] += 1
    }
  }

  private mutating func count(anchorsIn line: ArraySlice<UInt8>) {
    var rest = line
    while let index = rest.firstIndex(of: UInt8(ascii: "&")) {
      let name = rest[(index + 1)...].prefix(while: \.isInName)
      let isStart = index == line.startIndex || " [{,".utf8.contains(line[index - 1])
      if isStart, !name.isEmpty { anchors[name, default: 0] += 1 }
      rest = rest[name.endIndex...]
    }
  }
}

extension YAMLFormat {
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    let result = YAMLClaimedLines(lines)
    let known = sides.all.map { YAMLClaimedLines($0) }
    func all(_ document: [UInt8]) -> Set<ArraySlice<UInt8>> {
      Set(document.split(separator: .lineFeed))
    }
    let old = all(sides.base ?? [])
    let changed = [sides.ours, sides.theirs].flatMap { old.symmetricDifference(all($0)) }
    let isDoubtful =
      ([result] + known).contains { $0.hasDoubledAnchor(in: changed) }
      || !result.isCovered(by: known)
    return isDoubtful ? "And its lines may not mean the same once they are merged." : nil
  }
}
