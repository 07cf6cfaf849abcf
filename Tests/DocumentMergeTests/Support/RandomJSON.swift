import DocumentMerge
import DocumentTestSupport

/// A JSON value that a test makes and edits.
indirect enum RandomJSON: Equatable {
  case object([Member])
  case list([RandomJSON])
  /// A string, number or word, as it is spelled.
  case leaf(String)

  struct Member: Equatable {
    var key: String
    var value: RandomJSON
  }

  /// How a value is written.
  enum Style: CaseIterable {
    case two, four, tab, compact, oneLine

    /// True if members have lines of their own.
    var hasLines: Bool { self != .compact && self != .oneLine }

    /// Returns the indentation of a line at a depth.
    func indent(_ depth: Int) -> String {
      let unit =
        switch self {
        case .two: "  "
        case .four: "    "
        case .tab: "\t"
        case .compact, .oneLine: ""
        }
      return String(repeating: unit, count: depth)
    }
  }

  func written(_ style: Style) -> [UInt8] {
    Array((text(style, depth: 0) + (style == .compact ? "" : "\n")).utf8)
  }

  private func text(_ style: Style, depth: Int) -> String {
    let space = style == .oneLine ? " " : ""
    func inner(_ parts: [String], _ open: String, _ close: String) -> String {
      guard !parts.isEmpty else { return open + close }
      guard style.hasLines else { return open + parts.joined(separator: "," + space) + close }
      let indent = "\n" + style.indent(depth + 1)
      let end = "\n" + style.indent(depth)
      return open + indent + parts.joined(separator: "," + indent) + end + close
    }
    switch self {
    case .leaf(let text): return text
    case .list(let values):
      return inner(values.map { $0.text(style, depth: depth + 1) }, "[", "]")
    case .object(let members):
      let colon = style == .compact ? ":" : ": "
      return inner(
        members.map { "\"\($0.key)\"" + colon + $0.value.text(style, depth: depth + 1) }, "{", "}")
    }
  }

  /// The number of values in this one, including itself.
  var count: Int {
    switch self {
    case .leaf: 1
    case .list(let values): values.reduce(1) { $0 + $1.count }
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func leaf() -> RandomJSON {
    let leaves = ["1", "1.0", "-2e5", "true", "null", "\"a\"", "\"\\u0061b\"", "\"é\"", "\"x y\""]
    return .leaf(leaves[pick(leaves.count)])
  }

  /// A value with all kinds of containers: objects, lists of records, of texts and of anything.
  mutating func json(depth: Int = 0, repeats: Bool) -> RandomJSON {
    switch depth == 0 ? 1 : pick(depth > 2 ? 1 : 6) {
    case 1, 2:
      let keys = ["a", "b", "c", "d/e", "f g", "é"].shuffled(using: &self).prefix(pick(5) + 1)
      var members: [RandomJSON.Member] = []
      for key in keys {
        members.append(.init(key: key, value: json(depth: depth + 1, repeats: repeats)))
      }
      return .object(members)
    case 3:
      return .list(
        (0..<pick(5)).map { record($0, value: json(depth: depth + 2, repeats: repeats)) })
    case 4:
      return .list((0..<pick(5)).map { .leaf("\"w\($0)\"") })
    case 5:
      var values: [RandomJSON] = []
      for _ in 0..<pick(5) {
        let value = json(depth: depth + 1, repeats: repeats)
        if repeats || !values.contains(value) { values.append(value) }
      }
      return .list(values)
    default:
      return leaf()
    }
  }

  private func record(_ id: Int, value: RandomJSON) -> RandomJSON {
    .object([.init(key: "id", value: .leaf(String(id))), .init(key: "value", value: value)])
  }

  /// The value after some edits; each new leaf is a text with the mark and a number of its own.
  mutating func edited(_ value: RandomJSON, mark: String, edits: Int = 3) -> RandomJSON {
    var value = value
    for edit in 0..<pick(edits) + 1 {
      var target = pick(value.count)
      value = edited(value, at: &target, "\(mark)\(edit)")
    }
    return value
  }

  private mutating func edited(
    _ value: RandomJSON, at target: inout Int, _ new: String
  ) -> RandomJSON {
    if target == 0 {
      target = -1
      return changed(value, new)
    }
    target -= 1
    switch value {
    case .leaf: return value
    case .list(var values):
      for index in values.indices where target >= 0 {
        values[index] = edited(values[index], at: &target, new)
      }
      return .list(values)
    case .object(var members):
      for index in members.indices where target >= 0 {
        let isId = members[index].key == "id"
        if isId {
          target -= 1
        } else {
          members[index].value = edited(members[index].value, at: &target, new)
        }
      }
      return .object(members)
    }
  }

  /// One edit of one value.
  private mutating func changed(_ value: RandomJSON, _ new: String) -> RandomJSON {
    let leaf = RandomJSON.leaf("\"\(new)\"")
    switch value {
    case .leaf: return leaf
    case .object(var members):
      switch pick(4) {
      case 0 where !members.isEmpty && members[0].key != "id":
        members.remove(at: pick(members.count))
      case 1 where members.first?.key != "id": members.shuffle(using: &self)
      case 2 where members.allSatisfy { $0.key != "n" }:
        members.insert(.init(key: "n", value: leaf), at: pick(members.count + 1))
      default: members.append(.init(key: new, value: leaf))
      }
      return .object(members)
    case .list(var values):
      let isRecords = values.allSatisfy {
        if case .object(let m) = $0 { m.first?.key == "id" } else { false }
      }
      let added =
        isRecords && !values.isEmpty
        ? RandomJSON.object([.init(key: "id", value: leaf), .init(key: "value", value: leaf)])
        : leaf
      switch pick(4) {
      case 0 where !values.isEmpty: values.remove(at: pick(values.count))
      case 1: values.shuffle(using: &self)
      case 2: values.insert(added, at: pick(values.count + 1))
      default: values.append(added)
      }
      return .list(values)
    }
  }

  /// Returns a base and two edited sides, each possibly in its own layout.
  /// - Parameters:
  ///   - repeats: Whether lists may have equal members in base.
  ///   - written: Writes a value.
  mutating func jsonSides(
    repeats: Bool = true,
    written: (RandomJSON, RandomJSON.Style) -> [UInt8] = { $0.written($1) }
  ) -> MergeSides<[UInt8]> {
    let value = json(repeats: repeats)
    let styles = RandomJSON.Style.allCases
    let style = styles[pick(styles.count)]
    // Most edits leave the layout alone.
    let other = pick(4) == 0 ? styles[pick(styles.count)] : style
    let sides = [
      written(edited(value, mark: "o"), other), written(edited(value, mark: "t"), style),
    ]
    let ours = pick(2)
    return MergeSides(base: written(value, style), ours: sides[ours], theirs: sides[1 - ours])
  }
}
