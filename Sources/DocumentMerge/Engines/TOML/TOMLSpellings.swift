/// The header or table by which each name of a TOML document is reached: `[a.x]`, `x` in `[a]`, or `a.x` in
/// the document.
private struct TOMLSpellings {
  /// The table whose line contains a name, by the full name; empty for a header, or a line of the document.
  private(set) var tables: [[UInt8]: [UInt8]] = [:]

  init(_ tree: StructureTree) {
    let format = TOMLFormat()
    for member in tree.members(of: StructureTree.root) {
      guard let name = format.plainName(tree.name(of: member, format)) else { continue }
      tables[name] = []
      guard tree[member].kind == .table else { continue }
      for line in tree.members(of: member) {
        tables[name + [UInt8(ascii: ".")] + tree.name(of: line, format)] = name
      }
    }
  }

  /// Returns whether the document has a name, or one inside it.
  func contains(_ name: [UInt8]) -> Bool {
    tables[name] != nil || tables.keys.contains { $0.starts(with: name + [UInt8(ascii: ".")]) }
  }
}

extension TOMLFormat {
  /// Refuses the merge if one side wrote a name in another table while the other side removed it, because no
  /// table of both sides has the name.
  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings {
    guard let base = trees.base.map(TOMLSpellings.init) else { return MergeRulings() }
    let (ours, theirs) = (TOMLSpellings(trees.ours), TOMLSpellings(trees.theirs))
    let names = base.tables.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (name, table) in names {
      for (side, other) in [(ours, theirs), (theirs, ours)] {
        guard let new = side.tables[name], new != table, !other.contains(name) else { continue }
        // A removed whole table has its own question.
        let areThere = [table, new].allSatisfy { table in
          table.isEmpty || base.tables[table] == nil || other.tables[table] != nil
        }
        guard areThere else { continue }
        let name = String(decoding: name, as: UTF8.self)
        return MergeRulings(
          refusal: "One side removed “\(name)”, which the other one wrote otherwise.")
      }
    }
    let removed = rulingsOnRemovedTables(of: trees, labels: options.labels)
    let renamed = rulingsOnRenamedRecords(of: trees, labels: options.labels)
    return MergeRulings(
      ours: removed.ours.merging(renamed.ours) { $1 },
      theirs: removed.theirs.merging(renamed.theirs) { $1 })
  }
}
