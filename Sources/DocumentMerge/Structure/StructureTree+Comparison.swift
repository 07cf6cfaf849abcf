/// How documents, and values of two sides, are compared without regard to order and layout.
extension StructureTree {
  /// Whether another document says the same, but for the order of the members of lists.
  func hasEqualMembers(_ other: StructureTree, _ format: some StructuredFormat) -> Bool {
    self[Self.root].valueHash == other[Self.root].valueHash
      || hashOfMembers(format) == other.hashOfMembers(format)
  }

  /// What documents have in common whose lists have equal members, in whatever order.
  private func hashOfMembers(_ format: some StructuredFormat) -> Int {
    var hashes = [Int](repeating: 0, count: nodes.count)
    // Members stand behind their container, so theirs are known first.
    for node in nodes.indices.reversed() {
      guard self[node].kind != .leaf else {
        hashes[node] = self[node].valueHash
        continue
      }
      let isOrdered = self[node].kind == .record
      for member in members(of: node) {
        var hasher = Hasher()
        hasher.combine(hashes[member])
        if self[node].kind.isMapping { hasher.combine(name(of: member, format)) }
        let hash = hasher.finalize()
        hashes[node] = isOrdered ? mixed(hashes[node], hash) : hashes[node] &+ hash
      }
      hashes[node] = mixed(hashes[node], Int(self[node].kind.rawValue))
    }
    return hashes[Self.root]
  }
}

extension StructureMerge {
  /// Whether all that one of two mappings says is said by the other, too, which may say more.
  func isOneInOther(_ ours: Int, _ theirs: Int) -> Bool {
    contains(.theirs, theirs, in: .ours, ours) || contains(.ours, ours, in: .theirs, theirs)
  }

  private func contains(_ side: Side, _ node: Int, in other: Side, _ otherNode: Int) -> Bool {
    let (tree, otherTree) = (tree(side), tree(other))
    if tree[node].valueHash == otherTree[otherNode].valueHash { return true }
    guard tree[node].kind.isMapping, tree[node].kind == otherTree[otherNode].kind else {
      return false
    }
    var members: [[UInt8]: Int] = [:]
    for member in otherTree.members(of: otherNode) {
      let isDoubled =
        members.updateValue(member, forKey: otherTree.name(of: member, format)) != nil
      if isDoubled { return false }
    }
    return tree.members(of: node).allSatisfy { member in
      members[tree.name(of: member, format)].map { contains(side, member, in: other, $0) } ?? false
    }
  }
}
