/// Arrays of tables in parts, as in a manifest where each example is followed by a table about it.
///
/// Each table of such an array stands apart and is called by what tells it from the others: the parts are no lists of
/// which one could say which is which.
extension TOMLFormat {
  /// Reads the arrays alike that are in parts on any side.
  func readAlike(_ trees: MergeSides<StructureTree>) throws -> MergeSides<StructureTree> {
    let inParts = trees.map(arraysInParts)
    let apart = inParts.all.reduce(into: Set()) { $0.formUnion($1) }
    func alike(_ tree: StructureTree, _ own: Set<[UInt8]>) throws -> StructureTree {
      own == apart ? tree : try self.tree(of: tree.bytes, apart: apart)
    }
    return MergeSides(
      base: try trees.base.map { try alike($0, inParts.base ?? []) },
      ours: try alike(trees.ours, inParts.ours), theirs: try alike(trees.theirs, inParts.theirs))
  }

  /// The headers of the document's arrays that other tables stand in.
  func arraysInParts(of tree: StructureTree) -> Set<[UInt8]> {
    var counts: [[UInt8]: Int] = [:]
    for list in arrays(of: tree) { counts[header(of: list, in: tree), default: 0] += 1 }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  /// Reads a document in which each table of some arrays stands apart, called by its header and a field that
  /// distinguishes it.
  func tree(of text: [UInt8], apart: Set<[UInt8]>) throws -> StructureTree {
    var parser = TOMLParser(text, apart: apart)
    var tree = try parser.parse()
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

  /// The lists of tables that are not inside another table.
  private func arrays(of tree: StructureTree) -> [Int] {
    tree.members(of: StructureTree.root).filter { tree[$0].kind == .tables }
  }

  private func header(of list: Int, in tree: StructureTree) -> [UInt8] {
    guard let table = tree.members(of: list).first else { return [] }
    var reader = TOMLKeyReader(bytes: tree.bytes[tree[table].value].dropFirst(2))
    return reader.path().map(TOMLParser.header) ?? []
  }
}
