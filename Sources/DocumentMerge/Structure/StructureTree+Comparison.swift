/// How documents, and values of two sides, are compared without regard to order and layout.
extension StructureTree {
  /// Whether another document says the same, but for the order of the members of lists.
  func hasEqualMembers(_ other: StructureTree, _ format: some StructuredFormat) -> Bool {
    self[Self.root].valueHash == other[Self.root].valueHash
      || hashOfMembers(format) == other.hashOfMembers(format)
  }

  /// What documents have in common whose lists have equal members, in whatever order.
  private func hashOfMembers(_ format: some StructuredFormat) -> Int {
    var hashes = [Int](repeating: 0, count: count)
    // Members stand behind their container, so theirs are known first.
    for node in (0..<count).reversed() {
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

  /// Whether a mapping says nothing that one of base does not say.
  func isPart(_ node: Int, _ side: Side, of old: Int) -> Bool {
    tree(side)[node].kind.isMapping && contains(side, node, in: .base, old)
  }

  /// Whether two mappings, of which at most one has keys of its own, say different things about one key.
  ///
  /// Where both have keys of their own, one may be instead of another.
  func haveContradiction(_ ours: Int, _ theirs: Int) -> Bool {
    guard let known = members(of: ours, .ours), let others = members(of: theirs, .theirs) else {
      return false
    }
    let shared = known.filter { others[$0.key] != nil }
    guard shared.count == min(known.count, others.count) else { return false }
    return shared.contains { name, member in
      others[name].map { !isOneInOther(member, $0) } ?? false
    }
  }

  /// The members of a mapping by their names; `nil` if it is none, or a name is doubled.
  private func members(of node: Int, _ side: Side) -> [[UInt8]: Int]? {
    let tree = tree(side)
    guard tree[node].kind.isMapping else { return nil }
    var members: [[UInt8]: Int] = [:]
    for member in tree.members(of: node) {
      guard members.updateValue(member, forKey: tree.name(of: member, format)) == nil else {
        return nil
      }
    }
    return members
  }

  private func contains(_ side: Side, _ node: Int, in other: Side, _ otherNode: Int) -> Bool {
    let (tree, otherTree) = (tree(side), tree(other))
    if tree[node].valueHash == otherTree[otherNode].valueHash { return true }
    guard tree[node].kind.isMapping, tree[node].kind == otherTree[otherNode].kind,
      let members = members(of: otherNode, other)
    else { return false }
    return tree.members(of: node).allSatisfy { member in
      members[tree.name(of: member, format)].map { contains(side, member, in: other, $0) } ?? false
    }
  }
}
