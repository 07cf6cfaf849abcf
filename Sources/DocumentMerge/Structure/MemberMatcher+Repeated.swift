extension MemberMatcher {
  /// Returns the names of members; a key that another side has several times includes its value, as there.
  func names(
    _ sides: MergeSides<(StructureTree, [Int])>, in kind: StructureTree.Kind
  ) -> MergeSides<[[UInt8]]> {
    let names = sides.map { tree, members in members.map { tree.name(of: $0, format) } }
    guard kind == .table else { return names }
    let shared = names.all.dropFirst().reduce(Set(names.all[0])) { $0.intersection($1) }
    var longer: [Int: [[UInt8]]] = [:]
    for (side, names) in zip(sides.all, names.all) {
      for (member, name) in zip(side.1, names)
      where side.0.givenName(of: member) != nil && !shared.contains(name) {
        longer[side.0[member].valueHash, default: []].append(name)
      }
    }
    guard !longer.isEmpty else { return names }
    return sides.map(with: names) { side, names in
      zip(side.1, names).map { member, name in
        guard !shared.contains(name), let known = longer[side.0[member].valueHash] else {
          return name
        }
        let found = known.first { longer in
          let end = longer.dropFirst(name.count).first
          return longer.starts(with: name) && end.map { ":=".utf8.contains($0) } ?? false
        }
        return found ?? name
      }
    }
  }
}
