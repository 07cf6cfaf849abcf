/// An engine that reads documents into trees.
protocol DocumentTreeReader {
  /// Reads a text with line feeds, whose last line has one.
  func tree(of text: [UInt8]) throws -> DocumentTree
}

extension DocumentTree {
  /// Reads a whole document.
  init(_ tree: StructureTree, _ syntax: some DocumentSyntax) {
    // A stream with a single document is that document.
    let first = tree.members(of: StructureTree.root)
    let isStream = first.count == 1 && tree.givenName(of: first[0]) == []
    self.init(isStream ? first[0] : StructureTree.root, isInList: true, of: tree, syntax)
  }

  /// Reads a node of a tree, with its members.
  private init(
    _ node: Int, isInList: Bool, of tree: StructureTree, _ syntax: some DocumentSyntax
  ) {
    // In a list, a key only marks a member.
    let given = tree.givenName(of: node) ?? (isInList ? [] : tree.name(of: node, syntax))
    name = isInList && given.isEmpty ? nil : String(decoding: given, as: UTF8.self)
    range = tree[node].value
    let kind = tree[node].kind
    guard kind == .leaf else {
      self.kind = kind.isMapping ? .mapping : .list
      text = nil
      members = tree.members(of: node).map {
        DocumentTree($0, isInList: !kind.isMapping, of: tree, syntax)
      }
      return
    }
    let value = tree.bytes[tree[node].value]
    let content = syntax.text(ofLeaf: value)
    self.kind = content == nil ? .scalar : .text
    text = String(decoding: content ?? Array(value), as: UTF8.self)
    members = []
  }
}
