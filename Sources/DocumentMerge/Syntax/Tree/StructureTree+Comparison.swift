/// Compares whole documents without regard to order and layout.
extension StructureTree {
  /// Returns whether a member is more than a tag, or than a container with nothing in it.
  func saysAnything(_ node: Int) -> Bool {
    guard self[node].kind != .leaf else { return !self[node].value.isEmpty }
    return members(of: node).dropFirst(self[node].kind == .record ? 1 : 0).contains(
      where: saysAnything)
  }

  /// Returns whether another document says the same, but for the order of the members of lists.
  func hasEqualMembers(_ other: StructureTree, _ syntax: some DocumentSyntax) -> Bool {
    self[Self.root].valueHash == other[Self.root].valueHash
      || hashOfMembers(syntax) == other.hashOfMembers(syntax)
  }

  /// Returns whether a merged document has records in its lists that one side took away and the other one left as they
  /// were.
  ///
  /// - Parameter other: Another merge of the same sides, which knows what was taken away.
  func revives(
    _ sides: MergeSides<StructureTree>, notIn other: StructureTree?, _ syntax: some DocumentSyntax
  ) -> Bool {
    guard let base = sides.base, let other else { return false }
    let revived = records(syntax).intersection(base.records(syntax))
      .subtracting(other.records(syntax))
    return !revived.isEmpty
      && !(revived.isSubset(of: sides.ours.records(syntax))
        && revived.isSubset(of: sides.theirs.records(syntax)))
  }

  /// The hashes of the members of lists that say more than one thing.
  private func records(_ syntax: some DocumentSyntax) -> Set<Int> {
    let hashes = hashes(syntax)
    var found: Set<Int> = []
    for node in 0..<count where self[node].kind != .leaf && !self[node].kind.isMapping {
      for member in members(of: node) where self[member].kind != .leaf {
        found.insert(hashes[member])
      }
    }
    return found
  }

  /// A hash that documents share whose lists have equal members, in whatever order.
  private func hashOfMembers(_ syntax: some DocumentSyntax) -> Int { hashes(syntax)[Self.root] }

  /// Such a hash of every node.
  private func hashes(_ syntax: some DocumentSyntax) -> [Int] {
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
    return hashes
  }
}
