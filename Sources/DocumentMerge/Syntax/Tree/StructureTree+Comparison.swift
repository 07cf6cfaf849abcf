/// Compares whole documents without regard to order and layout.
extension StructureTree {
  /// Returns whether another document says the same, but for the order of the members of lists.
  func hasEqualMembers(_ other: StructureTree, _ syntax: some DocumentSyntax) -> Bool {
    self[Self.root].valueHash == other[Self.root].valueHash
      || hashOfMembers(syntax) == other.hashOfMembers(syntax)
  }

  /// A hash that documents share whose lists have equal members, in whatever order.
  private func hashOfMembers(_ syntax: some DocumentSyntax) -> Int {
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
        if self[node].kind.isMapping { hasher.combine(name(of: member, syntax)) }
        let hash = hasher.finalize()
        hashes[node] = isOrdered ? mixed(hashes[node], hash) : hashes[node] &+ hash
      }
      hashes[node] = mixed(hashes[node], Int(self[node].kind.rawValue))
    }
    return hashes[Self.root]
  }
}
