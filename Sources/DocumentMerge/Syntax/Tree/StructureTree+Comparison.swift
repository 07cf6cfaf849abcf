/// Comparison of whole documents, regardless of order and layout.
extension StructureTree {
  /// Returns whether a member is more than a tag, or than an empty container.
  func saysAnything(_ node: Int) -> Bool {
    guard self[node].kind != .leaf else { return !self[node].value.isEmpty }
    return members(of: node).dropFirst(self[node].kind == .record ? 1 : 0).contains(
      where: saysAnything)
  }

  /// Returns whether another document has the same contents, except for the order of the members in lists.
  func hasEqualMembers(_ other: StructureTree, _ syntax: some DocumentSyntax) -> Bool {
    self[Self.root].valueHash == other[Self.root].valueHash
      || hashOfMembers(syntax) == other.hashOfMembers(syntax)
  }

  /// Returns a hash that is equal for documents whose lists have equal members, in any order.
  private func hashOfMembers(_ syntax: some DocumentSyntax) -> Int {
    var hashes = [Int](repeating: 0, count: count)
    // Members are after their container, so their hashes are computed first.
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
