/// Compares different values: how much they have in common, and whether one contains the other.
struct MemberComparison<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>

  // MARK: Likeness

  /// Returns the members of a mapping, or an element's attributes and contents.
  func parts(of tree: StructureTree, _ node: Int) -> [MemberPart] {
    sizedParts(of: tree, node).map(\.part)
  }

  /// Returns the same parts, with the place of each value in the bytes.
  func sizedParts(of tree: StructureTree, _ node: Int) -> [SizedPart] {
    tree.members(of: node).flatMap { member in
      if tree[node].kind == .record, tree[member].kind.isMapping {
        return sizedParts(of: tree, member)
      }
      let part = MemberPart(name: tree.name(of: member, format), value: tree[member].valueHash)
      return [SizedPart(part: part, value: tree[member].value)]
    }
  }

  /// Returns the leaves of a mapping and of the mappings in it, named by the path to each.
  func leaves(of tree: StructureTree, _ node: Int, at path: [UInt8] = []) -> [MemberPart] {
    tree.members(of: node).flatMap { member in
      let path = path + tree.name(of: member, format) + [.lineFeed]
      return tree[member].kind.isMapping
        ? leaves(of: tree, member, at: path)
        : [MemberPart(name: path, value: tree[member].valueHash)]
    }
  }

  /// Returns whether at least half of two mappings is equal, by number and by bytes, because many mappings share a few
  /// small members.
  func areMostlyEqual(_ one: [SizedPart], _ other: [SizedPart]) -> Bool {
    guard areMostlyEqual([one, other].map { $0.map(\.part) }) else { return false }
    let shared = Set(other.map(\.part))
    let equal = one.reduce(0) { $0 + (shared.contains($1.part) ? $1.size : 0) }
    return 2 * equal >= max(one.reduce(0) { $0 + $1.size }, other.reduce(0) { $0 + $1.size })
  }

  /// Returns whether at least half of some values is the same.
  func areMostlyEqual(_ values: [[MemberPart]]) -> Bool {
    let equal = values.dropFirst().reduce(Set(values[0])) { $0.intersection($1) }
    let names = Set(values.flatMap { $0.map(\.name) })
    return 2 * equal.count >= names.count
  }

  /// Returns whether the sides changed different parts, and something is left of a mapping.
  func changeApart(_ parts: MergeSides<[MemberPart]>) -> Bool {
    guard let base = parts.base.map(Set.init) else { return false }
    let (ours, theirs) = (Set(parts.ours), Set(parts.theirs))
    func changed(_ side: Set<MemberPart>) -> Set<[UInt8]> {
      Set(base.symmetricDifference(side).map(\.name))
    }
    let both = changed(ours).intersection(changed(theirs))
    return !base.intersection(ours).isDisjoint(with: theirs)
      && both.allSatisfy { name in
        ours.filter { $0.name == name } == theirs.filter { $0.name == name }
      }
  }

  // MARK: Containment

  /// Returns whether one of two mappings contains the other one.
  func isOneInOther(_ ours: Int, _ theirs: Int) -> Bool {
    contains(.theirs, theirs, in: .ours, ours) || contains(.ours, ours, in: .theirs, theirs)
  }

  /// Returns whether a mapping is contained in one of base.
  func isPart(_ node: Int, _ side: Side, of old: Int) -> Bool {
    tree(side)[node].kind.isMapping && contains(side, node, in: .base, old)
  }

  /// Returns whether two mappings, at most one of which has additional keys, have different values for a key.
  ///
  /// If both have additional keys, one may replace another.
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

  /// Returns the members of a mapping by their names; `nil` if it isn't a mapping, or a name occurs twice.
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

/// A word of a text, or a member of a mapping.
struct MemberPart: Hashable {
  let name: [UInt8]
  var value = 0
}

/// A part, and the place of its value in the bytes.
struct SizedPart {
  let part: MemberPart
  let value: Range<Int>

  /// The size of the value in bytes.
  var size: Int { value.count }
}
