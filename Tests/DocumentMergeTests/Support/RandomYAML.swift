import DocumentMerge
import DocumentTestSupport

/// A YAML document that a test makes and edits.
struct RandomYAML {
  /// How a document is laid out.
  struct Style {
    var indent = 2
    /// True if lists stand in the column of their key.
    var isLevel = false
  }

  /// A key and its value, with a comment above it.
  struct Pair {
    var key: String
    var value: Value
    var comment = ""
  }

  indirect enum Value {
    /// A scalar in its own lines, the first on the line of the key; others are indented further.
    case scalar([String])
    case mapping([Pair])
    /// Records with an id.
    case records([[Pair]])
    case texts([String])
  }

  var pairs: [Pair]
  var style = Style()

  var written: [UInt8] { Array(Self.lines(pairs, style, "").map { $0 + "\n" }.joined().utf8) }

  private static func lines(_ pairs: [Pair], _ style: Style, _ indent: String) -> [String] {
    pairs.flatMap { pair -> [String] in
      let comment = pair.comment.isEmpty ? [] : [indent + "# " + pair.comment]
      let inner = indent + String(repeating: " ", count: style.indent)
      let items = style.isLevel ? indent : inner
      let open = indent + pair.key + ":"
      switch pair.value {
      case .scalar(let lines):
        let rest = lines.dropFirst().map { $0.isEmpty ? "" : inner + $0 }
        return comment + [open + (lines[0].isEmpty ? "" : " " + lines[0])] + rest
      case .mapping(let pairs):
        return comment + [open] + self.lines(pairs, style, inner)
      case .texts(let texts):
        return comment + [open] + texts.map { items + "- " + $0 }
      case .records(let records):
        return comment + [open]
          + records.flatMap { record in
            let lines = self.lines(record, style, items + "  ")
            return [items + "- " + lines[0].dropFirst(items.count + 2)] + lines.dropFirst()
          }
      }
    }
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func scalar() -> RandomYAML.Value {
    let scalars = [
      ["1"], ["1.50"], ["true"], ["\"a b\""], ["'it''s'"], ["[1, 2]"], ["{p: 1, q: x}"], [""],
      ["plain words", "that go on"], ["|", "line one", "  line two", "", "line three"],
      [">-", "folded lines", "of words"], ["word # a comment"], ["!tag x"], ["[", "x,", "y", "]"],
    ]
    return .scalar(scalars[pick(scalars.count)])
  }

  private mutating func yamlPairs(depth: Int) -> [RandomYAML.Pair] {
    let keys = ["a", "b", "c d", "\"e f\"", "g", "<<x", "h.i"].shuffled(using: &self)
    return keys.prefix(1 + pick(4)).map { key in
      RandomYAML.Pair(
        key: key, value: yamlValue(depth: depth), comment: pick(5) == 0 ? "about \(key)" : "")
    }
  }

  private mutating func yamlValue(depth: Int) -> RandomYAML.Value {
    switch pick(depth > 0 ? 7 : 4) {
    case 4: return .mapping(yamlPairs(depth: depth - 1))
    case 5: return .records((0...pick(3)).map { record("\($0)", depth: depth - 1) })
    case 6: return .texts(["x", "y", "z z", "\"w\""].shuffled(using: &self).dropLast(pick(4)))
    default: return scalar()
    }
  }

  private mutating func record(_ id: String, depth: Int) -> [RandomYAML.Pair] {
    [RandomYAML.Pair(key: "id", value: .scalar([id]))] + yamlPairs(depth: depth)
  }

  mutating func yaml() -> RandomYAML {
    let style = RandomYAML.Style(indent: pick(3) == 0 ? 4 : 2, isLevel: pick(3) == 0)
    return RandomYAML(pairs: yamlPairs(depth: 3), style: style)
  }

  /// The document after some edits; each has a mark and a number of its own.
  private mutating func edited(
    _ document: RandomYAML, mark: String, mayLayOutAnew: Bool
  ) -> RandomYAML {
    var document = document
    for number in 0...pick(3) { edit(&document.pairs, "\(mark)\(number)", first: 0) }
    if mayLayOutAnew, pick(5) == 0 {
      document.style = RandomYAML.Style(indent: 2 + pick(3), isLevel: pick(2) == 0)
    }
    return document
  }

  /// Changes something in a mapping, or in one in it.
  private mutating func edit(_ pairs: inout [RandomYAML.Pair], _ new: String, first: Int) {
    let leaf = RandomYAML.Value.scalar([new])
    guard pairs.count > first, pick(6) > 0 else {
      let pair = RandomYAML.Pair(key: pick(3) == 0 ? "n" : new, value: leaf)
      if pairs.allSatisfy({ $0.key != pair.key }) {
        pairs.insert(pair, at: first + pick(pairs.count - first + 1))
      }
      return
    }
    let place = first + pick(pairs.count - first)
    switch (pairs[place].value, pick(8)) {
    case (_, 0) where pairs.count > first + 1: pairs.remove(at: place)
    case (_, 1): pairs[place].comment = "comment \(new)"
    case (.mapping(var inner), _):
      edit(&inner, new, first: 0)
      pairs[place].value = .mapping(inner)
    case (.records(var records), let choice):
      let index = pick(records.count)
      switch choice {
      case 2: records.insert(record(new, depth: 0), at: index)
      case 3: records.append(record(new, depth: 0))
      case 4 where records.count > 1: records.remove(at: index)
      default: edit(&records[index], new, first: 1)
      }
      pairs[place].value = .records(records)
    case (.texts(var texts), let choice):
      let index = pick(texts.count)
      if choice < 5 { texts.insert(new, at: index) } else { texts[index] = new }
      pairs[place].value = .texts(texts)
    case (.scalar, _): pairs[place].value = leaf
    }
  }

  /// A base and two edited sides.
  mutating func yamlSides() -> MergeSides<[UInt8]> {
    let base = yaml()
    // If both change the layout, the layout of ours is used.
    let isOurs = pick(2) == 0
    let ours = edited(base, mark: "o", mayLayOutAnew: isOurs)
    let theirs = edited(base, mark: "t", mayLayOutAnew: !isOurs)
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
