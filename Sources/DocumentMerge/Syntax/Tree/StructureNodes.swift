/// The nodes of a tree, most of which take a third of the usual space.
///
/// A leaf with short parts, and nothing between value and separator nor after it, is stored in a few bytes.
/// All other nodes are stored unchanged.
struct StructureNodes: Sendable {
  private var slots: [Slot] = []
  private var others: [StructureTree.Node] = []

  init(capacity: Int) { slots.reserveCapacity(capacity) }

  var count: Int { slots.count }

  subscript(index: Int) -> StructureTree.Node {
    get {
      let slot = slots[index]
      return slot.isLeaf ? slot.leaf(at: index) : others[Int(slot.place)]
    }
    set {
      if !slots[index].isLeaf {
        others[Int(slots[index].place)] = newValue
      } else if let slot = Slot(newValue, at: index) {
        slots[index] = slot
      } else {
        slots[index] = Slot(other: others.count)
        others.append(newValue)
      }
    }
  }

  /// Returns the node after a node's subtree.
  func next(after index: Int) -> Int {
    let slot = slots[index]
    return slot.isLeaf ? index + 1 : Int(others[Int(slot.place)].next)
  }

  mutating func append(_ node: StructureTree.Node) {
    if let slot = Slot(node, at: slots.count) { return slots.append(slot) }
    slots.append(Slot(other: others.count))
    others.append(node)
  }
}

/// A short leaf, or the index of another node.
private struct Slot {
  /// The start of the leaf, or the index of the other node.
  let place: Int32
  private let lead: UInt8
  private let key: UInt8
  private let value: UInt8
  /// The length of the separator; 255 for another node.
  private let separator: UInt8
  private let valueHash: Int

  private static let other: UInt8 = .max

  var isLeaf: Bool { separator != Self.other }

  init(other place: Int) {
    self.place = Int32(place)
    (lead, key, value, separator, valueHash) = (0, 0, 0, Self.other, 0)
  }

  /// - Returns: `nil` if the node is too long, or isn't a leaf.
  init?(_ node: StructureTree.Node, at index: Int) {
    guard node.kind == .leaf, Int(node.next) == index + 1, node.tailStart == node.valueEnd,
      node.separatorStart == node.valueEnd, node.end == node.separatorEnd,
      let lead = UInt8(exactly: node.keyStart - node.start),
      let key = UInt8(exactly: node.valueStart - node.keyStart),
      let value = UInt8(exactly: node.valueEnd - node.valueStart),
      let separator = UInt8(exactly: node.separatorEnd - node.separatorStart),
      separator != Self.other
    else { return nil }
    place = node.start
    valueHash = node.valueHash
    (self.lead, self.key, self.value, self.separator) = (lead, key, value, separator)
  }

  func leaf(at index: Int) -> StructureTree.Node {
    let keyStart = place + Int32(lead)
    let valueStart = keyStart + Int32(key)
    let valueEnd = valueStart + Int32(value)
    let end = valueEnd + Int32(separator)
    return StructureTree.Node(
      start: place, keyStart: keyStart, valueStart: valueStart, tailStart: valueEnd,
      valueEnd: valueEnd, separatorStart: valueEnd, separatorEnd: end, end: end,
      next: Int32(index + 1), kind: .leaf, valueHash: valueHash)
  }
}
