import DocumentMerge
import DocumentTestSupport

/// An XML element that a test makes and edits.
struct RandomXML {
  enum Content {
    case text(String)
    case elements([RandomXML])
  }

  var name: String
  var attributes: [(name: String, value: String)] = []
  var comment = ""
  var content: Content

  func written(_ style: RandomJSON.Style) -> [UInt8] {
    Array(("<?xml version=\"1.0\"?>\n" + text(style, depth: 0) + "\n").utf8)
  }

  private func text(_ style: RandomJSON.Style, depth: Int) -> String {
    let (indent, end) = (style.indent(depth), style.hasLines ? "\n" : "")
    let attributes = attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
    let start = (comment.isEmpty ? "" : "\(indent)<!-- \(comment) -->\(end)") + indent
    switch content {
    case .text(let text) where text.isEmpty: return start + "<\(name)\(attributes)/>"
    case .elements(let elements) where elements.isEmpty: return start + "<\(name)\(attributes)/>"
    case .text(let text): return start + "<\(name)\(attributes)>\(text)</\(name)>"
    case .elements(let elements):
      let inner = elements.map { $0.text(style, depth: depth + 1) + end }.joined()
      return start + "<\(name)\(attributes)>\(end)\(inner)\(indent)</\(name)>"
    }
  }

  /// The number of elements in this one, including itself.
  var count: Int {
    guard case .elements(let elements) = content else { return 1 }
    return elements.reduce(1) { $0 + $1.count }
  }

  fileprivate var isItem: Bool { name == "item" }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// An element with attributes, and with text, parts of different names or items told apart by id.
  mutating func xml(_ name: String = "doc", depth: Int = 0) -> RandomXML {
    var element = RandomXML(name: name, content: .text(["", "1", "a b", "é &amp; c"][pick(4)]))
    for name in ["x", "y", "z:w"].shuffled(using: &self).prefix(pick(3)) {
      element.attributes.append((name, "\(pick(9))"))
    }
    if depth == 0 { element.attributes.append(("xmlns:z", "urn:z")) }
    switch depth == 0 ? 1 : pick(depth > 2 ? 1 : 3) {
    case 1:
      let names = ["a", "b", "c", "z:d"].shuffled(using: &self).prefix(pick(4) + 1)
      var parts: [RandomXML] = []
      for name in names { parts.append(xml(name, depth: depth + 1)) }
      element.content = .elements(parts)
    case 2:
      var items: [RandomXML] = []
      for _ in 0..<pick(4) {
        // Ids are unique in a whole document.
        var item = xml("item", depth: depth + 1)
        item.attributes.insert(("id", "i\(UInt32.random(in: 0...(.max), using: &self))"), at: 0)
        items.append(item)
      }
      element.content = .elements(items)
    default: break
    }
    return element
  }

  /// The element after some edits; each has a mark and a number of its own.
  mutating func edited(_ element: RandomXML, mark: String) -> RandomXML {
    var element = element
    for number in 0...pick(4) {
      var target = pick(element.count)
      edit(&element, at: &target, "\(mark)\(number)")
    }
    return element
  }

  private mutating func edit(_ element: inout RandomXML, at target: inout Int, _ new: String) {
    target -= 1
    if target < 0 { return change(&element, new) }
    guard case .elements(var elements) = element.content else { return }
    for index in elements.indices where target >= 0 { edit(&elements[index], at: &target, new) }
    element.content = .elements(elements)
  }

  /// One edit of one element.
  private mutating func change(_ element: inout RandomXML, _ new: String) {
    let first = element.isItem ? 1 : 0
    let count = element.attributes.count { !$0.name.hasPrefix("xmlns") }
    switch pick(6) {
    case 0 where count > first: element.attributes[first + pick(count - first)].value = new
    case 1 where count > first: element.attributes.remove(at: first + pick(count - first))
    case 2:
      element.attributes.insert(
        ("n-\(new)", new), at: first + pick(element.attributes.count - first + 1))
    case 3: element.comment = new
    default:
      guard case .elements(var elements) = element.content else {
        return element.content = .text(new)
      }
      let isItems = elements.allSatisfy(\.isItem) && !elements.isEmpty
      switch pick(4) {
      case 0 where !elements.isEmpty: elements.remove(at: pick(elements.count))
      case 1 where isItems: elements.shuffle(using: &self)
      default:
        let added = RandomXML(
          name: isItems ? "item" : "n-\(new)", attributes: isItems ? [("id", new)] : [],
          content: .text(new))
        elements.insert(added, at: pick(2) == 0 ? elements.count : pick(elements.count + 1))
      }
      element.content = .elements(elements)
    }
  }

  /// A base and two edited sides.
  mutating func xmlSides() -> MergeSides<[UInt8]> {
    let base = xml()
    let styles: [RandomJSON.Style] = [.two, .two, .four, .tab, .compact]
    let style = styles[pick(styles.count)]
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(
      base: base.written(style), ours: ours.written(style), theirs: theirs.written(style))
  }
}
