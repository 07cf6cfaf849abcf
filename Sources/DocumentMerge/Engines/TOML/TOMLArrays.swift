/// Arrays of tables in several parts, as in a manifest in which a table about each example follows it.
///
/// Each table of such an array is separate, and named by the value that distinguishes it, because the parts
/// aren't lists that correspond to each other.
extension TOMLFormat {
  /// Reads the arrays that have several parts on any side in the same way on all sides.
  func readAlike(_ trees: MergeSides<StructureTree>) throws -> MergeSides<StructureTree> {
    let inParts = trees.map(arraysInParts)
    let apart = inParts.all.reduce(into: Set()) { $0.formUnion($1) }
    return try trees.map(with: inParts) { tree, own in
      own == apart ? tree : try self.tree(of: tree.bytes, apart: apart)
    }
  }

  /// Returns the headers of the document's arrays that other tables interrupt.
  func arraysInParts(of tree: StructureTree) -> Set<[UInt8]> {
    var counts: [[UInt8]: Int] = [:]
    for list in arrays(of: tree) { counts[header(of: list, in: tree), default: 0] += 1 }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  /// Reads a document in which each table of the given arrays is separate, named by its header and a
  /// distinguishing field.
  func tree(of text: [UInt8], apart: Set<[UInt8]>) throws -> StructureTree {
    var tree = try TOMLParser(text, apart: apart).parse()
    for list in arrays(of: tree) {
      let header = header(of: list, in: tree)
      guard apart.contains(header), let table = tree.members(of: list).first,
        let fields = identities.first(where: {
          $0.required.count == 1 && tree.identity(of: table, by: $0, self) != nil
        })
      else { continue }
      tree.names[list] = header + [0x20] + tree.name(of: table, by: fields, self)
    }
    return tree
  }

  /// Returns questions about added records if both sides removed a separate record, because an added one may
  /// be the removed one under a new name.
  func rulingsOnRenamedRecords(
    of trees: MergeSides<StructureTree>, labels: MergeLabels
  ) -> MergeRulings {
    guard let base = trees.base else { return MergeRulings() }
    let old = records(of: base)
    let (ours, theirs) = (records(of: trees.ours), records(of: trees.theirs))
    let gone = Set(old.keys).subtracting(ours.keys).subtracting(theirs.keys)
    let headers = Set(gone.compactMap { old[$0].map { header(of: $0, in: base) } })
    func rulings(
      _ side: [[UInt8]: Int], _ tree: StructureTree, notIn other: [[UInt8]: Int], _ label: String
    ) -> [Int: MergeRulings.Ruling] {
      var rulings: [Int: MergeRulings.Ruling] = [:]
      for (name, list) in side where old[name] == nil && other[name] == nil {
        guard headers.contains(header(of: list, in: tree)) else { continue }
        rulings[list] = .asked("Perhaps \(label) renamed what the other side removed.")
      }
      return rulings
    }
    return MergeRulings(
      ours: rulings(ours, trees.ours, notIn: theirs, labels.ours),
      theirs: rulings(theirs, trees.theirs, notIn: ours, labels.theirs))
  }

  /// Returns the separate records, by name.
  private func records(of tree: StructureTree) -> [[UInt8]: Int] {
    arrays(of: tree).reduce(into: [:]) { records, list in
      if let name = tree.givenName(of: list), name.last != UInt8(ascii: "]") {
        records[name] = list
      }
    }
  }

  /// Returns the lists of tables that aren't inside another table.
  private func arrays(of tree: StructureTree) -> [Int] {
    tree.members(of: StructureTree.root).filter { tree[$0].kind == .tables }
  }

  private func header(of list: Int, in tree: StructureTree) -> [UInt8] {
    guard let table = tree.members(of: list).first else { return [] }
    var reader = TOMLKeyReader(bytes: tree.bytes[tree[table].value].dropFirst(2))
    return reader.path().map(TOMLParser.header) ?? []
  }
}
