/// How often each member occurs in a document's lists, by its contents.
///
/// Numbers and members without contents don't count, because equal ones mean nothing.
struct MemberCounts {
  /// The counts at each place of lists, which is the path of keys and tags to them, the same in all documents.
  private var places: [Int: [Int: Int]] = [:]

  /// Counts the members of a document's lists.
  init(in tree: StructureTree, _ format: some StructuredFormat) {
    var pending = [(node: StructureTree.root, place: 0)]
    while let (node, place) = pending.popLast() {
      let kind = tree[node].kind
      let tag = kind == .record ? tree[node + 1].valueHash : 0
      for member in tree.members(of: node) {
        if tree[member].next > member + 1 {
          var hasher = Hasher()
          hasher.combine(place)
          hasher.combine(tag)
          if kind.isMapping { hasher.combine(tree.name(of: member, format)) }
          pending.append((member, hasher.finalize()))
        }
        if kind.isList, tree.saysAnything(member), !tree.isNumber(member, format) {
          places[place, default: [:]][tree[member].valueHash, default: 0] += 1
        }
      }
    }
  }

  /// Returns whether each member occurs as often as the changes of both sides make it.
  ///
  /// A member that both sides changed occurs in a new form, unless a list got shorter: then nothing shows whether both
  /// changed the same member.
  func areMerged(from sides: MergeSides<MemberCounts>) -> Bool {
    Set((sides.all + [self]).flatMap(\.places.keys)).allSatisfy { place in
      let (counts, result) = (sides.map { $0.places[place] ?? [:] }, places[place] ?? [:])
      var (surplus, lessOfOurs, lessOfTheirs) = (0, 0, 0)
      for member in Set((counts.all + [result]).flatMap(\.keys)) {
        let count = result[member, default: 0]
        let (old, sides) = (counts.base?[member] ?? 0, counts.map { $0[member, default: 0] })
        let expected = sides.mergedCounts
        surplus += max(0, count - expected.upperBound)
        guard count < expected.lowerBound else { continue }
        // What is missing can only be what one side made of a member that both changed.
        guard (sides.ours > old) != (sides.theirs > old) else { return false }
        if sides.ours > old { lessOfOurs += 1 } else { lessOfTheirs += 1 }
      }
      let lengths = counts.map(\.length)
      return surplus == 0
        || surplus <= min(lessOfOurs, lessOfTheirs)
          && min(lengths.ours, lengths.theirs) >= lengths.base ?? 0
    }
  }
}

extension [Int: Int] {
  /// The number of members.
  fileprivate var length: Int { values.reduce(0, +) }
}

extension StructureTree {
  /// Returns whether a member is a number; equal numbers in a list have no meaning.
  func isNumber(_ member: Int, _ format: some StructuredFormat) -> Bool {
    self[member].kind == .leaf && format.text(ofLeaf: bytes[self[member].value]) == nil
  }
}
