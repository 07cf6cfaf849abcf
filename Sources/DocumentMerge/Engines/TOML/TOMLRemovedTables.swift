/// The tables of a TOML document, by their full names.
private struct TOMLTables {
  /// The tables, without those of arrays.
  private(set) var nodes: [[UInt8]: Int] = [:]
  /// The names of the tables, in order.
  private let names: [[UInt8]]

  init(_ tree: StructureTree) {
    let format = TOMLFormat()
    for member in tree.members(of: StructureTree.root) where tree[member].kind == .table {
      if let name = format.plainName(tree.name(of: member, format)) { nodes[name] = member }
    }
    names = nodes.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the names of the tables inside another one.
  func names(in name: [UInt8]) -> ArraySlice<[UInt8]> {
    let start = name + [UInt8(ascii: ".")]
    // Names with the same start are adjacent.
    let first = names.partitioningIndex { !$0.lexicographicallyPrecedes(start) }
    return names[first...].prefix { $0.starts(with: start) }
  }
}

extension TOMLFormat {
  /// Returns questions about a table that one side removed and in which the other side added a table, both of
  /// which would remain without the removed values.
  func rulingsOnRemovedTables(
    of trees: MergeSides<StructureTree>, labels: MergeLabels
  ) -> MergeRulings {
    guard let base = trees.base else { return MergeRulings() }
    let old = TOMLTables(base)
    let (ours, theirs) = (TOMLTables(trees.ours), TOMLTables(trees.theirs))
    func rulings(
      _ side: TOMLTables, _ label: String, _ other: TOMLTables, _ otherLabel: String
    ) -> [Int: MergeRulings.Ruling] {
      var rulings: [Int: MergeRulings.Ruling] = [:]
      for (name, node) in old.nodes where other.nodes[name] == nil {
        // A header without lines has nothing to lose.
        guard let kept = side.nodes[name], !base.members(of: node).isEmpty,
          other.names(in: name).isEmpty
        else { continue }
        let added = side.names(in: name).filter { old.nodes[$0] == nil }
        guard !added.isEmpty else { continue }
        let name = String(decoding: name, as: UTF8.self)
        let question = "“\(name)” was removed by \(otherLabel), and \(label) added a table in it."
        for node in [kept] + added.compactMap({ side.nodes[$0] }) {
          rulings[node] = .asked(question)
        }
      }
      return rulings
    }
    return MergeRulings(
      ours: rulings(ours, labels.ours, theirs, labels.theirs),
      theirs: rulings(theirs, labels.theirs, ours, labels.ours))
  }
}
