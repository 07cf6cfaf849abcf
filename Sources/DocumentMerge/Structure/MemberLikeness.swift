/// How much values that are not equal have in common.
extension StructureMerge {
  /// What the members of a mapping say, or an element's attributes and contents.
  func parts(of tree: StructureTree, _ node: Int) -> [MemberPart] {
    sizedParts(of: tree, node).map(\.part)
  }

  /// The same, and how many bytes the value of each has.
  private func sizedParts(
    of tree: StructureTree, _ node: Int
  ) -> [(part: MemberPart, size: Int)] {
    tree.members(of: node).flatMap { member in
      if tree[node].kind == .record, tree[member].kind.isMapping {
        return sizedParts(of: tree, member)
      }
      let name = tree.name(of: member, format)
      return [(MemberPart(name: name, value: tree[member].valueHash), tree[member].value.count)]
    }
  }

  /// Whether half of what two mappings say or more is the same, by its bytes: many have the same few small members.
  func sayMostlyTheSame(_ one: (StructureTree, Int), _ other: (StructureTree, Int)) -> Bool {
    let (first, second) = (sizedParts(of: one.0, one.1), sizedParts(of: other.0, other.1))
    let shared = Set(second.map(\.part))
    let equal = first.reduce(0) { $0 + (shared.contains($1.part) ? $1.size : 0) }
    let all = max(first.reduce(0) { $0 + $1.size }, second.reduce(0) { $0 + $1.size })
    return 2 * equal >= all
  }

  /// Whether half of some values or more is the same.
  func areMostlyEqual(_ values: [[MemberPart]]) -> Bool {
    let equal = values.dropFirst().reduce(Set(values[0])) { $0.intersection($1) }
    let names = Set(values.flatMap { $0.map(\.name) })
    return 2 * equal.count >= names.count
  }
}

/// A word of a text, or a member of a mapping.
struct MemberPart: Hashable {
  let name: [UInt8]
  var value = 0
}
