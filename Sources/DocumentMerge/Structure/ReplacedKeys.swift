/// Finds values of repeated keys that both sides removed, and that at least one of them replaced.
///
/// Such values are identified by their contents, so nothing else shows that a new value replaces an old one.
struct ReplacedKeys<Format: StructuredFormat> {
  private let format: Format

  /// A key with one of its values.
  private struct Entry {
    let node: Int
    /// The hash of the name by which the entry is merged.
    let name: Int
  }

  /// The entries of each key, by the hash of the key in its section, and by the hash of the value.
  private typealias Keys = [Int: [Int: Entry]]

  init(_ format: Format) { self.format = format }

  /// Asks about the replacements.
  func rulings(on trees: MergeSides<StructureTree>, _ labels: MergeLabels) -> MergeRulings {
    var rulings = MergeRulings()
    guard let base = trees.base.map(keys) else { return rulings }
    let (ours, theirs) = (keys(in: trees.ours), keys(in: trees.theirs))
    for (key, old) in base {
      let (own, other) = (ours[key] ?? [:], theirs[key] ?? [:])
      guard max(old.count, own.count, other.count) > 1 else { continue }
      // Entries with the same name are merged as one.
      let named = [own, other].reduce(into: Set(old.values.map(\.name))) { named, side in
        named.formIntersection(side.values.map(\.name))
      }
      let gone = old.filter { own[$0.key] == nil && other[$0.key] == nil }
        .filter { !named.contains($0.value.name) }
      /// Returns the new values of a side, and whether they are more than it replaced alone.
      func added(_ side: [Int: Entry], _ other: [Int: Entry]) -> (nodes: [Int], areMore: Bool) {
        let new = side.filter { old[$0.key] == nil && other[$0.key] == nil }
          .filter { !named.contains($0.value.name) }
        let replaced = old.count { side[$0.key] == nil && other[$0.key] != nil }
        return (new.values.map(\.node), new.count > replaced)
      }
      let (ourAdded, theirAdded) = (added(own, other), added(other, own))
      guard !gone.isEmpty, ourAdded.areMore || theirAdded.areMore else { continue }
      let explanation =
        if theirAdded.nodes.isEmpty {
          "Removed by \(labels.theirs), renamed or replaced by \(labels.ours)."
        } else if ourAdded.nodes.isEmpty {
          "Removed by \(labels.ours), renamed or replaced by \(labels.theirs)."
        } else {
          "Both sides renamed or replaced it, differently."
        }
      for node in ourAdded.nodes { rulings.ours[node] = .asked(explanation) }
      for node in theirAdded.nodes { rulings.theirs[node] = .asked(explanation) }
      rulings.overrulesLines = true
    }
    return rulings
  }

  private func keys(in tree: StructureTree) -> Keys {
    var keys: Keys = [:]
    func read(_ table: Int, _ path: Int) {
      for member in tree.members(of: table) {
        let name = tree.mixed(path, tree.hash(of: tree.name(of: member, format)[...]))
        if tree[member].kind == .table {
          read(member, name)
        } else {
          let key = format.name(ofKey: tree.bytes[tree[member].key])
          keys[tree.mixed(path, tree.hash(of: key[...])), default: [:]][tree[member].valueHash] =
            Entry(node: member, name: name)
        }
      }
    }
    read(StructureTree.root, 0)
    return keys
  }
}
