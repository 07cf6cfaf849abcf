/// How much values that are not equal have in common.
extension StructureMerge {
  /// What the members of a mapping say, or an element's attributes and contents.
  func parts(of tree: StructureTree, _ node: Int) -> [MemberPart] {
    sizedParts(of: tree, node).map(\.part)
  }

  /// The same, and how many bytes the value of each has.
  func sizedParts(of tree: StructureTree, _ node: Int) -> [SizedPart] {
    tree.members(of: node).flatMap { member in
      if tree[node].kind == .record, tree[member].kind.isMapping {
        return sizedParts(of: tree, member)
      }
      let part = MemberPart(name: tree.name(of: member, format), value: tree[member].valueHash)
      return [SizedPart(part: part, size: tree[member].value.count)]
    }
  }

  /// What is in a mapping and the mappings in it, by the way to that.
  func leaves(of tree: StructureTree, _ node: Int, at way: [UInt8] = []) -> [MemberPart] {
    tree.members(of: node).flatMap { member in
      let way = way + tree.name(of: member, format) + [.lineFeed]
      return tree[member].kind.isMapping
        ? leaves(of: tree, member, at: way)
        : [MemberPart(name: way, value: tree[member].valueHash)]
    }
  }

  /// Whether half of what two mappings have or more is the same, by number and by bytes: many have the same few small
  /// members.
  func areMostlyEqual(_ one: [SizedPart], _ other: [SizedPart]) -> Bool {
    guard areMostlyEqual([one, other].map { $0.map(\.part) }) else { return false }
    let shared = Set(other.map(\.part))
    let equal = one.reduce(0) { $0 + (shared.contains($1.part) ? $1.size : 0) }
    return 2 * equal >= max(one.reduce(0) { $0 + $1.size }, other.reduce(0) { $0 + $1.size })
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

/// A part, and how many bytes its value has.
struct SizedPart {
  let part: MemberPart
  let size: Int
}
