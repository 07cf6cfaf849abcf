/// How much values that are not equal have in common.
extension StructureMerge {
  /// What the members of a mapping say, or an element's attributes and contents.
  func parts(of tree: StructureTree, _ node: Int) -> [MemberPart] {
    tree.members(of: node).flatMap { member in
      if tree[node].kind == .record, tree[member].kind.isMapping { return parts(of: tree, member) }
      return [MemberPart(name: tree.name(of: member, format), value: tree[member].valueHash)]
    }
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
