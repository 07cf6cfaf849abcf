/// The duplicate members of a document's containers: keys, ids, and equal members of lists.
///
/// A merge must not have a duplicate that no input has, nor have one more often. But values in the places of others may
/// be equal, so those of a list count only if the list is longer than in each input; and both sides may have added one
/// more of a value that is there several times.
struct DoubledMembers {
  /// The maximum number of each member in a container, if it is more than one.
  private var counts: [Int: Int] = [:]
  /// The places of lists by their members without ids, and the maximum number of members at each place.
  private var lists: [Int: Int] = [:]
  private var lengths: [Int: Int] = [:]

  /// True if there are no duplicates.
  var isEmpty: Bool { counts.isEmpty }

  /// Returns whether each duplicate occurs at least as often in one of the sides.
  func isCovered(by sides: MergeSides<DoubledMembers>) -> Bool {
    let others = sides.all
    return counts.allSatisfy { key, count in
      if lists[key] != nil, let base = sides.base?.counts[key, default: 1],
        sides.ours.counts[key, default: 1] + sides.theirs.counts[key, default: 1] - base >= count
      {
        return true
      }
      let isOfLongerList = lists[key].map { place in
        others.allSatisfy { $0.lengths[place, default: 0] < lengths[place, default: 0] }
      }
      return isOfLongerList == false || others.contains { $0.counts[key, default: 1] >= count }
    }
  }

  /// Finds the duplicate members of a document; equal members of lists, which may be legitimate without ids,
  /// count only if `lists` is true.
  init(in tree: StructureTree, _ format: some StructuredFormat, lists: Bool) {
    counts = tree.uniques.filter { $0.value > 1 }
    // A container is identified by the path of keys to it, which is the same in all documents.
    var pending = [(node: StructureTree.root, place: 0)]
    var seen: [Int] = []
    while let (node, place) = pending.popLast() {
      let members = tree.members(of: node)
      let isList = lists && tree[node].kind.isList
      if isList { lengths[place] = max(members.count, lengths[place] ?? 0) }
      seen.removeAll(keepingCapacity: true)
      for member in members {
        var hasher = Hasher()
        hasher.combine(place)
        if tree[node].kind.isMapping {
          hasher.combine(tree.name(of: member, format))
        }
        let inner = hasher.finalize()
        if tree[member].next > member + 1 { pending.append((member, inner)) }
        if tree[node].kind.isMapping {
          seen.append(inner)
        } else if isList, tree.saysAnything(member),
          !tree.isNumber(member, format)
        {
          let identity = format.identities.lazy
            .compactMap { tree.identity(of: member, by: $0, format) }.first
          hasher.combine(identity ?? tree[member].valueHash)
          let key = hasher.finalize()
          if identity == nil { self.lists[key] = place }
          seen.append(key)
        }
      }
      seen.sort()
      var start = 0
      for end in seen.indices where end + 1 == seen.count || seen[end + 1] != seen[end] {
        let count = end + 1 - start
        if count > 1 { counts[seen[end]] = max(count, counts[seen[end]] ?? 0) }
        start = end + 1
      }
    }
  }
}
