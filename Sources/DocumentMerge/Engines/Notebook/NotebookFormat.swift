/// Jupyter notebooks: JSON whose cells have identities, and whose outputs never clash.
struct NotebookFormat: StructuredFormat {
  private let json = JSONFormat()

  var name: String { "notebook" }

  func separator(in kind: StructureTree.Kind) -> [UInt8] { json.separator(in: kind) }

  var identities: [MemberIdentity] { json.identities }

  /// Reads a notebook, or other JSON.
  ///
  /// The faults of its cells count as duplicates, so that a merge adds no further ones.
  func parse(_ text: [UInt8]) throws -> StructureTree {
    var tree = try json.parse(text)
    guard let notebook = Notebook(tree, json) else { return tree }
    for cell in notebook.cells {
      if let id = cell.id { tree.addUnique(Array("id=".utf8) + id) }
      for fault in notebook.faults(of: cell) {
        for _ in 0..<2 { tree.addUnique(Array(fault.utf8)) }
      }
    }
    return tree
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] { json.name(ofKey: key) }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { json.text(ofLeaf: leaf) }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    json.leaf(holding: text, like: model)
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) throws -> MergeRulings {
    let notebooks = trees.map { Notebook($0, json) }
    let versions = Set(notebooks.all.map { $0?.version })
    guard versions.count == 1 else {
      return MergeRulings(
        refusal: "The sides are notebooks of different formats, which do not go together.")
    }
    guard let ours = notebooks.ours, let theirs = notebooks.theirs else { return MergeRulings() }
    let sides = MergeSides(base: notebooks.base.flatMap { $0 }, ours: ours, theirs: theirs)
    return try NotebookMerge(sides, format: json, options: options).rulings()
  }
}
